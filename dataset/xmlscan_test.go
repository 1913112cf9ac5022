package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// xmlEvents lists what xmlScan reads of a text.
func xmlEvents(r io.Reader) (string, error) {
	x := newXMLScan(&input{r: bufio.NewReader(r)}, newEnv(Options{}))
	var s strings.Builder
	for {
		what, tag, text, err := x.token()
		if err == io.EOF {
			return s.String(), nil
		}
		if err != nil {
			return s.String(), err
		}
		switch what {
		case xmlStart:
			fmt.Fprintf(&s, "<%s>", tag.name)
		case xmlEnd:
			s.WriteString("</>")
		case xmlChars:
			s.Write(text)
		}
	}
}

// TestXMLKept: what is kept of a record is its text, from its start tag to its end tag.
func TestXMLKept(t *testing.T) {
	for _, head := range []string{"", "<?xml version='1.0' encoding='ISO-8859-1'?>"} {
		records := []string{"<a b='c'/>", "<a>\n<b>\xe9</b></a>", "<!-- x --><a>&lt;</a>"}
		x := newXMLScan(&input{r: bufio.NewReader(strings.NewReader(head + "<r>" + strings.Join(records, "") + "</r>"))}, newEnv(Options{MaxRecord: 100}))
		if head == "" {
			records[1] = strings.ReplaceAll(records[1], "\xe9", "e")
			x = newXMLScan(&input{r: bufio.NewReader(strings.NewReader("<r>" + strings.Join(records, "") + "</r>"))}, newEnv(Options{MaxRecord: 100}))
		}
		for x.depth == 0 {
			if _, _, _, err := x.token(); err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range records {
			x.mark()
			what, _, _, err := x.token()
			if err == nil && what == xmlStart {
				err = x.skip()
			}
			if want = strings.ReplaceAll(want, "\xe9", "é"); err != nil || string(x.sinceMark()) != want {
				t.Errorf("kept %q, want %q; %v", x.sinceMark(), want, err)
			}
		}
	}
}

// TestXMLLimits: a text that is not what it should be is an error of a line, before it
// takes more memory than a record may.
func TestXMLLimits(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"long text":   {"<r>\n" + strings.Repeat("x", 2000), "1000"},
		"long name":   {"<r>\n<" + strings.Repeat("x", 2000), "1000"},
		"deep":        {strings.Repeat("<r>", 300), "deep"},
		"attributes":  {"<r" + strings.Repeat(" a='1'", 300) + ">", "attributes"},
		"no end":      {"<r>\n<a>", "unexpected EOF"},
		"other end":   {"<r>\n</a>", "closed by"},
		"entity":      {"<!DOCTYPE r [<!ENTITY b 'c'>]><r>\n&b;</r>", "entity"},
		"control":     {"<r>\n\x01</r>", "illegal character"},
		"encoding":    {"<?xml version='1.0' encoding='EBCDIC'?><r/>", `the encoding "EBCDIC" is not known: convert the file to UTF-8`},
		"version":     {"<?xml version='1.1'?><r/>", "version"},
		"broken file": {"", "it broke"},
	} {
		opt := Options{MaxRecord: 1000}
		if name == "attributes" {
			opt.MaxRecord = 1 << 20
		}
		var r io.Reader = strings.NewReader(c.text)
		if c.text == "" {
			r = iotest.ErrReader(errors.New("it broke"))
		}
		x := newXMLScan(&input{r: bufio.NewReader(r)}, newEnv(opt))
		var err error
		for err == nil {
			_, _, _, err = x.token()
		}
		var at *lineError
		if !strings.Contains(err.Error(), c.want) || !x.broken || errors.As(err, &at) == (c.text == "") || strings.Contains(err.Error(), "xml") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestXMLLines: lines are counted over marks and refills.
func TestXMLLines(t *testing.T) {
	text := "<r>\n" + strings.Repeat("<a\nb='c'/>\n", 100_000) + "</r>"
	x := newXMLScan(&input{r: bufio.NewReader(strings.NewReader(text))}, newEnv(Options{MaxRecord: 1000}))
	line := 2
	for {
		x.mark()
		what, tag, _, err := x.token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if what == xmlStart && tag.name == "a" {
			if line++; x.line() != line {
				t.Fatalf("line %d, want %d", x.line(), line)
			}
			line++
		}
	}
	if line != 200_002 {
		t.Errorf("ended at line %d", line)
	}
}

func TestLatin1(t *testing.T) {
	text := "<?xml version='1.0' encoding='ISO-8859-1'?><a b='\xe9'>" + strings.Repeat("\xe9", 200_000) + "</a>"
	got, err := xmlEvents(strings.NewReader(text))
	if want := "<a>" + strings.Repeat("é", 200_000) + "</>"; err != nil || got != want {
		t.Errorf("read %d bytes, want %d; %v", len(got), len(want), err)
	}
}

// TestXMLQuotes: quotes outside of tags, and one kind within the other, are no values.
func TestXMLQuotes(t *testing.T) {
	many := strings.Repeat(`"`, 1001)
	got, err := xmlEvents(strings.NewReader(`<!DOCTYPE a "` + strings.Repeat("'", 1001) + `"><a><!--` + many + `--><b c="` + strings.Repeat("'", 1001) + `"/>` + many + `<![CDATA[<` + many + `]]></a>`))
	if want := "<a><b></>" + many + "<" + many + "</>"; err != nil || got != want {
		t.Errorf("read %q; %v", got, err)
	}
}
