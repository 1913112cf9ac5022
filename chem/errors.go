package chem

import (
	"errors"
	"fmt"
	"strings"
)

// ErrSMARTS is wrapped by the error for a text that is a SMARTS pattern and not
// SMILES.
var ErrSMARTS = errors.New("SMARTS patterns are not supported: use * for any atom, ~ for any bond, or a search by subgraph edit distance, which forgives differences")

// SyntaxError tells where a SMILES cannot be read, and why.
type SyntaxError struct {
	// Column counts bytes from 1.
	Column int
	// Message tells what was found and what was expected.
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

// fail makes the error at byte offset i. If the text holds what only SMARTS
// has, the error says so.
func (p *Parser) fail(i int, format string, args ...any) error {
	e := &SyntaxError{Column: i + 1, Message: fmt.Sprintf(format, args...)}
	if looksLikeSMARTS(string(p.text)) {
		e.Err = ErrSMARTS
	}
	return e
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

// looksLikeSMARTS tells whether s has a feature that SMARTS has and SMILES
// lacks. It is asked only of texts that failed as SMILES.
func looksLikeSMARTS(s string) bool {
	if strings.ContainsAny(s, "&;!,") || strings.Contains(s, "$(") || strings.Contains(s, "[#") {
		return true
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '[':
			depth++
			if smartsPrimitive(s[i+1:]) {
				return true
			}
		case c == ']':
			depth--
		case depth > 0:
		case c == '@', c == 'A', c == 'a' && !strings.HasPrefix(s[i:], "as"):
			return true
		}
	}
	return false
}

// smartsPrimitive tells whether the inside of a bracket begins with an atomic
// primitive of SMARTS: degree, ring or valence counts, or any (non-)aromatic
// atom.
func smartsPrimitive(s string) bool {
	if s == "" || !strings.ContainsRune("DRXAHvxrah^*", rune(s[0])) {
		return false
	}
	rest := strings.TrimLeft(s[1:], "0123456789")
	if rest == "" || rest[0] != ']' {
		return false
	}
	switch s[0] {
	case 'H', '*':
		return false
	}
	return true
}
