package dataset

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// xmlEvents lists what xmlScan reads of a text, names without their prefixes.
func xmlEvents(r io.Reader) (string, error) {
	x := newXMLScan(&input{r: bufio.NewReader(r)}, newEnv(Options{}))
	var s, chars strings.Builder
	for {
		what, tag, text, err := x.token()
		if what != xmlChars || err != nil {
			fmt.Fprintf(&s, "%q", chars.String())
			chars.Reset()
		}
		if err == io.EOF {
			return s.String(), nil
		}
		if err != nil {
			return s.String(), err
		}
		switch what {
		case xmlStart:
			fmt.Fprintf(&s, "<%s", tag.name)
			for _, a := range tag.attrs {
				fmt.Fprintf(&s, " %s=%q", a.name, a.value)
			}
			s.WriteString(">")
		case xmlEnd:
			s.WriteString("</>")
		case xmlChars:
			if len(x.open) > 0 {
				chars.Write(text)
			}
		}
	}
}

// xmlReference does the same by package encoding/xml.
func xmlReference(text []byte) (string, error) {
	dec := xml.NewDecoder(bytes.NewReader(text))
	dec.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	var s, chars strings.Builder
	depth := 0
	for {
		tok, err := dec.Token()
		if _, ok := tok.(xml.CharData); !ok || err != nil {
			switch tok.(type) {
			case xml.StartElement, xml.EndElement, nil:
				fmt.Fprintf(&s, "%q", chars.String())
				chars.Reset()
			}
		}
		if err == io.EOF {
			return s.String(), nil
		}
		if err != nil {
			return s.String(), err
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			depth++
			fmt.Fprintf(&s, "<%s", tok.Name.Local)
			for _, a := range tok.Attr {
				if a.Name.Space != "xmlns" && a.Name != (xml.Name{Local: "xmlns"}) {
					fmt.Fprintf(&s, " %s=%q", a.Name.Local, a.Value)
				}
			}
			s.WriteString(">")
		case xml.EndElement:
			depth--
			s.WriteString("</>")
		case xml.CharData:
			if depth > 0 {
				chars.Write(tok)
			}
		}
	}
}

var xmlTexts = []string{
	`<a/>`, `<a></a>`, `<a b="c"/>`, `<a b='c' d = "e"  >f</a >`, `<x:a x:b="c" xmlns:x="y" xmlns="z"><x:d/></x:a>`,
	`<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE a [<!ENTITY b "c"><!-- > " -->]><a>&lt;&amp;&#65;&#x42;</a>`,
	`<a><![CDATA[<b>]] &amp;]]></a>`, `<a><!-- b - c --><?d e?>f</a>`, "<a>\r\nb\rc</a>", "<a b=\"\r\n\"/>", `<a>b<c>d</c>e</a>`,
	`<a`, `<a b`, `<a b=`, `<a b=c/>`, `<a b="<"/>`, `<a>`, `</a>`, `<a></b>`, `<a>&b;</a>`, `<a>& b</a>`, `<a>&#0;</a>`, "<a>\x01</a>", "<a>\xff</a>",
	`<a><!-- -- --></a>`, `<a>]]></a>`, `<a/><b/>`, `text`, `<a/>text`, `<1a/>`, `< a/>`, `<a b="c"d="e"/>`, `<a / >`, `<é/>`, `<a:/>`, `<:a/>`, `<a b="1" b="2"/>`,
	`<!"b>`, `<x:a A:xmlns=""></x:a>`,
	`<?xml version="1.1"?><a/>`, `<?xml?><a/>`, `<!a "<"><a/>`, `<!a <b> <c "d>">><a/>`, `<a>&amp</a>`, `<a b="&quot;&apos;&gt;"/>`, `<a/`, `<!-`, `<![CDATA[`, `<?a`,
}

// checkXML compares the two where both read a text, and wants xmlScan to read
// what encoding/xml reads.
func checkXML(t *testing.T, text []byte) {
	want, wantErr := xmlReference(text)
	got, err := xmlEvents(bytes.NewReader(text))
	if err == nil && wantErr == nil && got != want {
		t.Fatalf("%q: read   %s\nwanted %s", text, got, want)
	}
	if err != nil && wantErr == nil && !strings.Contains(err.Error(), "more than") {
		t.Fatalf("%q: error %v, encoding/xml reads %s", text, err, want)
	}
	again, againErr := xmlEvents(iotest.OneByteReader(bytes.NewReader(text)))
	if again != got || fmt.Sprint(againErr) != fmt.Sprint(err) {
		t.Fatalf("%q: byte by byte %s %v, at once %s %v", text, again, againErr, got, err)
	}
}

func TestXMLScan(t *testing.T) {
	for _, text := range xmlTexts {
		checkXML(t, []byte(text))
		_, wantErr := xmlReference([]byte(text))
		if _, err := xmlEvents(strings.NewReader(text)); (err == nil) != (wantErr == nil) {
			t.Errorf("%q: error %v, encoding/xml has %v", text, err, wantErr)
		}
	}
}

// FuzzXMLScan holds xmlScan to package encoding/xml.
func FuzzXMLScan(f *testing.F) {
	for _, text := range xmlTexts {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !bytes.Contains(bytes.ToLower(text), []byte("encoding")) {
			checkXML(t, text)
		}
	})
}

// TestXMLLines: lines are counted over marks and refills.
func TestXMLLines(t *testing.T) {
	text := "<r>\n" + strings.Repeat("<a\nb='c'/>\n", 100_000) + "</r>"
	x := newXMLScan(&input{r: bufio.NewReader(strings.NewReader(text))}, newEnv(Options{MaxRecord: 1000}))
	line := 2
	for {
		x.src.mark()
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
	if want := `""<a b="é">"` + strings.Repeat("é", 200_000) + `"</>""`; err != nil || got != want {
		t.Errorf("read %d bytes, want %d; %v", len(got), len(want), err)
	}
}
