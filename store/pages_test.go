package store

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/greedgraph/greed/lab/testing/sweep"
)

// TestReferencesBeyondTheFile: whatever number of a page, of its successors or of an
// element's place is written over, a check ends and tells; it does not end the program.
func TestReferencesBeyondTheFile(t *testing.T) {
	dir := filled(t, inMemory(t), 150)
	path := filepath.Join(dir, databaseFile)
	whole, err := os.ReadFile(path)
	must(t, err)
	rng := rand.New(rand.NewPCG(23, 1))
	told, kinds := 0, make(map[uint16]bool)
	for page := 2; page < len(whole)/pageSize; page++ {
		kind := binary.LittleEndian.Uint16(whole[page*pageSize+8:])
		if kind != branchPage && kind != leafPage && kind != freesPage {
			continue
		}
		kinds[kind] = true
		header := []int{0, 8, 10, 12, 16, 20, 24, 28} // and the first element
		rng.Shuffle(len(header), func(i, j int) { header[i], header[j] = header[j], header[i] })
		for _, at := range header[:sweep.Trials(len(header))] {
			for _, value := range []uint32{1 << 31, 0xffff, uint32(rng.IntN(len(whole) / pageSize))} {
				bad := append([]byte(nil), whole...)
				binary.LittleEndian.PutUint32(bad[page*pageSize+at:], value)
				must(t, os.WriteFile(path, bad, 0o666))
				r, err := Check(t.Context(), dir)
				switch {
				case err == nil && len(r.Problems) > 0:
					told++
				case err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrVersion):
					t.Fatalf("page %d, byte %d, %#x: %v", page, at, value, err)
				}
			}
		}
	}
	if told == 0 || len(kinds) < 3 {
		t.Errorf("%d were noticed, in %d kinds of pages", told, len(kinds))
	}
	t.Logf("%d told", told)
	must(t, os.WriteFile(path, whole, 0o666))
	sound(t, dir)
}
