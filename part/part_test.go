package part_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/part"
	"github.com/greedgraph/greed/truth"
	"github.com/greedgraph/greed/truth/parquetfile"
)

func TestSharesAreAPartition(t *testing.T) {
	for of := range 9 {
		for n := range 200 {
			var all []int
			for i := range of {
				all = append(all, part.Share{Part: i + 1, Of: of}.Units(n)...)
			}
			if of == 0 {
				all = part.Share{}.Units(n)
			}
			slices.Sort(all)
			for i, u := range all {
				if i != u {
					t.Fatalf("%d units in %d shares: %v", n, of, all)
				}
			}
			if len(all) != n {
				t.Fatalf("%d units in %d shares: %d are in them", n, of, len(all))
			}
		}
	}
}

func TestShareText(t *testing.T) {
	for _, text := range []string{"", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/3", "a/b", "1/9999999"} {
		if err := new(part.Share).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is a share", text)
		}
	}
	var s part.Share
	if err := s.UnmarshalText([]byte("2/5")); err != nil || s != (part.Share{Part: 2, Of: 5}) {
		t.Errorf("2/5 is %v, %v", s, err)
	}
}

// work is a table of pairs and what its parts say of it. Of a join, a unit has any number
// of pairs.
type work struct {
	header  part.Header
	table   truth.Table
	at      []int
	queries []string
	targets []string
}

func newWork(rng *rand.Rand, job part.Job, units int) work {
	w := work{header: part.Header{Job: job, Units: units, Inputs: "in", Settings: []byte(`{"a":1}`)}}
	for i := range 30 {
		w.queries = append(w.queries, fmt.Sprintf("q%d,\"%c", i, rune(i)))
		w.targets = append(w.targets, fmt.Sprintf("t%d", i))
	}
	if job == part.Truth && rng.IntN(2) == 0 {
		w.table.Maps = []edit.NodeMap{}
	}
	for u := range units {
		n := 1
		if job == part.Join {
			n = rng.IntN(4)
		}
		for range n {
			p := truth.NewPair(rng.IntN(30), rng.IntN(30))
			p.Lower, p.Upper = rng.Float64(), 1+rng.Float64()
			w.table.Pairs = append(w.table.Pairs, p)
			w.at = append(w.at, u)
			if w.table.Maps != nil {
				m := edit.NodeMap{}
				for range rng.IntN(4) {
					m = append(m, rng.IntN(5)-1)
				}
				w.table.Maps = append(w.table.Maps, m)
			}
		}
	}
	return w
}

// write writes the parts and returns their files.
func (w work) write(t *testing.T, dir string, of int) []string {
	t.Helper()
	var files []string
	for i := range of {
		w.header.Share = part.Share{Part: i + 1, Of: of}
		own := truth.Table{}
		if w.table.Maps != nil {
			own.Maps = []edit.NodeMap{}
		}
		var at []int
		for j, u := range w.at {
			if w.header.Share.Has(u) {
				at = append(at, u)
				own.Pairs = append(own.Pairs, w.table.Pairs[j])
				if own.Maps != nil {
					own.Maps = append(own.Maps, w.table.Maps[j])
				}
			}
		}
		files = append(files, create(t, filepath.Join(dir, fmt.Sprintf("%d-%d.part", i+1, of)), func(f io.Writer) error {
			return w.header.WritePairs(f, own.Rows(w.queries, w.targets), func(i int) int { return at[i] })
		}))
	}
	return files
}

func create(t *testing.T, path string, write func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// csv is the table of all parts as text.
func csv(files []string) (string, error) {
	p, err := part.Open(files)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	var failed error
	rows, err := p.Pairs(context.Background(), &failed)
	if err == nil {
		err = rows.WriteCSV(&b)
	}
	return b.String(), errors.Join(err, failed)
}

func TestUnionIsWhatOneRunGives(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, job := range []part.Job{part.Truth, part.Join} {
		for _, units := range []int{0, 1, 15, 16, 17, 100, 3000} {
			for _, of := range []int{1, 2, 3, 7} {
				if units > 1000 && of != 3 {
					continue
				}
				w := newWork(rng, job, units)
				files := w.write(t, t.TempDir(), of)
				rng.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
				p, err := part.Open(files)
				if err != nil {
					t.Fatal(err)
				}
				var failed error
				rows, err := p.Pairs(t.Context(), &failed)
				if err != nil {
					t.Fatal(err)
				}
				for _, form := range []string{"x.csv", "x.tsv", "x.parquet"} {
					write, err := truth.Writer(form)
					if err != nil {
						t.Fatal(err)
					}
					var got, want bytes.Buffer
					if err := write(rows, &got); err != nil || failed != nil {
						t.Fatalf("%s, %d units, %d parts: %v, %v", job, units, of, err, failed)
					}
					if err := write(w.table.Rows(w.queries, w.targets), &want); err != nil {
						t.Fatal(err)
					}
					if !bytes.Equal(got.Bytes(), want.Bytes()) {
						t.Errorf("%s, %d units, %d parts: another %s than in one run", job, units, of, form)
					}
				}
			}
		}
	}
}

func TestPartsThatDoNotBelongTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	dir := t.TempDir()
	w := newWork(rng, part.Join, 100)
	good := w.write(t, dir, 3)
	other := func(change func(*part.Header)) string {
		o := w
		change(&o.header)
		return o.write(t, t.TempDir(), 3)[2]
	}
	text := filepath.Join(dir, "text.part")
	if err := os.WriteFile(text, []byte("query,target,lower,upper\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	plain := create(t, filepath.Join(dir, "plain.part"), func(f io.Writer) error { return w.table.Rows(w.queries, w.targets).WriteParquet(f) })
	for name, c := range map[string]struct {
		files []string
		want  string
	}{
		"none":     {nil, "no part is given"},
		"missing":  {good[1:], "1 of 3 are missing: 1"},
		"one":      {good[:1], "2 of 3 are missing: 2, 3"},
		"twice":    {append(good[:3:3], good[0]), "are both part 1/3"},
		"count":    {append(good[:2:2], w.write(t, t.TempDir(), 4)[2]), "one of 4 parts, not of 3"},
		"inputs":   {append(good[:2:2], other(func(h *part.Header) { h.Inputs = "x" })), "other graphs"},
		"settings": {append(good[:2:2], other(func(h *part.Header) { h.Settings = []byte(`{"a":2}`) })), `other settings: {"a":2}, not {"a":1}`},
		"job":      {append(good[:2:2], other(func(h *part.Header) { h.Job = part.Truth })), "is of truth, not of join"},
		"units":    {append(good[:2:2], other(func(h *part.Header) { h.Units = 101 })), "101 queries, not of 100"},
		"model":    {append(good[:2:2], other(func(h *part.Header) { h.Models = []part.Model{{Name: "x"}} })), "another model"},
		"text":     {append(good[:2:2], text), "not a"},
		"plain":    {append(good[:2:2], plain), "not written with --part"},
		"folder":   {append(good[:2:2], dir), "not a file"},
		"absent":   {append(good[:2:2], filepath.Join(dir, "none.part")), "no such file"},
		"whole":    {good, ""},
	} {
		_, err := csv(c.files)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestWorkThatIsMissing is of parts whose header and rows do not agree.
func TestWorkThatIsMissing(t *testing.T) {
	w := newWork(rand.New(rand.NewPCG(5, 6)), part.Truth, 100)
	w.header.Units = 101
	if _, err := csv(w.write(t, t.TempDir(), 2)); err == nil || !strings.Contains(err.Error(), "100 of 101 pairs") {
		t.Errorf("a pair too few: %v", err)
	}
	w.header.Units = 100
	w.at[40]++
	if _, err := csv(w.write(t, t.TempDir(), 2)); err == nil || !strings.Contains(err.Error(), "number 41") {
		t.Errorf("a pair missing and one twice: %v", err)
	}
	files := w.write(t, t.TempDir(), 2)
	if err := os.WriteFile(files[0], nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := csv(files); err == nil {
		t.Error("an empty part passes")
	}
}

func TestDamageIsFound(t *testing.T) {
	w := newWork(rand.New(rand.NewPCG(7, 8)), part.Truth, 60)
	files := w.write(t, t.TempDir(), 2)
	want, err := csv(files)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(files[1])
	if err != nil {
		t.Fatal(err)
	}
	const stride = 53 // odd, for all bits
	found := 0
	for at := 0; at < len(data); at += stride { // all take twenty seconds
		bad := slices.Clone(data)
		bad[at] ^= 1 << (at % 8)
		if err := os.WriteFile(files[1], bad, 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := csv(files)
		if err != nil {
			found++
		} else if got != want {
			t.Errorf("byte %d of %d changed: another table and no error", at, len(data))
		}
	}
	for _, n := range []int{0, 4, 100, len(data) / 2, len(data) - 1} {
		if err := os.WriteFile(files[1], data[:n], 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := csv(files); err == nil {
			t.Errorf("%d of %d bytes pass", n, len(data))
		}
	}
	if found < len(data)/stride/2 {
		t.Errorf("of %d changed bytes only %d were found", len(data)/stride, found)
	}
}

func TestVectors(t *testing.T) {
	h := part.Header{Job: part.Embed, Units: 40, Inputs: "in", Settings: []byte("{}"), Models: []part.Model{
		{Name: "ged", Fingerprint: "f", Norm: norm.Single(norm.L1, 5, false)},
	}}
	var files, want []string
	var vectors []float32
	for i := range h.Units {
		want = append(want, fmt.Sprint("id", i))
		for j := range 5 {
			vectors = append(vectors, float32(i)+float32(j)/8)
		}
	}
	for i := range 3 {
		h.Share = part.Share{Part: i + 1, Of: 3}
		units := h.Share.Units(h.Units)
		var ids []string
		var rows []float32
		for _, u := range units {
			ids, rows = append(ids, want[u]), append(rows, vectors[u*5:u*5+5]...)
		}
		files = append(files, create(t, filepath.Join(t.TempDir(), "x.part"), func(f io.Writer) error {
			return h.WriteVectors(f, units, ids, rows)
		}))
	}
	p, err := part.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	ids, rows, err := p.Vectors(t.Context())
	if err != nil || !cmp.Equal(ids, want) || !cmp.Equal(rows, vectors) {
		t.Errorf("%v, %v: %v", ids, rows, err)
	}
	if _, err := p.Pairs(t.Context(), new(error)); err == nil {
		t.Error("vectors pass for pairs")
	}
}

// TestPartsWithoutVectors: parts of pairs have no vectors, whatever models their headers name, and neither have
// those of vectors that name no model or two.
func TestPartsWithoutVectors(t *testing.T) {
	one := part.Model{Name: "ged", Fingerprint: "f", Norm: norm.Single(norm.L1, 5, false)}
	for name, h := range map[string]part.Header{
		"pairs":            {Job: part.Join},
		"pairs of a model": {Job: part.Truth, Models: []part.Model{one}},
		"no model":         {Job: part.Embed},
		"two models":       {Job: part.Embed, Models: []part.Model{one, one}},
	} {
		h.Inputs, h.Settings, h.Share = "in", []byte("{}"), part.Share{Part: 1, Of: 1}
		file := create(t, filepath.Join(t.TempDir(), "x.part"), func(f io.Writer) error {
			return h.WritePairs(f, (&truth.Table{}).Rows(nil, nil), nil)
		})
		p, err := part.Open([]string{file})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if ids, rows, err := p.Vectors(t.Context()); !errors.Is(err, part.ErrPart) || ids != nil || rows != nil {
			t.Errorf("%s: %v, %v: %v", name, ids, rows, err)
		}
	}
}

// TestOddVectors: vectors of another length than the header says are refused, those without coordinates too.
func TestOddVectors(t *testing.T) {
	type row struct {
		At     int64     `parquet:"at"`
		ID     string    `parquet:"id"`
		Vector []float32 `parquet:"vector,list"`
	}
	h := part.Header{
		Job: part.Embed, Share: part.Share{Part: 1, Of: 1}, Units: 1, Inputs: "in", Settings: []byte("{}"), Rows: 1, Version: 2,
		Models: []part.Model{{Name: "ged", Fingerprint: "f", Norm: norm.Single(norm.L1, 5, false)}},
	}
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 7 {
		file := create(t, filepath.Join(t.TempDir(), "x.part"), func(f io.Writer) error {
			out := parquetfile.NewWriter[row](f, 10)
			err := out.Write(row{ID: "a", Vector: make([]float32, n)})
			out.SetMetadata("greed.part", string(text))
			return errors.Join(err, out.Close())
		})
		p, err := part.Open([]string{file})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := p.Vectors(t.Context()); (err == nil) != (n == 5) || err != nil && !errors.Is(err, part.ErrPart) {
			t.Errorf("%d coordinates: %v", n, err)
		}
	}
}

// TestRowsOutOfOrder: a part whose rows are not in the order of their units is refused, since parts are
// merged as they are read.
func TestRowsOutOfOrder(t *testing.T) {
	w := newWork(rand.New(rand.NewPCG(9, 10)), part.Join, 100)
	at := len(w.at) / 2
	w.at[at], w.at[at-1] = 20, 3 // of one block
	if _, err := csv(w.write(t, t.TempDir(), 1)); !errors.Is(err, part.ErrPart) || !strings.Contains(err.Error(), "1-1.part") || !strings.Contains(err.Error(), "order") {
		t.Errorf("rows out of order: %v", err)
	}
}

// TestPairsStayOnTheDisk: of pairs that are merged, only those that the parts are read by are in memory.
func TestPairsStayOnTheDisk(t *testing.T) {
	const of, each = 4, 100_000
	h := part.Header{Job: part.Join, Units: 16 * of, Inputs: "in", Settings: []byte("{}")}
	var files []string
	for i := range of {
		h.Share = part.Share{Part: i + 1, Of: of}
		files = append(files, create(t, filepath.Join(t.TempDir(), "x.part"), func(f io.Writer) error {
			return h.WritePairs(f, truth.Rows{All: func(yield func(int, truth.Row) bool) {
				for j := range each {
					if !yield(16*i, truth.Row{Query: fmt.Sprint("query", i), Target: fmt.Sprint("target", j%1000), Upper: 1}) {
						return
					}
				}
			}}, func(query int) int { return query })
		}))
	}
	p, err := part.Open(files)
	if err != nil || p.Total != of*each {
		t.Fatalf("%v, %d rows", err, p.Total)
	}
	heap := func() int64 {
		runtime.GC()
		runtime.GC() // frees what is pooled, too
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, most := heap(), int64(0)
	n := 0
	var failed error
	rows, err := p.Pairs(t.Context(), &failed)
	if err != nil {
		t.Fatal(err)
	}
	for range rows.All {
		if n++; n%each == each/2 {
			most = max(most, heap()-before)
		}
	}
	if failed != nil || n != of*each {
		t.Fatalf("%d pairs, %v", n, failed)
	}
	t.Logf("%d bytes are held for %d pairs", most, n)
	if limit := int64(of * each * 24); most > limit { // what they take in a table, without their ids
		t.Errorf("%d bytes are held for %d pairs, more than %d", most, n, limit)
	}
}

// TestMergingEnds: it stops when its context does, and when its pairs are no longer wanted.
func TestMergingEnds(t *testing.T) {
	w := newWork(rand.New(rand.NewPCG(11, 12)), part.Join, 3000)
	p, err := part.Open(w.write(t, t.TempDir(), 2))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var failed error
	rows, err := p.Pairs(ctx, &failed)
	if err != nil {
		t.Fatal(err)
	}
	for range rows.All {
		break
	}
	if failed != nil {
		t.Errorf("pairs that are not wanted: %v", failed)
	}
	stop()
	n := 0
	for range rows.All {
		n++
	}
	if !errors.Is(failed, context.Canceled) || n > len(w.at)/2 {
		t.Errorf("after its end: %d of %d pairs, %v", n, len(w.at), failed)
	}
}
