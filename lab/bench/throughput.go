package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// truthPairs is how many pairs two workers solve; two processes solve half of it each.
// It takes some seconds.
const truthPairs = 400_000

// truthRow compares greed truth on two cores with two of its processes on one
// core each.
func truthRow() row {
	return row{
		name: "truth", about: "greed truth with two workers, relative to two processes with one worker each, random pairs of aids700nef", runs: fastRuns,
		figures: []figure{throughputRatio().to(AtLeast, 0.95)},
		prepare: func(_ context.Context, x *lab) (pass, error) {
			program, err := exec.LookPath(x.Program)
			if err != nil {
				return nil, fmt.Errorf("%w: %w", fs.ErrNotExist, err)
			}
			l := truthRun{program: program}
			for i, part := range []string{"test.txt", "train.txt"} {
				l.files[i] = filepath.Join(x.Data, "aids700nef", part)
				if _, err := os.Stat(l.files[i]); err != nil {
					return nil, err
				}
			}
			pairs := 2 * x.scaled(truthPairs/2)
			return func(ctx context.Context, run int, step func(done, total int)) (outcome, error) {
				return l.compare(ctx, run, pairs, step)
			}, nil
		},
	}
}

// truthRun starts greed truth on two files.
type truthRun struct {
	program string
	files   [2]string
}

// compare measures both ways. Every second run starts with the other one.
func (l truthRun) compare(ctx context.Context, run, pairs int, step func(done, total int)) (outcome, error) {
	dir, err := os.MkdirTemp("", "greed-bench-")
	if err != nil {
		return outcome{}, err
	}
	defer os.RemoveAll(dir)
	var together, apart float64 // pairs a second
	ways := []func() error{
		func() (err error) {
			together, err = l.throughput(ctx, dir, 2, 1, pairs)
			return err
		},
		func() error {
			var rates [2]float64
			group, ctx := errgroup.WithContext(ctx)
			for i := range rates {
				group.Go(func() (err error) {
					rates[i], err = l.throughput(ctx, dir, 1, i+1, pairs/2)
					return err
				})
			}
			err := group.Wait()
			apart = rates[0] + rates[1]
			return err
		},
	}
	begin := time.Now()
	for i := range ways {
		step(i*pairs, len(ways)*pairs)
		if err := ways[(i+run)%len(ways)](); err != nil {
			return outcome{}, err
		}
	}
	return outcome{pairs: pairs, took: time.Since(begin), ratio: together / apart}, nil
}

// throughput solves pairs drawn by seed in a process of its own, on as many cores as it
// has workers, and returns pairs a second. The time to read the graphs does not count.
func (l truthRun) throughput(ctx context.Context, dir string, workers, seed, pairs int) (float64, error) {
	out := filepath.Join(dir, fmt.Sprintf("%d-%d.csv", workers, seed))
	cmd := exec.CommandContext(ctx, l.program, "truth", l.files[0], l.files[1], "--out", out,
		"--ignore-edge-labels", "--random", strconv.Itoa(pairs), "--seed", strconv.Itoa(seed),
		"--workers", strconv.Itoa(workers), "--json", "--no-progress")
	cmd.Args[0] = "greed"
	cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(workers))
	var complaint strings.Builder
	cmd.Stderr = &complaint
	answer, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%s: %w: %s", cmd, err, strings.TrimSpace(complaint.String()))
	}
	var took struct {
		Seconds float64 `json:"seconds"`
	}
	if err := json.Unmarshal(answer, &took); err != nil {
		return 0, fmt.Errorf("%s: %w", cmd, err)
	}
	return float64(pairs) / took.Seconds, nil
}
