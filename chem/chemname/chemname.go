// Package chemname gives the structures of common drugs and reagents by name, synonym and CAS number.
// The table is made by testdata/make.py, which says where it is from; NOTICE has the licences.
package chemname

import (
	"archive/zip"
	"bufio"
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/internal/levenshtein"
)

// table holds two kinds of files. In keys/C are the keys that begin with C, or in keys/0 with what is no
// letter: one a line, with the number of its compound. Compound number i is line i mod 64 of
// compounds/(i div 64): a SMILES, a CAS number or nothing, and the name. So a look-up inflates two small files.
//
//go:embed names.zip
var table []byte

// block is how many compounds a file holds.
const block = 64

// Compound is a structure that has a name.
type Compound struct {
	Name   string
	CAS    string // empty if it is not known
	SMILES string // with stereochemistry
}

// String is the name, with the CAS number.
func (c *Compound) String() string {
	if c.CAS == "" {
		return c.Name
	}
	return c.Name + ", CAS " + c.CAS
}

// Find returns what a text names: capitals, blanks, hyphens and apostrophes do not count. It is false if no
// compound has that name.
func Find(text string) (Compound, bool) {
	key := fold(text)
	if key == "" {
		return Compound{}, false
	}
	r := open()
	at, found := 0, false
	read(r, fileOf(key), func(line string) bool {
		k, n, _ := strings.Cut(line, "\t")
		if found = k == key; found {
			at = number(n)
		}
		return !found
	})
	if !found {
		return Compound{}, false
	}
	return compound(r, at), true
}

// ErrUnknown means that a text looks like the name of a compound, but no compound is known by it.
var ErrUnknown = errors.New("is no SMILES and no name that is known here")

// Resolve returns what a text names that could not be read as a SMILES, for the reason why. The error wraps
// [ErrUnknown] if it looks like a name and is not known, and is why if it does not look like one. It says where the
// text ceases to be a SMILES, but does not call it a SMARTS, as the letters of a name may be.
func Resolve(text string, why error) (Compound, error) {
	if !Plausible(text) {
		return Compound{}, why
	}
	if c, known := Find(text); known {
		return c, nil
	}
	hint := ""
	if near := Near(text); near != "" {
		hint = ": is it " + near + "?"
	}
	if bad, ok := errors.AsType[*chem.SyntaxError](why); ok && bad.Err == nil {
		hint += " (as a SMILES, column " + strconv.Itoa(bad.Column) + ": " + bad.Message + ")"
	}
	return Compound{}, fmt.Errorf("%q %w%s", shortened(text), ErrUnknown, hint)
}

// Remark says what a text was read as.
func (c *Compound) Remark(text string) string {
	return fmt.Sprintf("%q is read as %s: %s", shortened(text), c, c.SMILES)
}

// shortened is a text as messages have it.
func shortened(text string) string {
	const most = 60
	if text = strings.TrimSpace(text); len(text) > most {
		text = text[:most] + "..."
	}
	return text
}

// Near returns a name that differs from a text in one letter, or in two if the text is long, and begins alike;
// "" if there is none.
func Near(text string) string {
	key := fold(text)
	if len(key) < 5 || len(key) > 64 {
		return ""
	}
	within := 1
	if len(key) > 8 {
		within = 2
	}
	r := open()
	best, at := within+1, -1
	read(r, fileOf(key), func(line string) bool {
		k, n, _ := strings.Cut(line, "\t")
		if d := levenshtein.Distance(key, k, best); d < best {
			best, at = d, number(n)
		}
		return best > 1
	})
	if at < 0 {
		return ""
	}
	return compound(r, at).Name
}

// Plausible reports whether a text that is no SMILES may be a name: it has a letter that no SMILES has outside
// brackets, or is a CAS number, and no sign of a SMILES or a SMARTS that names lack.
func Plausible(text string) bool {
	text = strings.TrimSpace(text)
	if isCAS(text) {
		return true
	}
	letters, foreign := 0, false
	for i, c := range text {
		switch {
		case c >= 0x80, c >= '0' && c <= '9', strings.ContainsRune(" -,.'()+/", c) && i > 0, c == '(':
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			letters++
			foreign = foreign || !strings.ContainsRune("BCNOPSFIbcnops", c)
		default:
			return false
		}
	}
	return letters >= 3 && foreign
}

// isCAS reports whether a text has the form of a CAS number, such as 50-78-2.
func isCAS(text string) bool {
	a, rest, _ := strings.Cut(text, "-")
	b, c, _ := strings.Cut(rest, "-")
	if len(a) < 2 || len(a) > 7 || len(b) != 2 || len(c) != 1 {
		return false
	}
	_, err := strconv.ParseUint(a+b+c, 10, 64)
	return err == nil
}

// fold returns the key of a name.
func fold(name string) string {
	return strings.Map(func(c rune) rune {
		switch c {
		case ' ', '\t', '-', '\'', '_', '’', '‐', '–':
			return -1
		}
		return c
	}, strings.ToLower(name))
}

// fileOf is the file of a key.
func fileOf(key string) string {
	if c := key[0]; c >= 'a' && c <= 'z' {
		return "keys/" + key[:1]
	}
	return "keys/0"
}

func open() *zip.Reader {
	r, err := zip.NewReader(bytes.NewReader(table), int64(len(table)))
	if err != nil {
		panic("chemname: " + err.Error()) // it is part of the program
	}
	return r
}

// read calls each with the lines of a file until it returns false.
func read(r *zip.Reader, file string, each func(line string) bool) {
	f, err := r.Open(file)
	if err != nil {
		panic("chemname: " + err.Error())
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if !each(lines.Text()) {
			return
		}
	}
}

// number reads the number of a compound.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic("chemname: " + err.Error())
	}
	return n
}

// folder is the file of a compound.
func folder(number int) string { return fmt.Sprintf("compounds/%d", number/block) }

func compound(r *zip.Reader, number int) (c Compound) {
	at := number % block
	read(r, folder(number), func(line string) bool {
		if at == 0 {
			fields := strings.Split(line, "\t")
			c = Compound{SMILES: fields[0], CAS: fields[1], Name: fields[2]}
		}
		at--
		return at >= 0
	})
	return c
}
