package dataset_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/lab/testing/graphtest"
	"github.com/greedgraph/greed/lab/testing/processor"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// What reading may allocate, in all and not at a time: so much a byte of text, so
// much a record, and so much for buffers.
const (
	costPerByte   = 52
	costPerRecord = 2 << 10
	costOfBuffers = 3 << 20
)

// cost is what reading took.
type cost struct {
	bytes, records int
	allocated      uint64
	time           time.Duration // of the processor
	err            error
}

func (c cost) tooMuch() bool {
	return c.allocated > uint64(costPerByte*c.bytes+costPerRecord*c.records+costOfBuffers)
}

func (c cost) String() string {
	s := fmt.Sprintf("%d bytes, %d records, %.1f bytes allocated and %.0f ns a byte", c.bytes, c.records, c.perByte(), float64(c.time)/float64(c.bytes))
	if c.err != nil {
		s += ", " + c.err.Error()[:min(100, len(c.err.Error()))]
	}
	return s
}

// perByte is what was allocated besides that for records and buffers.
func (c cost) perByte() float64 {
	return max(0, float64(c.allocated)-float64(costPerRecord*c.records+costOfBuffers)) / float64(c.bytes)
}

// measure reads all that open gives, bad records too.
func measure(bytes int, open func() (*dataset.Reader, error)) (c cost) {
	c.bytes = bytes
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := processor.Time()
	r, err := open()
	for err == nil {
		c.records++
		_, err = r.Next()
		var bad *dataset.BadRecord
		if errors.As(err, &bad) && !errors.Is(err, dataset.ErrEmpty) { // which tells of the first bad one
			c.err, err = err, nil
		}
	}
	if r != nil {
		r.Close()
	}
	if err != io.EOF {
		c.err = err
	}
	c.time = processor.Time() - start
	runtime.ReadMemStats(&after)
	c.allocated = after.TotalAlloc - before.TotalAlloc
	return c
}

// TestCost holds reading to what it may allocate, and to processor time in proportion,
// for texts of 256 KiB, or as many bytes as GREED_COST says, in which little makes much
// work. With -v it prints the table of docs/inputs.md.
func TestCost(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates more than what is read")
	}
	size := sweep.Trials(1 << 18)
	if text := os.Getenv("GREED_COST"); text != "" {
		var err error
		if size, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	// A byte takes less than a microsecond; in quadratic time it would take many times this.
	const patience = 10 * time.Microsecond
	texts := graphtest.HostileTexts(size)
	for _, format := range slices.Sorted(maps.Keys(texts)) {
		worst, slowest := cost{bytes: 1}, cost{bytes: 1}
		for _, name := range slices.Sorted(maps.Keys(texts[format])) {
			for _, opt := range []dataset.Options{{}, {Rules: dataset.Rules{Simplify: true}}} {
				text := texts[format][name]()
				opt.Format = format
				c := measure(len(text), func() (*dataset.Reader, error) { return dataset.NewReader(strings.NewReader(text), "x", opt) })
				if c.tooMuch() || c.time > patience*time.Duration(c.bytes) {
					t.Errorf("%s, %s: %v", format, name, c)
				}
				if testing.Verbose() && !opt.Simplify {
					t.Logf("%-10s %-16s %v", format, name, c)
				}
				if c.perByte() > worst.perByte() {
					worst = c
				}
				if float64(c.time)/float64(c.bytes) > float64(slowest.time)/float64(slowest.bytes) {
					slowest = c
				}
			}
		}
		t.Logf("| `%s` | %.0f | %.0f |", format, worst.perByte(), float64(slowest.time)/float64(slowest.bytes))
	}
}

// TestCostOfTUDataset does so for a folder.
func TestCostOfTUDataset(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates more than what is read")
	}
	const lines = 200_000
	rows := strings.Repeat("1\n", lines)
	var graphs strings.Builder
	for i := range lines {
		fmt.Fprintln(&graphs, i+1)
	}
	for name, files := range map[string]map[string]string{
		"nodes":      {"X_A.txt": "", "X_graph_indicator.txt": rows},
		"edges":      {"X_A.txt": strings.Repeat("1,2\n", lines), "X_graph_indicator.txt": "1\n1\n"},
		"labels":     {"X_A.txt": "", "X_graph_indicator.txt": rows, "X_node_labels.txt": rows},
		"attributes": {"X_A.txt": "", "X_graph_indicator.txt": "1\n", "X_node_attributes.txt": strings.Repeat("0,", lines) + "\n"},
		"graphs":     {"X_A.txt": "", "X_graph_indicator.txt": graphs.String()},
		"empty":      {"X_A.txt": "", "X_graph_indicator.txt": "1000000000\n", "X_graph_labels.txt": rows},
	} {
		dir := t.TempDir()
		size := 0
		for file, text := range files {
			size += len(text)
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		c := measure(size, func() (*dataset.Reader, error) { return dataset.Open(dir, dataset.Options{Format: "tudataset"}) })
		t.Logf("%s: %v", name, c)
		if c.tooMuch() || c.time > 10*time.Second {
			t.Errorf("%s: %v", name, c)
		}
	}
}
