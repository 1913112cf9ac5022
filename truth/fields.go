package truth

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/edit"
)

// FormatNumber returns the shortest text that reads back as x.
func FormatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// FormatMap returns a node map as query:target pairs of node numbers with "-"
// where a query node is deleted, as in "0:3,1:-".
func FormatMap(m edit.NodeMap) string {
	var out []byte
	for v, w := range m {
		if v > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, int64(v), 10)
		out = append(out, ':')
		if w == edit.Deleted {
			out = append(out, '-')
		} else {
			out = strconv.AppendInt(out, int64(w), 10)
		}
	}
	return string(out)
}

// ParseMap reads what [FormatMap] wrote: query nodes in order from 0.
func ParseMap(text string) (edit.NodeMap, error) {
	m := edit.NodeMap{}
	if text == "" {
		return m, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		v, w, ok := strings.Cut(part, ":")
		if n, err := strconv.Atoi(v); !ok || err != nil || n != len(m) {
			return nil, fmt.Errorf("node map has %q where %q is expected", part, fmt.Sprintf("%d:target", len(m)))
		}
		if w == "-" {
			m = append(m, edit.Deleted)
			continue
		}
		n, err := strconv.ParseInt(w, 10, 32)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("node map sends %d to %q, want a node number or -", len(m), w)
		}
		m = append(m, int(n))
	}
	return m, nil
}

// EscapeTSV returns a field for a line of tab-separated values: tab, line feed,
// carriage return and backslash become \t, \n, \r and \\.
func EscapeTSV(s string) string {
	if !strings.ContainsAny(s, "\t\n\r\\") {
		return s
	}
	return strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`).Replace(s)
}

func unescapeTSV(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return strings.NewReplacer(`\\`, "\\", `\t`, "\t", `\n`, "\n", `\r`, "\r").Replace(s)
}
