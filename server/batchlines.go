package server

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/operation"
)

// readLines reads a batch of one JSON object a line.
func (in *batchReader) readLines(ctx context.Context, body io.Reader) (change greed.Change, err error) {
	lines := bufio.NewReaderSize(body, 64<<10)
	for number := 1; ; number++ {
		if err := ctx.Err(); err != nil {
			return change, explain(err)
		}
		text, readErr := readLine(lines, in.opt.Limits.Body)
		if readErr != nil && !errors.Is(readErr, io.EOF) {
			return change, problem(http.StatusBadRequest, "line %d: %v", number, readErr)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			rec, deleted, err := in.readOne(ctx, text)
			switch {
			case err != nil:
				return change, within(err, "line %d", number)
			case deleted:
				change.Delete = append(change.Delete, rec.ID)
			default:
				change.Put = append(change.Put, rec)
			}
			if len(change.Put)+len(change.Delete) > in.opt.Limits.Batch {
				return change, in.tooMany()
			}
		}
		if readErr != nil {
			return change, nil
		}
	}
}

var errLongLine = errors.New("the line is too long")

// readLine returns the next line, of at most limit bytes.
func readLine(r *bufio.Reader, limit int64) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if int64(len(line)) > limit {
			return nil, errLongLine
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// readOne reads a line.
func (in *batchReader) readOne(ctx context.Context, text []byte) (rec dataset.Record, deleted bool, err error) {
	if err := plainBody(text, in.line, in.schemas); err != nil {
		return rec, false, err
	}
	var line BatchLine
	if err := decodeOne(text, &line); err != nil {
		return rec, false, problem(http.StatusUnprocessableEntity, "%v", err)
	}
	if err := explain(operation.CheckID(line.ID)); err != nil {
		return rec, false, err
	}
	if line.Delete {
		return dataset.Record{ID: line.ID}, true, nil
	}
	rec, err = in.newRecord(ctx, in.into, line.ID, &line.PutGraph)
	return rec, false, err
}
