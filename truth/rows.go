package truth

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/internal/csvcell"
)

// eachRow calls row with the fields of every line but a header, and adds file
// and line to its errors.
func eachRow(r io.Reader, name string, row func([]string) error) error {
	in := bufio.NewReader(r)
	first, err := in.Peek(1 << 12)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return fmt.Errorf("%s: %w", name, err)
	}
	if end := bytes.IndexByte(first, '\n'); end >= 0 {
		first = first[:end]
	}
	next := csvRows(in)
	if bytes.IndexByte(first, '\t') >= 0 {
		next = tsvRows(in)
	}
	for begin := true; ; begin = false {
		fields, line, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && begin && isHeader(fields) {
			continue
		}
		if err == nil {
			err = row(fields)
		}
		if syntax, ok := errors.AsType[*csv.ParseError](err); ok {
			return fmt.Errorf("%s:%d: %w", name, syntax.Line, syntax.Err)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
}

// isHeader reports whether a first line names its columns: where a number would
// be there is none.
func isHeader(fields []string) bool {
	if len(fields) < 3 {
		return false
	}
	_, err := strconv.ParseFloat(fields[2], 64)
	return err != nil
}

func csvRows(r io.Reader) func() ([]string, int, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = -1
	return func() ([]string, int, error) {
		fields, err := in.Read()
		if err != nil {
			return nil, 0, err
		}
		line, _ := in.FieldPos(0)
		for i, f := range fields {
			fields[i] = csvcell.Restore(f)
		}
		return fields, line, nil
	}
}

// maxLine bounds a line of tab-separated values, in bytes.
const maxLine = 1 << 24

func tsvRows(r io.Reader) func() ([]string, int, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	line := 0
	return func() ([]string, int, error) {
		for lines.Scan() {
			line++
			if lines.Text() == "" {
				continue
			}
			fields := strings.Split(lines.Text(), "\t")
			for i, f := range fields {
				fields[i] = unescapeTSV(f)
			}
			return fields, line, nil
		}
		if err := lines.Err(); err != nil {
			return nil, line + 1, err
		}
		return nil, line, io.EOF
	}
}
