package dataset_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/dataset"
)

const oneBond = "x\n\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n" +
	"    0.0000    0.0000    0.0000 C   0  0\n    1.5000    0.0000    0.0000 O   0  0\n  1  2  1  0\nM  END\n"

var rdText = "$RDFILE 1\n$DATM    09/30/98 10:41\n$MFMT $MIREG 7\n" + oneBond + "$DTYPE colour\n$DATUM red\nand blue\n$DTYPE note\n$DATUM " +
	"12345678901234567890123456789012345678901234567890123456789012345678901234567890+\nmore\n" +
	"$RFMT $RIREG 8\n$RXN\n\n\n\n  1  1\n$MOL\n" + oneBond + "$MOL\n" + oneBond + "$MFMT\n\n" + strings.TrimPrefix(oneBond, "x\n")

func TestRDFile(t *testing.T) {
	list, notes, err := readText(rdText, "x.dat", dataset.Options{SkipBad: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].ID != "x" || list[0].SMILES != "CO" || list[1].ID != "2" || list[1].Graph.M() != 1 {
		t.Fatalf("%+v", list)
	}
	if c, n := list[0].Attributes["colour"], list[0].Attributes["note"]; c != "red\nand blue" || len(n.(string)) != 84 {
		t.Errorf("attributes %q", list[0].Attributes)
	}
	if !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "1 of 3 records") }) {
		t.Errorf("notes %q", notes)
	}
	_, _, err = readText(rdText, "x.dat", dataset.Options{})
	if err == nil || err.Error() != "x.dat:18: record 1: the record is a reaction: reactions are not supported" {
		t.Errorf("%v", err)
	}
}

// TestReactionsAreRefused takes a reaction for no molecule, whatever the format is said to be.
func TestReactionsAreRefused(t *testing.T) {
	rxn := rdText[strings.Index(rdText, "$RXN"):strings.LastIndex(rdText, "$MFMT")]
	for _, format := range []string{"", "sdf", "rd", "smiles"} {
		_, _, err := readText(rxn, "r.mol", dataset.Options{Format: format})
		if err == nil || !strings.Contains(err.Error(), "reaction") && format != "smiles" && format != "rd" {
			t.Errorf("format %q: %v", format, err)
		}
		if format == "" && !errors.Is(err, dataset.ErrUnknownFormat) {
			t.Errorf("%v is not ErrUnknownFormat", err)
		}
	}
}

// TestMOLNotes has a note for whatever of a MOL file the graph lacks.
func TestMOLNotes(t *testing.T) {
	alias := strings.Replace(oneBond, "M  END", "A    2\nPh\nM  END", 1)
	other := strings.Replace(oneBond, "M  END", "M  XYZ  1\nM  END", 1)
	for text, want := range map[string]string{alias: "aliases", other: "not understood"} {
		_, notes, err := readText(text, "x.mol", dataset.Options{})
		if err != nil || !strings.Contains(strings.Join(notes, "\n"), want) {
			t.Errorf("%v, notes %q, want %q", err, notes, want)
		}
	}
}
