package truth

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReadJSON(t *testing.T) {
	ids := []string{"7", "a", "9"}
	path := filepath.Join(t.TempDir(), "pairs.json")
	if err := os.WriteFile(path, []byte(" [[7, \"a\", 3.0, 1, 1, 1, [[0, 1]]],\n [9, 7, 0]]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFile(path, ids, ids)
	if want := []Pair{{0, 1, 3, 3}, {2, 0, 0, 0}}; err != nil || !slices.Equal(got.Pairs, want) {
		t.Errorf("read %v, %v, want %v", got, err, want)
	}
	for text, want := range map[string]string{
		`{}`:                       "x: expected a list of pairs",
		`[[7, 9]]`:                 "x: pair 0: 2 members",
		`[[7, 9, 1], [8, 9, 1]]`:   "x: pair 1: ",
		`[[7, 9, -1]]`:             `x: pair 0: "-1" is not a distance`,
		`[[7, 9, null]]`:           `x: pair 0: "null" is not a distance`,
		`[[7, 9, 1]`:               "x: pair 1: ",
		`[[7, 9, 1], 3]`:           "x: pair 1: ",
		`[[7, 9, 1e999]]`:          "x: pair 0: ",
		`[["7", "9", ` + "\"1\"]]": "x: pair 0: ",
	} {
		if _, err := ReadJSON(strings.NewReader(text), "x", ids, ids); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", text, err, want)
		}
	}
	if math.IsInf(got.Pairs[0].Upper, 1) {
		t.Error("a distance was read as a bound")
	}
}
