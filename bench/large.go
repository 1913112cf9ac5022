package bench

import (
	"context"
	"fmt"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
)

// largeRows are random pairs of larger graphs, by the size of both, under GEDLIB's
// CHEM_2 costs. Few of them are proven; the mean gap describes the others.
func largeRows() []row {
	var rows []row
	for _, set := range []struct{ name, file string }{
		{"molecules", "aids42k/aids42k.txt.gz"},
		{"proteins", "protein/protein_all1113.txt.gz"},
	} {
		for _, costs := range []struct {
			name  string
			costs edit.Costs
		}{{"unit", edit.Uniform()}, {"chem2", edit.Chem2()}} {
			for least := 31; least < 100; least += 20 {
				rows = append(rows, row{
					name: fmt.Sprintf("large/%s/%s/%d-%d", set.name, costs.name, least, least+9),
					about: fmt.Sprintf("GED with labels under %s, random pairs of %s of %d to %d nodes each, 1 s",
						costs.name, set.name, least, least+9),
					runs:    1,
					figures: []figure{meanGap(), proven(), millis()},
					prepare: func(_ context.Context, x *lab) (pass, error) {
						all, err := x.read(set.file)
						if err != nil {
							return nil, err
						}
						var fit collection
						for _, rec := range all[0] {
							if n := rec.Graph.N(); least <= n && n < least+10 {
								fit = append(fit, rec)
							}
						}
						if len(fit) == 0 {
							return nil, fmt.Errorf("%s has no graph of %d to %d nodes", set.file, least, least+9)
						}
						pairs, err := x.random(fit, fit, 45, anyPair)
						if err != nil {
							return nil, err
						}
						solve, err := exactSolver(edit.GED, costs.costs, ged.Options{Time: budget})
						return solveAll(pairs, solve), err
					},
				})
			}
		}
	}
	return rows
}

// mcesRow is distances of maximum common edge subgraphs.
func mcesRow() row {
	return row{
		name: "mces", about: "distances of maximum common edge subgraphs of random pairs of NCI molecules, 1 s", runs: 1,
		figures: []figure{proven(), meanGap(), millis()},
		prepare: func(_ context.Context, x *lab) (pass, error) {
			records, err := bundle.Records(graph.NewVocabulary())
			if err != nil {
				return nil, err
			}
			pairs, err := x.random(records, records, 500, anyPair)
			if err != nil {
				return nil, err
			}
			solve, err := exactSolver(edit.GED, edit.MCES(), ged.Options{Time: budget})
			return solveAll(pairs, solve), err
		},
	}
}
