package dataset

import "bytes"

// instruction skips <? ... ?>.
func (x *xmlScan) instruction() error {
	n := x.src.find("?>", 2)
	if n < 0 {
		return x.cut()
	}
	raw := x.take(n + 2)
	body := raw[2:n]
	name := body[:nameLength(body)]
	if len(name) == 0 {
		return x.syntax("expected a name after <?")
	}
	if string(name) != "xml" {
		return nil
	}
	if version := pseudoAttribute(body, "version"); version != "" && version != "1.0" {
		return x.syntax("version %s is not known, only 1.0", quoted(version))
	}
	return x.src.encoding(pseudoAttribute(body, "encoding"))
}

// pseudoAttribute returns a value in an XML declaration, or "".
func pseudoAttribute(body []byte, name string) string {
	_, rest, ok := bytes.Cut(body, []byte(name+"="))
	if !ok || len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
		return ""
	}
	value, _, ok := bytes.Cut(rest[1:], rest[:1])
	if !ok {
		return ""
	}
	return string(value)
}

// declaration skips a comment or a document type, and returns the text of a CDATA
// section. What a document type declares is not used: entities, with which small files
// become large ones, stay unknown.
func (x *xmlScan) declaration() (chars []byte, section bool, err error) {
	switch {
	case x.src.has(4) && string(x.src.buf[x.src.i:x.src.i+4]) == "<!--":
		return nil, false, x.comment()
	case x.src.has(9) && string(x.src.buf[x.src.i:x.src.i+9]) == "<![CDATA[":
		n := x.src.find("]]>", 9)
		if n < 0 {
			return nil, false, x.cut()
		}
		raw := x.take(n + 3)
		return raw[9:n], true, x.check(raw)
	}
	depth, quote := 0, byte(0)
	for i := 3; ; i++ { // the first byte is no quote, as in encoding/xml
		if !x.src.has(i + 1) {
			return nil, false, x.cut()
		}
		switch c := x.src.at(i); {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '<':
			if x.src.has(i+4) && string(x.src.buf[x.src.i+i:x.src.i+i+4]) == "<!--" {
				n := x.src.find("-->", i+4)
				if n < 0 {
					return nil, false, x.cut()
				}
				i = n + 2
				continue
			}
			depth++
		case c == '>' && depth > 0:
			depth--
		case c == '>':
			x.take(i + 1)
			return nil, false, nil
		}
	}
}

func (x *xmlScan) comment() error {
	n := x.src.find("--", 4)
	if n < 0 || !x.src.has(n+3) {
		return x.cut()
	}
	end := x.src.at(n + 2)
	x.take(n + 3)
	if end != '>' {
		return x.syntax("found -- inside a comment")
	}
	return nil
}
