package bench

import (
	"fmt"
	"slices"
	"time"
)

// middle returns the median.
func middle(values []float64) float64 {
	return slices.Sorted(slices.Values(values))[len(values)/2]
}

func (l *load) row() Row {
	row := Row{
		Name: "load/" + l.Mode, Pairs: l.total, Runs: 1,
		About: fmt.Sprintf("%s search for the %d nearest in %s, %.4g requests a second for %v over at most %d connections", l.Mode, l.K, l.Collection, l.Rate, l.Time, l.Connections),
	}
	add := func(name, unit string, value float64) {
		row.Figures = append(row.Figures, Figure{Name: name, Unit: unit, Value: value})
	}
	millis := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
	add("asked a second", "", l.Rate)
	add("answered a second", "", float64(len(l.answered))/l.end.Sub(l.begin).Seconds())
	for _, q := range []struct {
		name  string
		share float64
	}{{"median", 0.5}, {"p95", 0.95}, {"p99", 0.99}, {"p99.9", 0.999}, {"greatest", 1}} {
		add("answers, "+q.name, unitMillis, millis(quantile(l.answered, q.share)))
	}
	if l.Mode == "proven" {
		add("proven, of those answered", unitShare, float64(l.proven)/float64(len(l.answered)))
	}
	add("refused", unitShare, float64(len(l.refused))/float64(l.total))
	if len(l.refused) > 0 {
		add("refusals, p99", unitMillis, millis(quantile(l.refused, 0.99)))
		add("refusals, greatest", unitMillis, millis(quantile(l.refused, 1)))
	}
	add("not sent", unitShare, float64(l.unsent)/float64(l.total))
	add("sent late, p99", unitMillis, millis(quantile(l.late, 0.99)))
	add("failed", unitShare, float64(l.failed)/float64(l.total))
	if len(l.memory) > 0 {
		n := len(l.memory)
		add("memory at the start", "MB", l.memory[0]/1e6)
		add("memory, median of the second quarter", "MB", middle(l.memory[n/4:n/2+1])/1e6)
		add("memory, median of the last quarter", "MB", middle(l.memory[n-1-n/4:])/1e6)
		add("memory, greatest", "MB", slices.Max(l.memory)/1e6)
	}
	return row
}
