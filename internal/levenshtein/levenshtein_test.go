package levenshtein

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"id", "logS", "logP", "Standard Value", "y"}
	for text, want := range map[string]string{
		"LOGP": "logP", "log_P": "logP", "logs": "logS", "logD": "logS", "standard_value": "Standard Value",
		"standard": "", "lgoS": "logS", "z": "", "Y": "y", "is": "", "": "", "solubility": "",
	} {
		if got := Nearest(text, names); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 9, 0}, {"", "abc", 9, 3}, {"kitten", "sitting", 9, 3}, {"aspirin", "asprin", 9, 1}, {"ab", "ba", 9, 1},
		{"label", "lable", 9, 1}, {"weight", "wiehgt", 9, 2}, {"abcd", "badc", 9, 2}, {"abcd", "badc", 2, 2},
		{"kitten", "sitting", 3, 3}, {"kitten", "sitting", 2, 2}, {"abcd", "", 2, 2}, {"same", "same", 1, 0},
		{"abcdefgh", "hgfedcba", 4, 4},
	} {
		for _, x := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
			if got := Distance(x[0], x[1], c.limit); got != c.want {
				t.Errorf("%q, %q below %d: %d, want %d", x[0], x[1], c.limit, got, c.want)
			}
		}
	}
}
