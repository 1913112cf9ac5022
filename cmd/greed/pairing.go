package main

import (
	"fmt"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
)

// pairingFlags say which queries are compared with which targets.
type pairingFlags struct {
	Query  string `arg:"" help:"A file, a folder, - for standard input, or a SMILES."`
	Target string `arg:"" help:"The same."`

	Matrix bool `xor:"many" help:"Every query with every target, query by query."`
	Pairs  bool `xor:"many" help:"The first query with the first target, the second with the second, and so on."`
}

// pairing is the pairs to go through, in their order.
type pairing struct {
	queries, targets []dataset.Record
	matrix           bool // every query with every target
	alone            bool // the only pair, not one of a list
	rules            dataset.Rules
	notes            []dataset.Note
}

// read reads the graphs and determines the pairs that the flags mean. One graph against
// several can only mean the matrix.
func (f *pairingFlags) read(s *session, src greed.Source) (p pairing, err error) {
	both, err := s.readBoth(src, [2]string{f.Query, f.Target}, nil)
	if err != nil {
		return p, err
	}
	p.queries, p.targets = both[0].Records, both[1].Records
	p.rules, p.notes = both[1].Rules, dataset.Merge(both[0].Notes, both[1].Notes)
	nq, nt := len(p.queries), len(p.targets)
	have := fmt.Sprintf("%s has %s, %s has %s", f.Query, count(nq, "graph"), f.Target, count(nt, "graph"))
	if f.Pairs && nq != nt {
		return p, fmt.Errorf("--pairs needs as many queries as targets: %s", have)
	}
	p.alone = !f.Matrix && !f.Pairs && max(nq, nt) == 1
	p.matrix = f.Matrix || !f.Pairs && min(nq, nt) == 1
	if !p.matrix && !f.Pairs {
		text := have + ": add --matrix to compare every query with every target"
		if nq == nt {
			text += ", or --pairs to go line by line"
		}
		return p, usageError(text)
	}
	return p, nil
}

// len returns the number of pairs.
func (p *pairing) len() int {
	if p.matrix {
		return len(p.queries) * len(p.targets)
	}
	return len(p.queries)
}

// at returns the positions of the query and the target of pair i.
func (p *pairing) at(i int) (query, target int) {
	if p.matrix {
		return i / len(p.targets), i % len(p.targets)
	}
	return i, i
}

// pair returns the query and the target of pair i.
func (p *pairing) pair(i int) (q, t *dataset.Record) {
	query, target := p.at(i)
	return &p.queries[query], &p.targets[target]
}
