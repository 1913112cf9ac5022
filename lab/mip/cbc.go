package mip

import (
	"math"
	"strconv"
	"strings"
)

// cbc is COIN-OR's branch and cut.
var cbc = kind{
	name:    "cbc",
	command: "cbc",
	arguments: func(j job) []string {
		args := []string{j.lp, "timeMode", "elapsed"}
		if j.seconds > 0 {
			args = append(args, "sec", strconv.FormatFloat(j.seconds, 'f', 3, 64))
		}
		return append(args, "ratioGap", "0", "allowableGap", "0", "solve", "solution", j.solution)
	},
	parse: parseCBC,
}

// parseCBC reads a solution file such as
//
//	Optimal - objective value -5.00000000
//	      1 x_0_1                  1                      -1
//
// of column, name, value and reduced cost; "**" marks values out of bounds.
func parseCBC(solution, log string, g *Program) (answer, error) {
	r := newReader(g)
	a := answer{bound: logged(log, "Lower bound")}
	seen := false
	for line, fields := range r.lines(solution) {
		if !seen {
			seen = true
			if err := cbcStatus(r, line, &a); err != nil {
				return answer{}, err
			}
			if !a.found {
				break
			}
			continue
		}
		if fields[0] == "**" {
			return answer{}, r.errorf("value out of bounds: %s", line)
		}
		if len(fields) != 4 {
			return answer{}, r.errorf("want column, name, value and cost, found %q", line)
		}
		if err := r.set(fields[1], fields[2]); err != nil {
			return answer{}, err
		}
	}
	if !seen {
		return answer{}, r.errorf("empty")
	}
	a.values = r.values
	return a, nil
}

func cbcStatus(r *reader, line string, a *answer) error {
	status, value, ok := strings.Cut(line, " - objective value ")
	if !ok {
		return r.errorf("want a status and an objective value, found %q", line)
	}
	switch {
	case strings.HasPrefix(status, "Optimal"):
		a.optimal, a.found = true, true
	case strings.HasPrefix(status, "Stopped"):
		// Without an integer solution CBC writes that of the relaxation.
		a.found = !strings.Contains(status, "no integer solution")
	case strings.HasPrefix(status, "Integer infeasible"):
		// What the log says then is not a bound.
		a.infeasible, a.bound = status, math.Inf(-1)
		return nil
	default:
		return unexpected(status)
	}
	x, err := r.number(strings.TrimSpace(value))
	if a.found && err != nil {
		return err
	}
	if a.found && math.Abs(x) >= 1e50 { // CBC's infinity
		a.found = false
	}
	a.objective = x
	return nil
}
