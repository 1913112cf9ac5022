package dataset_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
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
	if _, notes := mustRead(t, "t # 0\nv 0 C\n", "a.txt", dataset.Options{Rules: dataset.Rules{Charge: true}}); len(notes) != 1 {
		t.Errorf("no molecule: notes %q", notes)
	}
	// What has no descriptor is noted: cis and trans are the same graph.
	for text, want := range map[string]int{"C[C@H]1CC[C@H](C)CC1": 1, "CC=[C@]=CC": 1, "F/C=C(/F)F": 1, "F/C1=C(/F)CC1": 0, "CC": 0} {
		if _, notes := mustRead(t, text+"\ta\n", "a.smi", dataset.Options{Rules: dataset.Rules{Stereo: true}}); len(notes) != want {
			t.Errorf("%s: notes %q", text, notes)
		}
	}
	// Of the largest fragment, centres and bonds keep their neighbours.
	if got := labelsOf(t, "[Na+].F/C=C/[C@@H](N)C\ta\n", "a.smi", dataset.Rules{Stereo: true, LargestFragment: true}); got != "F C C C(S) N C" {
		t.Error(got)
	}
}

// TestStereoOfBlocks: where stereochemistry is compared, MOL blocks that mark it without coordinates are refused, and
// others are compared by what is drawn.
func TestStereoOfBlocks(t *testing.T) {
	for name, block := range map[string]string{
		"V2000": strings.Replace(ethanolSDF, "  1  2  1  0", "  1  2  1  1", 1),
		"V3000": "\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 COUNTS 2 1 0 0 0\nM  V30 BEGIN ATOM\nM  V30 1 C 0 0 0 0\n" +
			"M  V30 2 O 0 0 0 0\nM  V30 END ATOM\nM  V30 BEGIN BOND\nM  V30 1 1 1 2 CFG=1\nM  V30 END BOND\n" +
			"M  V30 END CTAB\nM  END\n$$$$\n",
	} {
		for _, stereo := range []bool{false, true} {
			if _, _, err := readText(block, "a.sdf", dataset.Options{Rules: dataset.Rules{Stereo: stereo}}); (err != nil) != stereo {
				t.Errorf("%s, stereochemistry compared %v: %v", name, stereo, err)
			}
		}
	}
	stereo := dataset.Options{Rules: dataset.Rules{Stereo: true}}
	if _, notes := mustRead(t, ethanolSDF, "a.sdf", stereo); len(notes) != 0 {
		t.Errorf("notes %q", notes)
	}
	// Bromochlorofluoromethane, seen with H behind: clockwise by rank is R.
	block := "\n\n\n  4  3  0  0  1  0  0  0  0  0999 V2000\n    0.0000    0.0000    0.0000 C   0  0\n" +
		"    0.0000    1.0000    0.0000 Br  0  0\n    0.9000   -0.5000    0.0000 Cl  0  0\n" +
		"   -0.9000   -0.5000    0.0000 F   0  0\n  1  2  1  %d\n  1  3  1  0\n  1  4  1  0\nM  END\n$$$$\n"
	for code, want := range map[int]string{0: "C", 1: "C(R)", 6: "C(S)", 4: "C"} {
		got := labelsOf(t, fmt.Sprintf(block, code), "a.sdf", dataset.Rules{Stereo: true})
		if !slices.Contains(strings.Fields(got), want) {
			t.Errorf("a wedge %d gives %s, want %s", code, got, want)
		}
	}
}

// TestBlocks: MOL blocks are written as they were read, with the id and the attributes of
// the record; without them, and of another graph, they are not.
func TestBlocks(t *testing.T) {
	text := strings.Replace(ethanolSDF, "    0.0000    0.0000    0.0000 O ", "    1.5000   -2.2500    0.1250 O ", 1)
	for _, c := range []struct {
		opt   dataset.Options
		other bool
		keeps bool
	}{{keeps: true, opt: dataset.Options{Blocks: true}}, {}, {opt: dataset.Options{Blocks: true}, other: true}, {opt: dataset.Options{Blocks: true, Rules: dataset.Rules{LargestFragment: true}}}} {
		list, _ := mustRead(t, strings.ReplaceAll(text, "\n", "\r\n")+text, "a.sdf", c.opt)
		var out bytes.Buffer
		w, err := dataset.NewWriter(&out, "sdf")
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range list {
			if c.other {
				rec.SMILES, rec.Block, rec.NodeIDs = "", "", nil
			}
			rec.ID = "new"
			if err := w.Write(rec); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.String(), "    1.5000   -2.2500    0.1250 O "); got != c.keeps || (len(w.Notes()) == 0) != c.keeps {
			t.Errorf("%+v: coordinates are kept: %v; notes %q", c, got, w.Notes())
		}
		back, _ := mustRead(t, out.String(), "b.sdf", dataset.Options{})
		if len(back) != 2 || back[1].ID != "new" || back[1].Attributes["CAS"] != "64-17-5" || drawing(back[0].Graph) != drawing(list[0].Graph) {
			t.Errorf("%+v: read back %+v", c, back)
		}
	}
}

// TestAttributesInGraphML: attributes are written to GraphML and read again. Those that it
// cannot hold, or that come when the keys are written, are named in a note.
func TestAttributesInGraphML(t *testing.T) {
	list, _ := mustRead(t, ethanolSDF+ethanolSDF, "a.sdf", dataset.Options{})
	list[0].Attributes = map[string]any{"weight": 46.07, "a <b> & \"c\"": "x\n<y>", "bad": "\x00"}
	list[1].Attributes = map[string]any{"other": true, "name": "taken"}
	write := func(fillers int) (string, []string) {
		t.Helper()
		var out bytes.Buffer
		w, err := dataset.NewWriter(&out, "graphml")
		if err != nil {
			t.Fatal(err)
		}
		for i := range fillers + 2 {
			rec := list[0]
			rec.SMILES, rec.NodeIDs, rec.Attributes = "", nil, maps.Clone(rec.Attributes)
			switch i {
			case 0:
				rec = list[0]
			case fillers + 1:
				rec = list[1]
			default:
				rec.Attributes = nil
			}
			if err := w.Write(rec); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.String(), dataset.Texts(w.Notes())
	}
	text, notes := write(0)
	back, _ := mustRead(t, text, "b.graphml", dataset.Options{})
	if got := fmt.Sprint(back[0].Attributes, back[1].Attributes); got != fmt.Sprint(map[string]any{"weight": "46.07", "a <b> & \"c\"": "x\n<y>"}, map[string]any{"other": "true", "attribute name": "taken"}) {
		t.Errorf("read back %s", got)
	}
	if back[1].Name != list[1].Name || len(notes) != 1 {
		t.Errorf("the name is %q; notes %q", back[1].Name, notes)
	}
	text, notes = write(3000) // more than a mebibyte
	back, _ = mustRead(t, text, "b.graphml", dataset.Options{})
	if last := back[len(back)-1]; back[0].Attributes["weight"] != "46.07" || len(last.Attributes) != 0 || len(notes) != 3 {
		t.Errorf("read back %v and %v; notes %q", back[0].Attributes, last.Attributes, notes)
	}
}
