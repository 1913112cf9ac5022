package mip

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Errors of [Solver.Compute] and [Find]. None of them comes with a distance.
var (
	// ErrNoSolver means that no solver is on PATH, or not the one asked for.
	ErrNoSolver = errors.New("no solver for integer programs found")
	// ErrSolver means that the solver failed or that its answer cannot be read.
	ErrSolver = errors.New("solver failed")
	// ErrNotIntegral means that the solver answered with a fraction where a
	// node or an edge must be mapped or not.
	ErrNotIntegral = errors.New("solution is not integral")
	// ErrWrongAnswer means that the solution is no node map, or that it does
	// not cost what the solver says.
	ErrWrongAnswer = errors.New("solver's answer is wrong")
)

// Solver is an installed solver of integer programs.
type Solver struct {
	Name string // highs, cbc, scip or glpk
	Path string // of its program
	kind kind
}

// kind is how to talk to a solver.
type kind struct {
	name, command string
	// arguments returns the command line to solve lp within limit seconds (0:
	// none) and write the solution. options is a file of its own, if needed.
	arguments func(job job) []string
	options   func(job job) string
	parse     func(solution, log string, g *Program) (answer, error)
}

// job names the files of one run.
type job struct {
	lp, solution, options string
	seconds               float64 // 0: no limit
}

// answer is what a solver says of a program, without the program's constant.
type answer struct {
	optimal   bool
	found     bool      // there is a solution
	objective float64   // of the solution
	bound     float64   // proven lower bound, −Inf: unknown
	values    []float64 // of all variables, in the order of the objective
	// infeasible is the status by which CBC says that there is no solution, though every
	// program here has one. It says so, too, where a time limit ends before the first
	// solution (CBC 2.10; issue 17 of coin-or/python-mip); without a limit it is wrong.
	infeasible string
}

// kinds lists the solvers in the order in which they are tried, the fastest
// first.
func kinds() []kind {
	return []kind{highs, scip, cbc, glpk}
}

// Names returns the names that [Find] knows.
func Names() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// Find returns the solver of that name, or for an empty name the first of
// [Names] that is on PATH. The error wraps [ErrNoSolver].
func Find(name string) (Solver, error) {
	var tried []string
	for _, k := range kinds() {
		if name != "" && name != k.name {
			continue
		}
		if path, err := exec.LookPath(k.command); err == nil {
			return Solver{k.name, path, k}, nil
		}
		tried = append(tried, k.command)
	}
	if tried == nil {
		return Solver{}, fmt.Errorf("mip: %w: unknown name %q, want one of %s", ErrNoSolver, name, strings.Join(Names(), ", "))
	}
	return Solver{}, fmt.Errorf("mip: %w: none of these programs is on PATH: %s", ErrNoSolver, strings.Join(tried, ", "))
}

// grace is how long a solver may run past its time limit, to write its answer,
// before it is stopped.
const grace = 5 * time.Second

// solve runs the solver on g. If it is stopped from outside, by ctx or because it
// ignores its limit, nothing is known, which is not an error.
func (s Solver) solve(ctx context.Context, g *Program, limit time.Duration) (answer, error) {
	dir, err := os.MkdirTemp("", "greed-mip-")
	if err != nil {
		return answer{}, fmt.Errorf("mip: %w", err)
	}
	defer os.RemoveAll(dir)
	j := job{
		lp:       filepath.Join(dir, "f2.lp"),
		solution: filepath.Join(dir, "solution.txt"),
		options:  filepath.Join(dir, "options.txt"),
		seconds:  limit.Seconds(),
	}
	if err := writeFiles(g, s.kind, j); err != nil {
		return answer{}, fmt.Errorf("mip: %w", err)
	}
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit+grace)
		defer cancel()
	}
	cmd := exec.CommandContext(ctx, s.Path, s.kind.arguments(j)...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	err = cmd.Run()
	if ctx.Err() != nil {
		return answer{bound: math.Inf(-1)}, nil
	}
	if err != nil {
		return answer{}, fmt.Errorf("mip: %s: %w: %v\n%s", s.Name, ErrSolver, err, tail(log.String()))
	}
	solution, err := os.ReadFile(j.solution)
	if err != nil {
		return answer{}, fmt.Errorf("mip: %s: %w: it wrote no solution\n%s", s.Name, ErrSolver, tail(log.String()))
	}
	a, err := s.kind.parse(string(solution), log.String(), g)
	if err == nil && a.infeasible != "" && j.seconds == 0 {
		err = unexpected(a.infeasible)
	}
	if err != nil {
		return answer{}, fmt.Errorf("mip: %s: %w", s.Name, err)
	}
	return a, nil
}

func writeFiles(g *Program, k kind, j job) error {
	f, err := os.Create(j.lp)
	if err != nil {
		return err
	}
	err = g.WriteLP(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if k.options == nil {
		return nil
	}
	return os.WriteFile(j.options, []byte(k.options(j)), 0o600)
}

// tail returns the last lines of a log.
func tail(log string) string {
	lines := strings.Split(strings.TrimSpace(log), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}
