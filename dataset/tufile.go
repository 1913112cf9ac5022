package dataset

import (
	"io"
	"strings"
)

// tuFile is one of the files, read line by line with a look ahead. Blank lines
// at its end do not count.
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
		if at, ok := err.(*lineError); ok {
			return "", &tuError{f.in.name, at}
		}
		if err != nil {
			return "", err
		}
		f.row, f.line = strings.TrimSpace(string(text)), line
		f.ahead = f.row != ""
	}
	return f.row, nil
}

func (f *tuFile) take() { f.ahead = false }

// value takes the next row of a file that may be missing as a whole, which
// gives "".
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
	return &tuError{f.in.name, errAt(f.line, format, args...)}
}

// tuError is an error of the text of one of the files.
type tuError struct {
	file string
	err  error
}

func (e *tuError) Error() string { return e.err.Error() }
