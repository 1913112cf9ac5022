package dataset

import (
	"io"
	"unicode/utf8"
)

// xmlSource passes an XML stream to its decoder byte by byte and holds what it passed since
// the last mark, up to a limit, which bounds the memory of the decoder.
type xmlSource struct {
	env    *env
	in     io.ByteReader
	held   []byte
	from   int64 // offset of held in the stream, as UTF-8
	limit  int
	line   func() int
	latin1 bool // the bytes of the stream are characters
	second byte // of the UTF-8 of a character that was begun; 0 if there is none

	token  int  // where the token that is read starts in held
	quote  byte // of the value that is read; 0 outside of values
	values int  // of the tag that is read
}

// ReadByte implements [io.ByteReader], without which a decoder would read ahead.
func (s *xmlSource) ReadByte() (byte, error) {
	if len(s.held)%xmlPatience == 0 {
		if err := s.env.ctxErr(); err != nil {
			return 0, err
		}
	}
	if len(s.held) > s.limit {
		return 0, tooLarge(s.limit)
	}
	b := s.second
	s.second = 0
	if b == 0 {
		var err error
		if b, err = s.in.ReadByte(); err != nil {
			return 0, err
		}
		if s.latin1 && b >= utf8.RuneSelf {
			b, s.second = 0xC0|b>>6, 0x80|b&0x3F
		}
	}
	s.held = append(s.held, b)
	if b == '"' || b == '\'' {
		return b, s.quoted(b)
	}
	return b, nil
}

// quoted counts the values in a tag, before a decoder stores them all.
func (s *xmlSource) quoted(b byte) error {
	if tag := s.held[s.token:]; tag[0] != '<' || tag[1] == '!' || tag[1] == '?' {
		return nil
	}
	switch s.quote {
	case 0:
		s.quote = b
		s.values++
	case b:
		s.quote = 0
	}
	if s.values > maxXMLAttrs {
		return errAt(s.line(), "found more than %d attributes in a tag", maxXMLAttrs)
	}
	return nil
}

// xmlPatience is the number of bytes between checks of the context.
const xmlPatience = 64 << 10

// Read makes xmlSource an [io.Reader], which a decoder requires although it calls ReadByte.
func (s *xmlSource) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	b, err := s.ReadByte()
	if err != nil {
		return 0, err
	}
	p[0] = b
	return 1, nil
}

// begin marks the start of a token at an offset of the stream.
func (s *xmlSource) begin(offset int64) {
	s.token, s.quote, s.values = int(offset-s.from), 0, 0
}

// forget discards what lies before an offset of the stream.
func (s *xmlSource) forget(offset int64) {
	n := copy(s.held, s.held[offset-s.from:])
	s.held, s.from = s.held[:n], offset
}
