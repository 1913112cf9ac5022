package greed

import (
	"errors"
	"fmt"
	"slices"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/live"
	"github.com/greedgraph/greed/search"
)

// ParseSMARTS reads a pattern for [Options].SMARTS: a SMARTS, or a MOL block drawn as a query, as
// [chem.MolSMARTS] reads it.
func ParseSMARTS(text string) (*SMARTS, error) {
	if !chem.IsMolBlock(text) {
		return chem.ParseSMARTS(text)
	}
	pattern, err := chem.MolSMARTS([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("MOL file: %w", err)
	}
	return chem.ParseSMARTS(pattern)
}

// bySMARTS returns a graph that all molecules with a match contain, and the options of a search
// for it.
func bySMARTS(in *live.State, opt Options) (*Graph, Options, error) {
	if in.Len() > 0 && !in.Molecules() {
		return nil, opt, fmt.Errorf("a SMARTS is a pattern for molecules, but the collection has a graph that is %w",
			chem.ErrNotMolecule)
	}
	q, err := opt.SMARTS.Graph(graph.NewVocabulary(), byElement(in))
	costs := edit.Uniform()
	opt.Task, opt.Mode, opt.K, opt.Radius, opt.Costs, opt.NoModel = SED, Proven, 0, new(float64), &costs, true
	return q, opt, err
}

// byElement reports whether elements and bond orders are the labels of a collection of molecules: rules may give
// atoms others.
func byElement(in *live.State) bool {
	r := in.Rules
	return r == nil || r.Plain() && r.NodeLabel == "" && r.EdgeLabel == "" && r.NodeParts == nil && r.EdgeParts == nil
}

// mostUndecided is how many graphs warnings name for which a pattern cannot be decided.
const mostUndecided = 3

// filterMatches keeps the answers that match a pattern, k of them unless it is 0, with a match
// as their map. Those that are not compared when the time is over are missing, and so are
// those for which the pattern cannot be decided, which warnings name. It returns the number of
// the latter.
func filterMatches(over func() bool, in *live.State, s *SMARTS, k int, r *search.Result) (undecidable int, err error) {
	var parser chem.Parser
	matcher := chem.NewSMARTSMatcher(s)
	var screen *chem.SMARTSScreen // to read a molecule takes longer than to rule most of them out
	if byElement(in) {
		screen = chem.NewSMARTSScreen(s, in.Vocabulary())
	}
	var scratch graph.Scratch
	matching := r.Answers[:0]
	var undecided []search.Answer
	for i, a := range r.Answers {
		if over() {
			r.Missing = append(slices.Clone(r.Answers[i:]), r.Missing...)
			break
		}
		if screen != nil && !screen.Admits(in.Graph(a.Position, &scratch)) {
			continue
		}
		about := in.About(a.Position)
		m, err := parser.Parse(about.SMILES)
		if err != nil {
			return 0, fmt.Errorf("graph %s: %w", about.ID, err)
		}
		atoms, found, err := matcher.Match(m)
		if errors.Is(err, chem.ErrSMARTSLimit) {
			if len(undecided) < mostUndecided {
				r.Warnings = append(r.Warnings, fmt.Sprintf("graph %s: %v", about.ID, err))
			}
			undecided = append(undecided, a)
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("graph %s: %w", about.ID, err)
		}
		if found {
			a.Map = atoms
			matching = append(matching, a)
		}
	}
	if n := len(undecided); n > mostUndecided {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d more graphs: %v", n-mostUndecided, chem.ErrSMARTSLimit))
	}
	r.Missing = append(undecided, r.Missing...)
	r.K, r.Answers = k, matching
	if k > 0 && len(matching) > k {
		r.Answers, r.Tied = matching[:k], search.Tied{More: len(matching) - k, Open: len(r.Missing) > 0}
	}
	return len(undecided), nil
}
