package chem

import (
	"errors"
	"fmt"
	"strings"
)

// ErrSMARTS means that a text is a SMARTS pattern and not SMILES.
var ErrSMARTS = errors.New("this is a SMARTS pattern; in SMILES, * is any atom and ~ is any bond")

// SyntaxError says where and why a SMILES cannot be read.
type SyntaxError struct {
	// Column counts bytes from 1.
	Column int
	// Message says what was found and what was expected.
	Message string
	// Err is [ErrSMARTS] or nil.
	Err error
}

func (e *SyntaxError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("column %d: %s: %v", e.Column, e.Message, e.Err)
	}
	return fmt.Sprintf("column %d: %s", e.Column, e.Message)
}

// Unwrap returns the sentinel that the error wraps, or nil.
func (e *SyntaxError) Unwrap() error { return e.Err }

// fail returns an error at byte offset i. If the text is a SMARTS pattern with a feature that only these
// have, the error says so.
func (p *Parser) fail(i int, format string, args ...any) error {
	e := &SyntaxError{Column: i + 1, Message: fmt.Sprintf(format, args...)}
	if text := string(p.text); looksLikeSMARTS(text) && readsAsSMARTS(text) {
		e.Err = ErrSMARTS
	}
	return e
}

// readsAsSMARTS reports whether a text is a SMARTS pattern: names, such as aspirin, have its letters.
func readsAsSMARTS(text string) bool {
	_, err := ParseSMARTS(text)
	return err == nil
}

// found describes the byte at offset i for an error message.
func (p *Parser) found(i int) string {
	switch {
	case i >= len(p.text):
		return "the end"
	case p.text[i] >= 0x7f || p.text[i] < ' ':
		return fmt.Sprintf("byte 0x%02x", p.text[i])
	}
	return fmt.Sprintf("%q", p.text[i])
}

// looksLikeSMARTS reports whether s has a feature of SMARTS that SMILES lacks. It is called
// only for texts that are not SMILES.
func looksLikeSMARTS(s string) bool {
	if strings.ContainsAny(s, "&;!,") || strings.Contains(s, "$(") || strings.Contains(s, "[#") {
		return true
	}
	inside := false
	for i := 0; i < len(s); i++ {
		next := byte(0)
		if i+1 < len(s) {
			next = s[i+1]
		}
		digit := next >= '0' && next <= '9'
		switch c := s[i]; {
		case c == '[':
			inside = true
			if strings.HasPrefix(s[i:], "[a]") || strings.HasPrefix(s[i:], "[A]") {
				return true
			}
		case c == ']':
			inside = false
		case inside && (c == 'D' || c == 'R' || c == 'X') && (digit || next == ']'),
			inside && (c == 'r' || c == 'v' || c == 'x' || c == '^') && digit:
			return true
		case !inside && (c == '@' || c == 'A' || c == 'a'):
			return true
		}
	}
	return false
}
