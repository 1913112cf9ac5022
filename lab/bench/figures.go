package bench

import (
	"slices"
	"time"

	"github.com/greedgraph/greed/ged"
)

// outcome is the result of one pass.
type outcome struct {
	pairs, proven int
	took, used    time.Duration // wall clock, and time on a processor
	gaps          float64       // sum of relative gaps
	errors        float64       // sum of |upper bound − distance|
	excess        float64       // sum of upper bounds above the best known, relative to it
	shortfall     float64       // sum of lower bounds below it
	best          int           // pairs whose upper bound is the best known
	late          int           // pairs that took 5 ms and 5 % longer than their limit
	open          []OpenPair
	ratio         float64 // ratio of two throughputs, where that is measured
}

// add counts the result of a pair.
func (s *outcome) add(p *pair, r ged.Result) {
	s.pairs++
	s.gaps += gap(r.Lower, r.Upper)
	s.errors += max(r.Upper-p.exact, p.exact-r.Upper)
	if r.Exact {
		s.proven++
	} else {
		s.open = append(s.open, OpenPair{p.query, p.target, r.Lower, r.Upper})
	}
}

// gap returns the difference of the bounds relative to their mean, 0 where they
// meet.
func gap(lower, upper float64) float64 {
	if lower == upper {
		return 0
	}
	return (upper - lower) / ((upper + lower) / 2)
}

// figure is a number that a row reports.
type figure struct {
	name, unit string
	of         func(outcome) float64
	target     *Target
}

// to returns the figure with a target.
func (f figure) to(relation Relation, value float64) figure {
	f.target = &Target{relation, value}
	return f
}

// Units of figures. Shares are fractions; [Table.Write] prints them in percent.
const (
	unitMicros = "µs"
	unitMillis = "ms"
	unitShare  = "share"
	unitEdits  = "edits"
)

func micros() figure {
	return figure{name: "time a pair", unit: unitMicros, of: func(s outcome) float64 { return float64(s.took.Nanoseconds()) / 1e3 / float64(s.pairs) }}
}

// microsUsed is micros in processor time, which other processes affect less.
func microsUsed() figure {
	return figure{name: "processor time a pair", unit: unitMicros, of: func(s outcome) float64 { return float64(s.used.Nanoseconds()) / 1e3 / float64(s.pairs) }}
}

func millis() figure {
	return figure{name: "time a pair", unit: unitMillis, of: func(s outcome) float64 { return float64(s.took.Nanoseconds()) / 1e6 / float64(s.pairs) }}
}

func proven() figure {
	return figure{name: "proven", unit: unitShare, of: func(s outcome) float64 { return float64(s.proven) / float64(s.pairs) }}
}

func meanGap() figure {
	return figure{name: "mean gap", of: func(s outcome) float64 { return s.gaps / float64(s.pairs) }}
}

func meanError() figure {
	return figure{name: "MAE", unit: unitEdits, of: func(s outcome) float64 { return s.errors / float64(s.pairs) }}
}

func meanExcess() figure {
	return figure{name: "upper above the best", unit: unitShare, of: func(s outcome) float64 { return s.excess / float64(s.pairs) }}
}

func bestShare() figure {
	return figure{name: "upper the best", unit: unitShare, of: func(s outcome) float64 { return float64(s.best) / float64(s.pairs) }}
}

func meanShortfall() figure {
	return figure{name: "lower below the best", unit: unitShare, of: func(s outcome) float64 { return s.shortfall / float64(s.pairs) }}
}

func lateShare() figure {
	return figure{name: "late", unit: unitShare, of: func(s outcome) float64 { return float64(s.late) / float64(s.pairs) }}
}

func throughputRatio() figure {
	return figure{name: "throughput", unit: unitShare, of: func(s outcome) float64 { return s.ratio }}
}

// median returns the median: of an even number of values, the mean of the middle two.
func median(of func(outcome) float64, outcomes []outcome) float64 {
	values := make([]float64, len(outcomes))
	for i, s := range outcomes {
		values[i] = of(s)
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}

// report returns the row of the table.
func (t *trial) report() Row {
	r := Row{Name: t.name, About: t.about, Runs: len(t.outcomes), Skipped: t.skipped}
	if len(t.outcomes) == 0 {
		return r
	}
	first := t.outcomes[0]
	r.Pairs = first.pairs
	r.Core = median(func(s outcome) float64 { return float64(s.used) / float64(s.took) }, t.outcomes)
	if t.list {
		r.Open = first.open
	}
	for _, f := range t.figures {
		v := Figure{Name: f.name, Unit: f.unit, Value: median(f.of, t.outcomes), Target: f.target}
		if f.target != nil && f.target.Relation != Published {
			met := f.target.met(v.Value)
			v.Met = &met
		}
		r.Figures = append(r.Figures, v)
	}
	return r
}
