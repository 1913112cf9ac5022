package bench

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/greedgraph/greed/internal/atomicfile"
)

// known holds the best bounds known of the distances of large pairs. Its file has a line
// for each pair: set and costs, the two ids, lower and upper bound, separated by tabs,
// sorted.
type known struct {
	path    string // empty: kept for this run only
	bounds  map[string][2]float64
	changed bool
	saved   time.Time
}

// saveEvery is the time after which improved bounds are written.
const saveEvery = time.Minute

// readKnown reads the file at path. It need not exist, and an empty path means none.
func readKnown(path string) (*known, error) {
	k := &known{path: path, bounds: make(map[string][2]float64), saved: time.Now()}
	if path == "" {
		return k, nil
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for line := 1; in.Scan(); line++ {
		fields := strings.Split(in.Text(), "\t")
		if len(fields) != 5 {
			return nil, fmt.Errorf("%s:%d: %d fields, want 5", path, line, len(fields))
		}
		var bounds [2]float64
		for i, field := range fields[3:] {
			x, err := strconv.ParseFloat(field, 64)
			if err != nil || !(x >= 0) || math.IsInf(x, 0) {
				return nil, fmt.Errorf("%s:%d: bad bound %q", path, line, field)
			}
			bounds[i] = x
		}
		k.bounds[strings.Join(fields[:3], "\t")] = bounds
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return k, nil
}

// improve adds bounds of a pair and returns the best upper bound. Bounds that
// contradict known ones are an error: one of them is wrong.
func (k *known) improve(set, query, target string, lower, upper float64) (best float64, err error) {
	key := set + "\t" + query + "\t" + target
	was, ok := k.bounds[key]
	if !ok {
		was = [2]float64{0, math.Inf(1)}
	}
	now := [2]float64{max(was[0], lower), min(was[1], upper)}
	if now[0] > now[1]*(1+1e-9) {
		return 0, fmt.Errorf("%s, query %s, target %s: bounds %v to %v contradict the known %v to %v",
			set, query, target, lower, upper, was[0], was[1])
	}
	if now != was {
		k.bounds[key] = now
		k.changed = true
	}
	if time.Since(k.saved) > saveEvery {
		err = k.save()
	}
	return now[1], err
}

// save writes the file if bounds were improved.
func (k *known) save() error {
	k.saved = time.Now()
	if k.path == "" || !k.changed {
		return nil
	}
	k.changed = false
	return atomicfile.Write(k.path, func(w io.Writer) error {
		for _, key := range slices.Sorted(maps.Keys(k.bounds)) {
			b := k.bounds[key]
			if _, err := fmt.Fprintf(w, "%s\t%v\t%v\n", key, b[0], b[1]); err != nil {
				return err
			}
		}
		return nil
	})
}
