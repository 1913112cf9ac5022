package space

import (
	"strings"
	"testing"
)

// TestJoinedTextIsTheSameMolecule joins a bromine to a synthon, wherever its attachment point stands, and compares
// with the SMILES that has the bromine in its place.
func TestJoinedTextIsTheSameMolecule(t *testing.T) {
	for _, s := range []string{
		"[1*]C", "C[1*]", "C([1*])C", "CC(=O)[1*]", "[1*]c1ccccc1", "c1([1*])ccccc1", "c1cc([1*])ncc1", "[1*]n1cccc1",
		"[1*][C@H](C)O", "[1*][C@@H](C)O", "[1*][C@](C)(N)O", "C[C@H]([1*])O", "C[C@@H](O)[1*]", "C[C@](N)(O)[1*]",
		"[C@H]([1*])(C)O", "[C@]([1*])(C)(N)O", "[C@@H](C)([1*])O", "O[C@H]1CCC[C@@H]1[1*]", "O[C@]1([1*])CC[C@@H]1N",
		"C1CC[C@@]1([1*])O", "[1*][C@]1(O)CC[C@H]1F", "[1*]/C=C/C", "[1*]/C=C\\C", "C/C=C/[1*]", "C/C=C(/[1*])C", "C(/[1*])=C/C",
		"CC.O[1*]", "[1*]C.O", "[1*]C%12CC%12", "[13CH3][1*]", "C[N+](C)(C)C[1*]", "[1*][2H]", "[1*]OC(*)C",
	} {
		space := parse(t, "smiles,synthon_id,position,reaction_id\n"+s+",a,1,r\n[1*]Br,b,2,r\n")
		for p := range products(&space.Reactions[0]) {
			got, want := canonical(t, NewMaker(space.vocab).Text(p)), canonical(t, strings.ReplaceAll(s, "[1*]", "Br"))
			if got != want {
				t.Errorf("%s: %s, want %s", s, got, want)
			}
		}
	}
}

// TestRingsCloseBetweenComponents joins two components at two points, with atoms that are aromatic only then.
func TestRingsCloseBetweenComponents(t *testing.T) {
	for _, c := range []struct{ a, b, want string }{
		{"[1*]CCC[2*]", "[1*]CC[2*]", "C1CCCC1"},
		{"[1*]=CC=CC[2*]", "[1*]=CC[2*]", "C1=CC=CCC1"},
		{"[1*]C=CC=C[2*]", "[1*]C=C[2*]", "c1ccccc1"},
		{"[1*]cccc[2*]", "[1*]cc[2*]", "c1ccccc1"},
		{"[1*]c1ccccc1[2*]", "[1*]cncc[2*]", "c1ccc2cnccc2c1"},
		{"[U]c1ccccc1[Np]", "[U]NC(=O)[Np]", "O=C1Nc2ccccc21"},
		{"[1*]#CC[2*]", "[1*]#CCCCCCCCC[2*]", "C1#CCCCCCCCCC1"},
	} {
		space := parse(t, "SMILES\tsynton_id\tsynton#\treaction_id\n"+c.a+"\ta\t1\tr\n"+c.b+"\tb\t2\tr\n")
		m := NewMaker(space.vocab)
		for p := range products(&space.Reactions[0]) {
			if got, want := canonical(t, m.Text(p)), canonical(t, c.want); got != want {
				t.Errorf("%s and %s: %s, want %s", c.a, c.b, got, want)
			}
			checkParts(t, m, p)
		}
	}
}

// TestHydrogenIsASynthon: a component that is a hydrogen leaves no atom.
func TestHydrogenIsASynthon(t *testing.T) {
	space := parse(t, "SMILES synton_id synton# reaction_id\nc1ccccc1[1*] a 1 r\nCO[1*] b 1 r\n[1*][H] c 2 r\n")
	m := NewMaker(space.vocab)
	var got []string
	for p := range products(&space.Reactions[0]) {
		text, _, _ := strings.Cut(canonical(t, m.Text(p)), " ")
		got = append(got, text)
		checkParts(t, m, p)
	}
	if strings.Join(got, " ") != "c1ccccc1 OC" {
		t.Errorf("got %q", got)
	}
}

func TestReadErrors(t *testing.T) {
	const head = "SMILES\tsynton_id\tsynton#\treaction_id\n"
	for _, c := range []struct{ text, want string }{
		{"", "s.txt:1: found no header of a synthon space, expected columns SMILES, synton_id, synton# and reaction_id"},
		{"CCO ethanol\n", "s.txt:1: found no header"},
		{head, "s.txt:1: found no synthons"},
		{head + "C[1*]\ta\t1\n", "s.txt:2: found 3 fields, expected 4"},
		{head + "C[1*]\ta\tx\tr\n", `s.txt:2: found "x" as number of a component`},
		{head + "CC\ta\t1\tr\nC[1*]\tb\t2\tr\n", "s.txt:2: found no attachment point"},
		{head + "C([1*])C[1*]\ta\t1\tr\n", "s.txt:2: the attachment point [1*] twice"},
		{head + "C[12*]\ta\t1\tr\n", "s.txt:2: the attachment point [12*]: expected numbers from 1 to 9"},
		{head + "C[1*]C\ta\t1\tr\n", "s.txt:2: the attachment point [1*] of column 2: expected one bond"},
		{head + "C[1*]\ta\t1\tr\nC[2*]\tb\t1\tr\n", "s.txt:3: synthon b has other attachment points than a"},
		{head + "C[1*]\ta\t1\tr\nC[1*]\tb\t2\tr\nC[1*]\tc\t3\tr\n", "s.txt:4: attachment point 1 of reaction r is in 3 components, expected two"},
		{head + "C[1*]\ta\t1\tr\nC=[1*]\tb\t2\tr\n", `s.txt:3: the bond to attachment point 1 is '=' in synthon b and '-' in a`},
		{head + "C(C[1*]\ta\t1\tr\nC[1*]\tb\t2\tr\n", "s.txt:2: synthon a: C(C[1*]: "},
		{head + "c1cc1[1*]\ta\t1\tr\nC[1*]\tb\t2\tr\n", "s.txt:2: synthon a: c1cc1[1*]: "},
		{head + "C[1*]\ta\t1\tr\nC[1*]\tb\t2\tr\nC[2*]\tc\t3\tr\nC[2*]\td\t4\tr\nC[2*]\te\t5\tr\n", "s.txt:6: reaction r has more than 4"},
		{head + strings.Repeat("C", 1<<14) + "[1*]\ta\t1\tr\n", "s.txt:2: the SMILES has 16388 bytes, at most 16384 are supported"},
		{head + "C[1\ta\t1\tr\n", "s.txt:2: the bracket of column 2 is not closed"},
	} {
		_, err := Read(t.Context(), strings.NewReader(c.text), "s.txt")
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// FuzzTemplate: a synthon is refused, or its joined text is read as what it was written as.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"[1*]C", "C[C@H]([1*])O", "[1*]c1ccccc1[2*]", "C/C=C(/[1*])C", "[H][1*]", "C1.[1*]C1", "(", "[", "%(1", "[1*](C)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsAny(s, ", \t\r\n\"") {
			return
		}
		space, err := Read(t.Context(), strings.NewReader("smiles,synthon_id,position,reaction_id\n"+s+",a,1,r\n[1*]Br,b,2,r\n"), "s")
		if err != nil || len(space.Reactions[0].Open) > 0 {
			return
		}
		for p := range products(&space.Reactions[0]) {
			m := NewMaker(space.vocab)
			if _, err := m.Graph(p); err == nil {
				checkParts(t, m, p)
			}
		}
	})
}
