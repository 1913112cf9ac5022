package mip

import (
	"strconv"
	"strings"
)

// scip is SCIP.
var scip = kind{
	name:    "scip",
	command: "scip",
	arguments: func(j job) []string {
		var args []string
		do := func(command string) { args = append(args, "-c", command) }
		do("read " + j.lp)
		if j.seconds > 0 {
			do("set limits time " + strconv.FormatFloat(j.seconds, 'f', 3, 64))
		}
		do("optimize")
		do("write solution " + j.solution)
		do("display statistics")
		do("quit")
		return args
	},
	parse: parseSCIP,
}

// parseSCIP reads a solution file such as
//
//	solution status: optimal solution found
//	objective value:                                   -5
//	x_0_1                                               1 	(obj:-1)
//
// in which variables that are 0 are left out. Without a solution the second line
// says "no solution available".
func parseSCIP(solution, log string, g *Program) (answer, error) {
	r := newReader(g)
	var a answer
	status := ""
	for line, f := range r.lines(solution) {
		rest, isStatus := strings.CutPrefix(line, "solution status:")
		switch {
		case isStatus:
			status = strings.TrimSpace(rest)
		case strings.HasPrefix(line, "objective value:") && len(f) == 3:
			x, err := r.number(f[2])
			if err != nil {
				return answer{}, err
			}
			a.objective, a.found = x, true
		case line == "no solution available":
		case !a.found || len(f) < 2:
			return answer{}, r.errorf("want name and value, found %q", line)
		default:
			if err := r.set(f[0], f[1]); err != nil {
				return answer{}, err
			}
		}
	}
	switch {
	case status == "optimal solution found" && a.found:
		a.optimal = true
	case strings.HasSuffix(status, "limit reached"), status == "user interrupt":
	default:
		return answer{}, unexpected(status)
	}
	a.values = r.values
	a.bound = logged(log, "Dual Bound")
	return a, nil
}
