package dataset_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/lab/testing/processor"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// readAllBad reads a text to its end, bad records and all, and returns how many
// records it met.
func readAllBad(text, format string) int {
	r, err := dataset.NewReader(strings.NewReader(text), "text", dataset.Options{Format: format})
	records := 0
	for err == nil {
		if _, err = r.Next(); err != nil && strings.Contains(err.Error(), ": record ") {
			err = nil
		}
		records++
	}
	return records
}

// allocated returns the bytes that are allocated while a text is read.
func allocated(text, format string) (bytes uint64, records int) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	records = readAllBad(text, format)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, records
}

// mayAllocate bounds the bytes that reading molecules allocates, garbage
// included: 50 for each byte read, what a record and its message cost however
// short it is, and, once, buffers and what the longest SMILES takes: a byte of
// one is an atom with a bond.
func mayAllocate(text string, records int) uint64 {
	const perRecord, once, perAtom = 2 << 10, 1 << 20, 300
	return uint64(50*len(text) + perRecord*records + once + perAtom*min(len(text), chem.MaxSMILES))
}

// v3000 writes a MOL block of n atoms with bonds of one type.
func v3000(n int, symbol string, kind int, bonds [][2]int) string {
	var b strings.Builder
	b.WriteString("x\n\n\n  0  0  0     0  0            999 V3000\nM  V30 BEGIN CTAB\nM  V30 BEGIN ATOM\n")
	for i := range n {
		fmt.Fprintf(&b, "M  V30 %d %s 0 0 0 0\n", i+1, symbol)
	}
	b.WriteString("M  V30 END ATOM\nM  V30 BEGIN BOND\n")
	for i, e := range bonds {
		fmt.Fprintf(&b, "M  V30 %d %d %d %d\n", i+1, kind, e[0]+1, e[1]+1)
	}
	b.WriteString("M  V30 END BOND\nM  V30 END CTAB\nM  END\n$$$$\n")
	return b.String()
}

// A hostile text has about n bytes and is in a format.
type hostile struct {
	format string
	text   func(n int) string
}

// repeated returns a text repeated to about n bytes.
func repeated(one string) func(n int) string {
	return func(n int) string { return strings.Repeat(one, n/len(one)+1) }
}

func hostileMolecules() map[string]hostile {
	const wide = 20000
	rings := func() string {
		var b strings.Builder
		for range 2 {
			for i := range 3000 {
				fmt.Fprintf(&b, "C%%(%d)", 10000+i)
			}
		}
		return b.String() + "\n"
	}
	grid := func(k int, every int) (bonds [][2]int) {
		for i := range k {
			for j := range k {
				if j+1 < k {
					bonds = append(bonds, [2]int{i*k + j, i*k + j + 1})
				}
				if i+1 < k && (i+j)%every == 0 {
					bonds = append(bonds, [2]int{i*k + j, i*k + j + k})
				}
			}
		}
		return bonds
	}
	return map[string]hostile{
		"short lines": {"smiles", repeated("C\n")},
		"bad lines":   {"smiles", repeated("(\n")},
		"chains":      {"smiles", repeated(strings.Repeat("C", 60000) + "\n")},
		"branches":    {"smiles", repeated("C" + strings.Repeat("(C", wide) + strings.Repeat(")", wide) + "\n")},
		"stars":       {"smiles", repeated("C" + strings.Repeat("(C)", wide) + "\n")},
		"pieces":      {"smiles", repeated("C" + strings.Repeat(".C", wide) + "\n")},
		"small rings": {"smiles", repeated("C" + strings.Repeat("1CC1", wide/2) + "C\n")},
		"open rings":  {"smiles", repeated(rings())},
		"wide header": {"smiles", func(n int) string { return "smiles" + strings.Repeat(",a", n/4) + "\n" + strings.Repeat("C\n", n/4) }},
		"names of columns": {"smiles", func(n int) string {
			var b strings.Builder
			b.WriteString("smiles")
			for i := 0; b.Len() < n; i++ {
				fmt.Fprintf(&b, ",c%d", i)
			}
			return b.String() + "\nC\n"
		}},
		"names given twice": {"smiles", func(n int) string {
			var b strings.Builder
			b.WriteString("smiles")
			for i := 0; b.Len() < n; i++ {
				fmt.Fprintf(&b, ",c%d,c%[1]d", i)
			}
			return b.String() + "\nC\n"
		}},
		"wide row":              {"smiles", func(n int) string { return "C,a\nC" + strings.Repeat(",", n) + "\n" }},
		"quotes":                {"smiles", func(n int) string { return "C,a\nC," + strings.Repeat(`"",`, n/3) + "\n" }},
		"ends of records":       {"sdf", repeated("$$$$\n")},
		"records of an RD file": {"rd", func(n int) string { return "$RDFILE 1\n" + strings.Repeat("$MFMT\n"+oneBond, n/150) }},
		"data of an RD file": {"rd", func(n int) string {
			return "$RDFILE 1\n$MFMT\n" + oneBond + strings.Repeat("$DTYPE a\n$DATUM 1\n", n/20)
		}},
		"a long datum of an RD file": {"rd", func(n int) string {
			return "$RDFILE 1\n$MFMT\n" + oneBond + "$DTYPE a\n$DATUM " + strings.Repeat("x\n", n/2)
		}},
		"properties": {"sdf", func(n int) string {
			return strings.TrimSuffix(v3000(1, "C", 1, nil), "$$$$\n") + strings.Repeat("> <a>\n1\n\n", n/10)
		}},
		"wheel": {"sdf", func(n int) string {
			k := n / 60
			var bonds [][2]int
			for i := 1; i < k; i++ {
				bonds = append(bonds, [2]int{0, i})
				if i > 1 {
					bonds = append(bonds, [2]int{i - 1, i})
				}
			}
			return v3000(k, "C", 1, bonds)
		}},
		"complete": {"sdf", func(n int) string {
			var bonds [][2]int
			for i := 0; len(bonds) < n/20; i++ {
				for j := range i {
					bonds = append(bonds, [2]int{j, i})
				}
			}
			return v3000(bonds[len(bonds)-1][1]+1, "C", 1, bonds)
		}},
		"a large grid": {"sdf", func(n int) string {
			k := 2
			for k*k*90 < n {
				k++
			}
			return v3000(k*k, "C", 1, grid(k, 1))
		}},
		"small aromatic grids": {"sdf", repeated(v3000(144, "C", 4, grid(12, 2)))},
		"small grids of any":   {"sdf", repeated(v3000(144, "*", 4, grid(12, 1)))},
		"hydrogens": {"sdf", func(n int) string {
			var bonds [][2]int
			for i := 1; i < n/60; i++ {
				bonds = append(bonds, [2]int{0, i})
			}
			return v3000(n/60, "H", 1, bonds)
		}},
	}
}

// TestMoleculesCostWhatTheyAre: memory is in proportion to what is read, and so
// is time: eight times the text takes less than 32 times as long, where it would
// be 64 times if time grew with the square.
func TestMoleculesCostWhatTheyAre(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates more than what is read")
	}
	const times, most = 8, 32
	size := sweep.Trials(60_000)
	for name, h := range hostileMolecules() {
		t.Run(name, func(t *testing.T) {
			small, large := h.text(size), h.text(times*size)
			for _, text := range []string{small, large} {
				if got, records := allocated(text, h.format); got > mayAllocate(text, records) {
					t.Errorf("%d bytes of %d records: %d allocated, %d a byte", len(text), records, got, got/uint64(len(text)))
				}
			}
			if testing.Short() {
				return
			}
			took := func(text string) time.Duration {
				start := processor.Time()
				readAllBad(text, h.format)
				return max(processor.Time()-start, 5*time.Millisecond)
			}
			first, second := took(small), took(large)
			for i := 0; i < 2 && second > most*first; i++ { // caches may have been others'
				first, second = min(first, took(small)), min(second, took(large))
			}
			if second > most*first {
				t.Errorf("%d bytes take %v, %d bytes %v", len(small), first, len(large), second)
			}
		})
	}
}

// FuzzMoleculeCost holds no text of molecules to allocate more than it may.
func FuzzMoleculeCost(f *testing.F) {
	for _, h := range hostileMolecules() {
		const most = 2000 // the fuzzer repeats what is worth it
		text := h.text(most)
		f.Add(text[:min(len(text), most)], h.format)
	}
	f.Add("smiles,id,activity\nCCO,a,7\n", "smiles")
	f.Fuzz(func(t *testing.T, text, format string) {
		switch format {
		case "smiles", "sdf":
		default:
			return
		}
		if got, records := allocated(text, format); got > mayAllocate(text, records) {
			t.Errorf("%d bytes of %d records: %d allocated", len(text), records, got)
		}
	})
}
