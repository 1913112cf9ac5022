package mip

import (
	"math"
	"strconv"
	"strings"
)

// glpk is the GNU Linear Programming Kit. Its time limit is in whole seconds.
var glpk = kind{
	name:    "glpk",
	command: "glpsol",
	arguments: func(j job) []string {
		args := []string{"--lp", j.lp}
		if j.seconds > 0 {
			args = append(args, "--tmlim", strconv.Itoa(int(math.Ceil(j.seconds))))
		}
		return append(args, "--write", j.solution)
	},
	parse: parseGLPK,
}

// parseGLPK reads a solution file such as
//
//	c Status:     INTEGER OPTIMAL
//	s mip 6 5 o -5
//	j 2 1
//	e o f
//
// where s gives rows, columns, status and objective, and j column and value.
// Columns are numbered from 1 in the order in which the LP file names them,
// which is that of the objective.
func parseGLPK(solution, log string, g *Program) (answer, error) {
	r := newReader(g)
	var a answer
	header, end := false, false
	for line, f := range r.lines(solution) {
		switch {
		case f[0] == "s" && !header:
			header = true
			if err := glpkStatus(r, line, f, &a); err != nil {
				return answer{}, err
			}
		case f[0] == "j" && header:
			if len(f) != 3 {
				return answer{}, r.errorf("want column and value, found %q", line)
			}
			v, err := strconv.Atoi(f[1])
			if err != nil || v < 1 || v > len(r.values) {
				return answer{}, r.errorf("no column %q", f[1])
			}
			if err := r.setAt(v-1, f[2]); err != nil {
				return answer{}, err
			}
		case f[0] == "e":
			end = true
		case f[0] != "c" && f[0] != "i":
			return answer{}, r.errorf("unknown record %q", line)
		}
	}
	if !header || !end {
		return answer{}, r.errorf("the file is cut short")
	}
	a.values = r.values
	a.bound = glpkBound(log)
	return a, nil
}

func glpkStatus(r *reader, line string, f []string, a *answer) error {
	if len(f) != 6 || f[1] != "mip" {
		return r.errorf("want rows, columns, status and objective of a mip, found %q", line)
	}
	if f[3] != strconv.Itoa(len(r.values)) {
		return r.errorf("%s columns, the program has %d", f[3], len(r.values))
	}
	switch f[4] {
	case "o":
		a.optimal, a.found = true, true
	case "f":
		a.found = true
	case "u":
	default:
		return unexpected(f[4])
	}
	x, err := r.number(f[5])
	a.objective = x
	return err
}

// glpkBound reads the bound off the last line of the log such as
//
//   - 123: mip =  -5.000000000e+00 >=  -7.500000000e+00  50.0% (3; 9)
func glpkBound(log string) float64 {
	bound := math.Inf(-1)
	for line := range strings.Lines(log) {
		if !strings.Contains(line, ": mip =") && !strings.Contains(line, ": >>>>>") {
			continue
		}
		_, rest, ok := strings.Cut(line, ">=")
		if fields := strings.Fields(rest); ok && len(fields) > 0 && fields[0] != "tree" {
			if x, err := strconv.ParseFloat(fields[0], 64); err == nil && !math.IsInf(x, 1) && !math.IsNaN(x) {
				bound = x
			}
		}
	}
	return bound
}
