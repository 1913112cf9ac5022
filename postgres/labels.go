package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/greedgraph/greed/graph"
)

// labels are those of nodes and those of edges, by the hashes of their texts.
type labels [2]map[string]graph.Label

// add adds the labels of a graph.
func (l *labels) add(g *graph.Graph) {
	for i := range l {
		if l[i] == nil {
			l[i] = make(map[string]graph.Label)
		}
	}
	for v, label := range g.Labels() {
		if label != graph.Wildcard {
			l[0][hashes([]string{g.LabelText(v)})[0]] = label
		}
	}
	for e := range g.Edges() {
		if e.Label != graph.Wildcard {
			label := e.Label &^ graph.InRing
			l[1][hashes([]string{g.Vocabulary().EdgeText(label)})[0]] = label
		}
	}
}

// insert writes the labels that a table lacks. Those of deleted graphs stay.
func (l *labels) insert(ctx context.Context, tx pgx.Tx, table string) error {
	for i, of := range l {
		if _, err := tx.Exec(ctx, "insert into "+table+" select $1::boolean, unnest($2::text[]) on conflict do nothing", i == 1, keys(of)); err != nil {
			return err
		}
	}
	return nil
}

func keys(of map[string]graph.Label) []string {
	list := make([]string, 0, len(of))
	for hash := range of {
		list = append(list, hash)
	}
	return list
}

// Lacks returns which labels of the nodes and of the edges of a graph no graph of the
// collection has ever had. It returns false where that is not known, as of collections of
// older programs.
func (s *Snapshot) Lacks(ctx context.Context, g *graph.Graph) (lacking [2]map[graph.Label]bool, known bool, err error) {
	if !s.labelled || s.Graphs == 0 {
		return lacking, false, nil
	}
	var all labels
	all.add(g)
	for i, of := range all {
		rows, err := s.tx.Query(ctx, "select hash from "+s.db.table("labels")+" where edge = $1::boolean and hash = any($2::text[])", i == 1, keys(of))
		if err != nil {
			return lacking, false, err
		}
		there, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return lacking, false, err
		}
		for _, hash := range there {
			delete(of, hash)
		}
		lacking[i] = make(map[graph.Label]bool)
		for _, label := range of {
			lacking[i][label] = true
		}
	}
	return lacking, true, nil
}
