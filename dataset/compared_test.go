package dataset_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// TestCompared: what is compared is in the labels; the rules survive as JSON; molecules are
// written as they were, whatever is compared; and only what is dropped is noted.
func TestCompared(t *testing.T) {
	const text = "[13CH3][C@H]([NH3+])C(=O)[O-]\ta\n"
	for want, rules := range map[string]dataset.Rules{
		"C C N C O O":             {},
		"C C N+ C O O-":           {Charge: true},
		"13C C N C O O":           {Isotope: true},
		"CH3 CH NH3 C O O":        {Hydrogens: true},
		"C C(S) N C O O":          {Stereo: true},
		"13CH3 CH(S) NH3+ C O O-": {Charge: true, Isotope: true, Hydrogens: true, Stereo: true},
	} {
		if got := labelsOf(t, text, "a.smi", rules); got != want {
			t.Errorf("%s: %s, want %s", rules, got, want)
		}
		if rules.Plain() != (rules.String() == "") {
			t.Errorf("%s: plain %v", rules, rules.Plain())
		}
		var back dataset.Rules
		if data, err := json.Marshal(rules); err != nil || json.Unmarshal(data, &back) != nil || !back.Equal(rules) {
			t.Errorf("%s: back %s (%v)", rules, back, err)
		}
		list, notes := mustRead(t, text, "a.smi", dataset.Options{Rules: rules})
		dropped := 0
		for _, c := range []bool{rules.Isotope, rules.Stereo} {
			if !c {
				dropped++
			}
		}
		if len(notes) != dropped {
			t.Errorf("%s: notes %q", rules, notes)
		}
		var out bytes.Buffer
		w, err := dataset.NewWriter(&out, "smiles")
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(list[0]); err != nil {
			t.Errorf("%s: %v", rules, err)
		}
		if err := w.Close(); err != nil || out.String() != text {
			t.Errorf("%s: written %q (%v)", rules, out.String(), err)
		}
	}
	for _, rules := range []dataset.Rules{{Isotope: true}, {Hydrogens: true}, {Stereo: true}} {
		if rules.Equal(dataset.Rules{}) {
			t.Errorf("%s equals none", rules)
		}
	}
	// Of the largest fragment, centres and bonds keep their neighbours.
	if got := labelsOf(t, "[Na+].F/C=C/[C@@H](N)C\ta\n", "a.smi", dataset.Rules{Stereo: true, LargestFragment: true}); got != "F C C C(S) N C" {
		t.Error(got)
	}
}
