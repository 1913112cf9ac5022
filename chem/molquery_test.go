package chem

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// drawn2000 returns a MOL block of atoms, by their symbols, and of bonds "from to type"; more follows.
func drawn2000(atoms string, bonds []string, more ...string) string {
	symbols := strings.Fields(atoms)
	var b strings.Builder
	fmt.Fprintf(&b, "query\n  own\n\n%3d%3d  0  0  0  0            999 V2000\n", len(symbols), len(bonds))
	for _, s := range symbols {
		fmt.Fprintf(&b, "    0.0000    0.0000    0.0000 %-3s 0  0\n", s)
	}
	for _, bond := range bonds {
		for _, f := range strings.Fields(bond) {
			fmt.Fprintf(&b, "%3s", f)
		}
		b.WriteByte('\n')
	}
	return b.String() + strings.Join(append(more, "M  END"), "\n") + "\n"
}

// drawn3000 returns one whose atom lines are "type properties…" and bond lines "type from to properties…".
func drawn3000(atoms, bonds []string, more ...string) string {
	lines := []string{"query", "  own", "", "  0  0  0     0  0            999 V3000", "M  V30 BEGIN CTAB",
		fmt.Sprintf("M  V30 COUNTS %d %d 0 0 0", len(atoms), len(bonds)), "M  V30 BEGIN ATOM"}
	for i, a := range atoms {
		symbol, properties, _ := strings.Cut(a, "|")
		lines = append(lines, fmt.Sprintf("M  V30 %d %s 0 0 0 0 %s", len(atoms)-i, symbol, properties))
	}
	lines = append(lines, "M  V30 END ATOM", "M  V30 BEGIN BOND")
	for i, b := range bonds {
		lines = append(lines, fmt.Sprintf("M  V30 %d %s", i+1, b))
	}
	lines = append(append(lines, "M  V30 END BOND"), more...)
	return strings.Join(append(lines, "M  V30 END CTAB", "M  END"), "\n") + "\n"
}

func TestMolSMARTS(t *testing.T) {
	line := []string{"1 2 1", "2 3 1"}
	kekule := []string{"1 2 2", "2 3 1", "3 4 2", "4 5 1", "5 6 2", "6 1 1"}
	for _, c := range []struct {
		block    string
		smarts   string // any if empty
		yes, not string
	}{
		{drawn2000("C L C", []string{"1 2 1", "2 3 8"}, "M  ALS   2  2 F N   O   "), "[#6]-[#7,#8]~[#6]", "CNC COC CN=C", "CCC CSC"},
		{drawn2000("C L C", line, "M  ALS   2  2 T N   O   "), "[#6]-[!#7;!#8]-[#6]", "CCC CSC", "CNC COC"},
		{drawn2000("C L C", line, "  2 F    2   7   8"), "[#6]-[#7,#8]-[#6]", "CNC COC", "CCC"},
		{drawn3000([]string{"C", "[N,O]", "C"}, []string{"1 3 2", "8 2 1"}), "[#6]-[#7,#8]~[#6]", "CNC CN=C", "CCC"},
		{drawn3000([]string{"C", "NOT [N, O]", "C"}, []string{"1 3 2", "1 2 1"}), "[#6]-[!#7;!#8]-[#6]", "CCC", "CNC"},
		{drawn3000([]string{"C", `"NOT[N,O]"`, "C"}, []string{"1 3 2", "1 2 1"}), "[#6]-[!#7;!#8]-[#6]", "CCC", "CNC"},
		{drawn2000("C C C C L C", kekule, "M  ALS   5  2 F C   N   "), "", "c1ccccc1 c1ccncc1", "C1CCCCC1 c1ccoc1"},
		{drawn2000("C C", []string{"1 2 5"}), "[#6]-,=[#6]", "CC C=C", "C#C c1ccccc1"},
		{drawn2000("C C", []string{"1 2 6"}), "[#6]-,:[#6]", "CC c1ccccc1", "C=C"},
		{drawn2000("C C", []string{"1 2 7"}), "[#6]=,:[#6]", "C=C c1ccccc1", "CC"},
		{drawn2000("C C C C C C", []string{"1 2 1", "2 3 2", "3 4 6", "4 5 2", "5 6 1", "6 1 6"}), "",
			"c1ccccc1 C1C=CC=CC1", "C1CCCCC1 C1=CCCCC1"},
		{drawn2000("C C C C O", []string{"1 2 6", "2 3 1", "3 4 6", "4 5 6", "5 1 6"}), "", "c1ccoc1 C1CCOC1", "C1C=CCO1"},
		{drawn2000("C C C C C C", []string{"1 2 7", "2 3 1", "3 4 7", "4 5 1", "5 6 7", "6 1 1"}), "", "c1ccccc1",
			"C1CCCCC1 C1C=CC=CC1"},
		{drawn2000("C C C C C C", []string{"1 2 7", "2 3 1", "3 4 2", "4 5 1", "5 6 1", "6 1 1"}), "", "C1=CC=CCC1",
			"c1ccccc1"},
		{drawn2000("C C C C C C", []string{"1 2 2", "2 3 1", "3 4 2", "4 5 7", "5 6 2", "6 1 1"}), "", "c1ccccc1",
			"C1=CC=CCC1"},
		{drawn2000("C C", []string{"1 2 8"}), "[#6]~[#6]", "C#C", "CO"},
		{drawn2000("C C", []string{"1 2 1 0 0 1"}), "[#6]-;@[#6]", "C1CC1", "CC c1ccccc1"},
		{drawn2000("C C", []string{"1 2 1 0 0 2"}), "[#6]-;!@[#6]", "CC", "C1CC1"},
		{drawn3000([]string{"C", "C"}, []string{"8 1 2 TOPO=1"}), "[#6]~;@[#6]", "c1ccccc1", "CC"},
		{drawn2000("C O", []string{"1 2 1"}, "M  SUB  1   2  -2"), "[#6]-[#8;d1]", "CO", "COC"},
		{drawn2000("C O", []string{"1 2 1"}, "M  SUB  1   1   3"), "[#6;d3]-[#8]", "CC(C)O", "CCO"},
		{drawn2000("C", nil, "M  SUB  1   1  -1"), "[#6;d0]", "C", "CC"},
		{drawn2000("S", nil, "M  SUB  1   1   6"), "[#16;d{6-}]", "FS(F)(F)(F)(F)F", "CS"},
		{drawn2000("C", nil, "M  RBC  1   1   3"), "[#6;x3]", "C1CC2CCC1C2", "C1CC1"},
		{drawn2000("C", nil, "M  RBC  1   1  -1"), "[#6;x0]", "CC1CC1", "C1CC1"},
		{drawn2000("C C C", []string{"1 2 1", "2 3 1", "3 1 1"}, "M  RBC  1   1  -2"), "", "C1CC1", "C12C3C1C32"},
		{drawn2000("C", nil, "M  UNS  1   1   1"), "[#6;$(*=,#,$,:*)]", "C=C c1ccccc1 C#N", "CC"},
		{drawn2000("C N", []string{"1 2 1"}), "[#6]-[#7]", "CN", "C=N"},
		{drawn2000("Q", nil), "[!#6;!#1]", "O CN", "CC"},
		{drawn2000("C X", []string{"1 2 1"}), "", "CCl CF", "CO"},
		{drawn2000("M", nil), "", "[Na+] [Fe]", "CO [Si] P"},
		{drawn2000("C A", []string{"1 2 1"}), "", "CC CO", "C"},
		{drawn2000("C R#", []string{"1 2 1"}), "[#6]-[*]", "CC CO", "C"},
		{drawn2000("N O", []string{"1 2 1"}, "M  CHG  1   1   1"), "[#7;+1]-[#8]", "C[NH2+]O", "CNO"},
		{drawn2000("C", nil, "M  ISO  1   1  13"), "[#6;13]", "[13CH4]", "C"},
		{drawn2000("C N H", []string{"1 2 1", "2 3 1"}), "[#6]-[#7;H{1-}]", "CNC CN", "CN(C)C"},
		{drawn2000("C L H", []string{"1 2 1", "2 3 1"}, "M  ALS   2  2 F N   O   "), "[#6]-[#7,#8;H{1-}]", "CNC CO", "COC"},
		{drawn3000([]string{"C", "N|HCOUNT=2"}, []string{"1 1 2"}), "[#6]-[#7;H{2-}]", "CN", "CNC"},
		{drawn3000([]string{"C", "N|HCOUNT=-1"}, []string{"1 1 2"}), "[#6]-[#7;H0]", "CN(C)C", "CNC"},
		{drawn3000([]string{"C|SUBST=-2 UNSAT=1", "N|RBCNT=-1"}, []string{"2 1 2"}), "", "CN=C", "CC(C)=N C1CN=1"},
		{drawn2000("N Zn", []string{"1 2 9"}), "[#7]->[#30]", "N->[Zn]", "N[Zn] N<-[Zn]"},
		{drawn2000("C C N", []string{"1 2 1"}), "[#6]-[#6].[#7]", "CCN CC.N", "CC"},
		{strings.Replace(drawn2000("N", nil), "N   0  0", "N   0  0  0  3  0  0", 1), "[#7;H{2-}]", "CN", "CNC"},
	} {
		text, err := MolSMARTS([]byte(c.block))
		if err != nil {
			t.Errorf("%v in\n%s", err, c.block)
			continue
		}
		if c.smarts != "" && text != c.smarts {
			t.Errorf("%s, want %s", text, c.smarts)
		}
		for _, smiles := range strings.Fields(c.yes) {
			if _, found := matches(t, text, smiles); !found {
				t.Errorf("%s is not found in %s", text, smiles)
			}
		}
		for _, smiles := range strings.Fields(c.not) {
			if _, found := matches(t, text, smiles); found {
				t.Errorf("%s is found in %s", text, smiles)
			}
		}
	}
}

// TestMolSMARTSThatAreNone: what cannot be part of a pattern is named.
func TestMolSMARTSThatAreNone(t *testing.T) {
	bond := []string{"1 2 1"}
	for block, want := range map[string]string{
		drawn2000("C C", bond, "M  LIN  1   2   4   1   0"):                        "line 8: a link atom",
		drawn2000("C R#", bond, "M  LOG  1   1   0   0"):                           "line 8: the logic of R groups",
		drawn2000("C C", bond, "M  APO  1   1   1"):                                "an attachment point",
		drawn2000("C C", bond, "M  STY  1   1 SRU"):                                "an S-group SRU",
		drawn2000("C C", bond, "M  RAD  1   1   2"):                                "radical electrons",
		drawn2000("C C", bond, "A    2", "Ph"):                                     "the alias of an atom",
		drawn2000("C C", []string{"1 2 10"}):                                       "a hydrogen bond",
		drawn2000("C AH", bond):                                                    "line 6: an atom AH may be a hydrogen",
		drawn2000("C ARY", bond):                                                   "the generic group ARY",
		drawn2000("C L", bond):                                                     "atom 2 is L, but there is no list",
		drawn2000("C L", bond, "M  ALS   2  1 F Xx  "):                             `the list of atom 2 has "Xx"`,
		drawn2000("C L", bond, "M  ALS   2  0 F "):                                 "an empty list",
		drawn2000("C C", bond, "M  SUB  1   1   9"):                                "found the count 9",
		drawn2000("", nil):                                                         "no atoms",
		drawn3000([]string{"C", "C"}, []string{"1 1 2 TOPO=3"}):                    "found the topology 3",
		drawn3000([]string{"C", "C"}, []string{"9 1 2 ENDPTS=(2 1 2) ATTACH=ANY"}): "a bond to several atoms",
		drawn3000([]string{"C", "C|ATTCHPT=1"}, []string{"1 1 2"}):                 "an attachment point",
		drawn3000([]string{"C", "R#|RGROUPS=(1 1)"}, []string{"1 1 2"}, "M  V30 BEGIN RGROUP 1", "M  V30 END RGROUP"): "the members of an R group",
	} {
		_, err := MolSMARTS([]byte(block))
		var format *FormatError
		if !errors.As(err, &format) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s, of\n%s", err, want, block)
		}
	}
}
