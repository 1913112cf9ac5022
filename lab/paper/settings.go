package paper

import (
	"fmt"
	"strings"

	"github.com/greedgraph/greed/report"
)

// Settings say how much is done. They are part of the names of what is kept.
type Settings struct {
	Name string `json:"name"`
	// Pairs are computed to learn from, at most, and Work search states spent on them.
	Pairs int   `json:"pairs"`
	Work  int64 `json:"work"`
	// Valid is how many pairs our trainings are validated with, at most; 0: their own.
	Valid int `json:"valid"`
	// Steps of training: of our models and of the systems compared with. 0: their own.
	Steps    int `json:"steps"`
	Baseline int `json:"baseline"`
	// Validations of a training of the systems compared with; 0: their own.
	Validations int `json:"validations"`
	// GEDShare and SEDShare are shares of the pairs to evaluate on.
	GEDShare float64 `json:"ged_share"`
	SEDShare float64 `json:"sed_share"`
	// SlowPairs is the most pairs of a set for systems that search each pair anew.
	SlowPairs int    `json:"slow_pairs"`
	Seed      uint64 `json:"seed"`
	// Ablated are the collections of ablations, and Volumes the numbers of training pairs.
	Ablated []string `json:"ablated"`
	Volumes []int    `json:"volumes"`
	// Queries of searches that are timed one by one.
	Queries int `json:"queries"`
	// Neighbourhoods are the neighbourhoods of a large graph that are indexed, at most; 0: all.
	Neighbourhoods int `json:"hoods"`
	// Largest is the number of nodes of the largest part of PubMed that is timed.
	Largest int `json:"largest"`
	// Limit is the most seconds a pair that is aligned.
	Limit float64 `json:"limit"`
}

// Smoke returns settings for some minutes: every experiment, each as short as it can be.
// Its figures mean nothing.
func Smoke() Settings {
	return Settings{
		Name: "smoke", Pairs: 500, Valid: 500, Steps: 20, Baseline: 2, Validations: 1,
		GEDShare: 0.002, SEDShare: 0.005, SlowPairs: 5, Seed: 1,
		Ablated: []string{"ged/aids700nef", "sed/citeseer"}, Volumes: []int{300, 600},
		Queries: 2, Neighbourhoods: 500, Largest: 100, Limit: 1,
	}
}

// Quick returns settings for short trainings and a share of the pairs: about an hour on two
// cores. Its figures show that all works and what is roughly better than what.
func Quick() Settings {
	return Settings{
		Name: "quick", Pairs: 20_000, Work: 4_000_000, Steps: 1000, Baseline: 100, Validations: 5,
		GEDShare: 0.02, SEDShare: 0.1, SlowPairs: 100, Seed: 1,
		Ablated: []string{"ged/aids700nef", "sed/citeseer"}, Volumes: []int{1000, 10_000},
		Queries: 20, Neighbourhoods: 20_000, Largest: 1000, Limit: 2,
	}
}

// Whole returns settings as in the paper: 100,000 pairs to learn from, trainings as long
// as each system's own, all pairs evaluated.
func Whole() Settings {
	return Settings{
		Name: "whole", Pairs: 100_000, GEDShare: 1, SEDShare: 1, SlowPairs: 10_000, Seed: 1,
		Ablated: []string{"ged/aids700nef", "ged/linux", "ged/imdb", "sed/aids", "sed/protein", "sed/cora_ml", "sed/citeseer", "sed/pubmed", "sed/wordnet", "sed/debian"},
		Volumes: []int{1000, 10_000, 50_000, 100_000},
		Queries: 100, Largest: 5000, Limit: 60,
	}
}

func (s Settings) share(exam string) float64 {
	if isSED(exam) {
		return s.SEDShare
	}
	if strings.HasSuffix(exam, "/imdb") {
		return min(1, 10*s.GEDShare) // of 10,000 listed pairs, a tenth of the others' number
	}
	return s.GEDShare
}

// Scaled says what is less than in the paper, nothing if all is as there.
func (s Settings) Scaled() string {
	if s.Name == Whole().Name {
		return ""
	}
	return fmt.Sprintf("scaled: at most %d pairs to learn from, not %d; %d steps of our systems and %d of the others, not each one's own; "+
		"evaluated on %g %% of the pairs of GED and %g %% of SED; ablations of %s alone",
		s.Pairs, Whole().Pairs, s.Steps, s.Baseline, 100*s.GEDShare, 100*s.SEDShare, strings.Join(s.Ablated, " and "))
}

func (s Settings) facts() []report.Fact {
	own := func(n int) string {
		if n == 0 {
			return "as many as each system's own"
		}
		return fmt.Sprint("at most ", n)
	}
	return []report.Fact{
		{Name: "Settings", Value: s.Name},
		{Name: "Pairs to learn from", Value: fmt.Sprint("at most ", s.Pairs)},
		{Name: "Steps of our models", Value: own(s.Steps)},
		{Name: "Steps of the others", Value: own(s.Baseline)},
		{Name: "Pairs evaluated", Value: fmt.Sprintf("%g %% of GED's, %g %% of SED's; at most %d where each is searched anew", 100*s.GEDShare, 100*s.SEDShare, s.SlowPairs)},
		{Name: "Seed", Value: fmt.Sprint(s.Seed)},
	}
}
