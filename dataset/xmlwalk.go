package dataset

import (
	"bufio"
	"bytes"
)

// children calls visit for each child of the current element, whose start tag was just read,
// up to its end tag. visit must read the child to its end, with children, text or skip. Text
// between children is ignored.
func (x *xmlScan) children(visit func(xmlTag) error) error {
	for {
		what, tag, _, err := x.token()
		if err != nil {
			return err
		}
		switch what {
		case xmlStart:
			if err := visit(tag); err != nil {
				return err
			}
		case xmlEnd:
			return nil
		}
	}
}

// skip reads to the end of the current element.
func (x *xmlScan) skip() error {
	return x.children(func(xmlTag) error { return x.skip() })
}

// leave reads to the end of the element at depth, unless an error has ended reading.
func (x *xmlScan) leave(depth int) error {
	for !x.broken && x.depth >= depth {
		if _, _, _, err := x.token(); err != nil {
			return err
		}
	}
	return nil
}

// content returns the text of the current element and reads to its end. It leaves out the
// text of elements inside.
func (x *xmlScan) content() (string, error) {
	var text string // the first piece, which mostly is the only one
	var more []byte
	for {
		what, _, chars, err := x.token()
		switch {
		case err != nil:
			return "", err
		case what == xmlStart:
			if err := x.skip(); err != nil {
				return "", err
			}
		case what == xmlEnd && more != nil:
			return string(more), nil
		case what == xmlEnd:
			return text, nil
		case text == "":
			text = string(chars)
		default:
			if more == nil {
				more = []byte(text)
			}
			more = appendTo(more, string(chars))
		}
	}
}

// rootElement returns the name of the first element of a text that begins like XML, or "".
func rootElement(head []byte) string {
	if !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte{'<'}) {
		return ""
	}
	x := newXMLScan(&input{r: bufio.NewReaderSize(bytes.NewReader(head), 16)}, newEnv(Options{}))
	for {
		what, tag, _, err := x.token()
		if err != nil {
			return ""
		}
		if what == xmlStart {
			return tag.name
		}
	}
}
