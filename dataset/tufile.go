package dataset

import (
	"io"
	"strings"
)

// tuFile is one of the files, read line by line with lookahead. Blank lines at its end do not
// count.
type tuFile struct {
	in     *input
	pieces *pieces
	line   int // of the row last peeked
	row    string
	ahead  bool
}

// peek returns the next row, or io.EOF.
func (f *tuFile) peek() (string, error) {
	for !f.ahead {
		text, line, err := f.pieces.next()
		if err != nil {
			return "", f.own(err)
		}
		f.row, f.line = strings.TrimSpace(string(text)), line
		f.ahead = f.row != ""
	}
	return f.row, nil
}

func (f *tuFile) take() { f.ahead = false }

// value takes the next row; if the file is missing, that is "".
func (f *tuFile) value() (string, error) {
	if f == nil {
		return "", nil
	}
	row, err := f.peek()
	if err == io.EOF {
		return "", f.fail("the file ends here, with fewer lines than the files beside it need")
	}
	f.take()
	return row, err
}

func (f *tuFile) fail(format string, args ...any) error {
	return f.own(errAt(f.line, format, args...))
}

// own marks an error as one in the text of this file.
func (f *tuFile) own(err error) error {
	if at, ok := err.(*lineError); ok {
		at.file = f.in.name
	}
	return err
}
