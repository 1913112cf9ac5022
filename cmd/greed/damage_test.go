package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/truth"
)

// damageVariable says how many files TestDamage damages; docs/resilience.md names it.
const damageVariable = "GREED_DAMAGE"

// TestDamage damages files of indexes, models and ground truth: bits and blocks are
// changed, parts cut out, cut off, repeated. Reading then fails and names the file, or
// gives what it gave before.
func TestDamage(t *testing.T) {
	t.Parallel()
	each := 10
	if testing.Short() {
		each = 1
	}
	if text := os.Getenv(damageVariable); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		each = max(1, n/3)
	}
	folder := t.TempDir()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))

	index := filepath.Join(folder, "mols.index")
	indexOf(t, index, 300)
	if out, err := greedOnce(t.Context(), "index", "compact", index); err != nil {
		t.Fatal(out)
	}
	files, err := filepath.Glob(filepath.Join(index, "*"))
	if err != nil || len(files) < 3 {
		t.Fatal(err, files)
	}
	damage(t, rng, each, files, func() (string, error) { return answers(t.Context(), index) })

	copied := filepath.Join(folder, "ged.safetensors")
	text, err := os.ReadFile("../../bundle/ged.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, text, 0o666); err != nil {
		t.Fatal(err)
	}
	damage(t, rng, each, []string{copied}, func() (string, error) { return embedded(t.Context(), copied) })

	pairs := filepath.Join(folder, "pairs.parquet")
	smiles := filepath.Join(folder, "some.smi")
	if err := os.WriteFile(smiles, []byte("CCO a\nCCN b\nCCCC c\nc1ccccc1 d\nCC(=O)O e\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := greedOnce(t.Context(), "truth", smiles, smiles, "-o", pairs); err != nil {
		t.Fatal(out)
	}
	ids := []string{"a", "b", "c", "d", "e"}
	damage(t, rng, each, []string{pairs}, func() (string, error) {
		table, err := truth.ReadFile(pairs, ids, ids)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%+v", *table), nil
	})
}

// damage damages one of some files, so many times, and reads it.
func damage(t *testing.T, rng *rand.Rand, times int, files []string, read func() (string, error)) {
	t.Helper()
	want, err := read()
	if err != nil {
		t.Fatal(err)
	}
	refused, same := 0, 0
	for i := 0; i < times || refused == 0 && i < 10; i++ { // one alone may be without effect
		path := files[rng.IntN(len(files))]
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		bad, how := spoil(rng, whole)
		if err := os.WriteFile(path, bad, 0o666); err != nil {
			t.Fatal(err)
		}
		switch got, err := read(); {
		case err == nil && got == want:
			same++
		case err == nil:
			t.Errorf("%s, %s: another content", filepath.Base(path), how)
		case !strings.Contains(err.Error(), filepath.Dir(path)):
			t.Errorf("%s, %s: the error does not name the file: %v", filepath.Base(path), how, err)
		default:
			refused++
		}
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%s: %d refused, %d without effect", filepath.Base(filepath.Dir(files[0]))+"/"+filepath.Base(files[0]), refused, same)
	if refused == 0 {
		t.Error("nothing was noticed")
	}
}

// spoil returns a damaged copy of some bytes, and how they were damaged.
func spoil(rng *rand.Rand, whole []byte) (bad []byte, how string) {
	bad = bytes.Clone(whole)
	at := rng.IntN(len(bad))
	end := min(len(bad), at+1+rng.IntN(4096))
	switch rng.IntN(6) {
	case 0:
		bad[at] ^= 1 << rng.IntN(8)
		return bad, fmt.Sprintf("a bit of byte %d", at)
	case 1:
		clear(bad[at:end])
		return bad, fmt.Sprintf("zeros from %d to %d", at, end)
	case 2:
		return bad[:at], fmt.Sprintf("cut off at %d", at)
	case 3:
		return append(bad[:at], whole[end:]...), fmt.Sprintf("cut out from %d to %d", at, end)
	case 4:
		from := rng.IntN(len(bad))
		copy(bad[at:end], whole[from:])
		return bad, fmt.Sprintf("%d to %d are those from %d", at, end, from)
	default:
		for i := at; i < end; i++ {
			bad[i] = byte(rng.Uint32())
		}
		return bad, fmt.Sprintf("noise from %d to %d", at, end)
	}
}

// answers returns what an index holds, and answers to some queries.
func answers(ctx context.Context, dir string) (_ string, err error) {
	c, err := greed.Open(ctx, greed.Source{Path: dir})
	if err != nil {
		return "", err
	}
	defer c.Close()
	var b strings.Builder
	for rec := range c.All() {
		link, err := dataset.NewNodeLink(rec)
		if err != nil {
			return "", err
		}
		text, err := link.MarshalJSON()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s %s\n", rec.ID, text)
	}
	for _, mode := range []greed.Mode{greed.Predicted, greed.Proven} {
		for _, task := range []greed.Task{greed.GED, greed.SED} {
			query, err := c.ParseSMILES("CC(=O)Nc1ccccc1")
			if err != nil {
				return "", err
			}
			found, err := c.Search(ctx, query, greed.Options{Task: task, Mode: mode, K: 3, Workers: 1})
			if err != nil {
				return "", err
			}
			answers := found.Answers
			text, err := json.Marshal(answers)
			if err != nil {
				return "", err
			}
			b.Write(text)
		}
	}
	return b.String(), nil
}

// embedded returns the vector that a model gives a molecule.
func embedded(ctx context.Context, path string) (string, error) {
	m, err := model.Load(path)
	if err != nil {
		return "", err
	}
	c := greed.New()
	g, err := c.ParseSMILES("CC(=O)Nc1ccccc1")
	if err != nil {
		return "", err
	}
	vector, err := m.Embed(ctx, []*graph.Graph{g}, 1)
	return fmt.Sprint(vector), err
}
