package mip

import (
	"fmt"
	"strconv"
)

// highs is HiGHS. Its gaps are set to 0; by default it stops at 10⁻⁴.
var highs = kind{
	name:    "highs",
	command: "highs",
	arguments: func(j job) []string {
		return []string{"--options_file", j.options, "--solution_file", j.solution, "--model_file", j.lp}
	},
	options: func(j job) string {
		text := "mip_rel_gap = 0\nmip_abs_gap = 0\nthreads = 1\n"
		if j.seconds > 0 {
			text += fmt.Sprintf("time_limit = %s\n", strconv.FormatFloat(j.seconds, 'f', 3, 64))
		}
		return text
	},
	parse: parseHiGHS,
}

// parseHiGHS reads a solution file such as
//
//	Model status
//	Optimal
//
//	# Primal solution values
//	Feasible
//	Objective -5
//	# Columns 5
//	x_0_1 1
//	# Rows 6
func parseHiGHS(solution, log string, g *Program) (answer, error) {
	r := newReader(g)
	var a answer
	section, status := "", ""
	columns := 0
	for line, f := range r.lines(solution) {
		switch {
		case line == "Model status":
			section = "status"
		case line == "# Primal solution values":
			section = "primal"
		case section == "columns" && columns > 0:
			columns--
			if len(f) != 2 {
				return answer{}, r.errorf("want name and value, found %q", line)
			}
			if err := r.set(f[0], f[1]); err != nil {
				return answer{}, err
			}
		case section == "status" && status == "":
			status = line
		case section == "primal" && f[0] == "Objective" && len(f) == 2:
			x, err := r.number(f[1])
			if err != nil {
				return answer{}, err
			}
			a.objective = x
		case section == "primal" && f[0] == "Infeasible":
			return answer{}, r.errorf("the solution is infeasible")
		case section == "primal" && f[0] == "#" && len(f) == 3 && f[1] == "Columns":
			if f[2] != strconv.Itoa(len(r.values)) {
				return answer{}, r.errorf("%s columns, the program has %d", f[2], len(r.values))
			}
			section, columns, a.found = "columns", len(r.values), true
		}
	}
	if columns > 0 {
		return answer{}, r.errorf("the file is cut short: %d columns are missing", columns)
	}
	switch status {
	case "Optimal":
		a.optimal = true
		if !a.found {
			return answer{}, r.errorf("optimal without a solution")
		}
	case "Time limit reached", "Iteration limit reached", "Solution limit reached", "Interrupted by user":
	default:
		return answer{}, unexpected(status)
	}
	a.values = r.values
	a.bound = logged(log, "Dual bound")
	return a, nil
}
