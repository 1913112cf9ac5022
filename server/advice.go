package server

import "strings"

// withoutFlags takes from what a reader says the advice that names flags of the
// command line, which a client does not have: what is in parentheses, or the last
// clause.
func withoutFlags(text string) string {
	for {
		at := flagIn(text)
		if at < 0 {
			return text
		}
		open := strings.LastIndex(text[:at], " (")
		end := strings.IndexByte(text[at:], ')')
		if open >= 0 && end >= 0 && !strings.Contains(text[open:at], ")") {
			text = text[:open] + text[at+end+1:]
			continue
		}
		return text[:max(0, strings.LastIndex(text[:at], "; "), strings.LastIndex(text[:at], ": "))]
	}
}

// flagIn returns where a text names a flag that readers advise, or -1.
func flagIn(text string) int {
	for _, name := range []string{"--from", "--simplify", "--directed", "--max-record", "--data-dir", "--header", "--smiles-column", "--id-column", "--delimiter", "--bin", "--node-label", "--edge-label"} {
		if at := strings.Index(text, name); at >= 0 {
			return at
		}
	}
	return -1
}
