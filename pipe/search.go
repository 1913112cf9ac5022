package pipe

import (
	"context"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/operation"
)

type searchArgs struct {
	keyArgs
	Queries graphSet `json:"queries"`
	// Orders makes the answer have the array "orders", f8 [answers, 5], for those who merge answers: what
	// [greed.Order] has, in its order.
	Orders bool `json:"orders"`
	operation.Search
	work
}

// search answers with what is found for each query, in the JSON form that greed
// has everywhere.
func (s *server) search(r *request, c *greed.Collection, args *searchArgs) (*answer, error) {
	opt, err := args.Resolve(operation.Limits{Workers: args.Workers})
	if err != nil {
		return nil, err
	}
	// labels of queries are not kept
	queries, smiles, err := r.graphs("queries", "query", &args.Queries, graph.NewVocabulary())
	if err != nil {
		return nil, err
	}
	if err := operation.Alone(opt.SMARTS, len(queries)); err != nil {
		return nil, err
	}
	if opt.SMARTS != nil {
		queries, smiles = []*graph.Graph{nil}, []string{""}
	}
	a, out := new(answer), make([]*greed.Found, len(queries))
	var maps, nodes []int32 // of the answers that are not explained, and of the queries
	var orders []float64
	for i, q := range queries {
		if args.Progress {
			opt.Progress = reporter(r, i, len(queries))
		}
		opt.SMILES = smiles[i]
		var found *greed.Found
		if args.Orders {
			found, err = inOrder(r.ctx, c, q, opt, &orders)
		} else {
			found, err = c.Search(r.ctx, q, opt)
		}
		if err == nil {
			err = r.ctx.Err()
		}
		if err != nil {
			return nil, searchError(r.ctx, err, i)
		}
		if !args.Explain {
			n := 0
			for _, one := range found.Answers {
				n = max(n, len(one.Map))
				maps = appendMap(maps, one.Map)
			}
			nodes = append(nodes, int32(n))
		}
		args.Finish(found)
		out[i] = found
		if args.Progress {
			r.progress(map[string]int{"done": i + 1, "total": len(queries)})
		}
	}
	if args.Orders {
		add(a, "orders", orders, len(orders)/orderFields, orderFields)
	}
	if a.result = out; !args.Explain {
		add(a, "maps", maps, len(maps))
		add(a, "nodes", nodes, len(nodes))
	}
	return a, nil
}

// orderFields is how many numbers an order has.
const orderFields = 5

// inOrder searches, and appends what orders the answers.
func inOrder(ctx context.Context, c *greed.Collection, q *graph.Graph, opt greed.Options,
	orders *[]float64) (*greed.Found, error) {
	f, err := c.Find(ctx, q, opt)
	if err != nil {
		if f != nil {
			_ = f.Close()
		}
		return nil, err
	}
	defer f.Close()
	list, err := f.Orders()
	if err != nil {
		return nil, err
	}
	for i, o := range list {
		*orders = append(*orders, float64(o.Size), o.Apart, float64(o.Index), float64(o.At), o.Raw)
		a, err := f.Answer(i)
		if err != nil {
			return nil, err
		}
		f.Found.Answers = append(f.Found.Answers, a)
	}
	return f.Found, nil
}

// appendMap appends a node map to an array.
func appendMap(dst []int32, m edit.NodeMap) []int32 {
	for _, w := range m {
		dst = append(dst, int32(w))
	}
	return dst
}

// explainArgs name answers of a search, whose maps are the array "maps", i4 [answers, nodes of the query].
type explainArgs struct {
	searchArgs
	IDs       []string  `json:"ids"`
	Positions []int     `json:"positions"`
	Upper     []float64 `json:"upper"`
}

// answerEdits is what explains an answer.
type answerEdits struct {
	Nodes           []string                   `json:"nodes,omitempty"`
	Edits           []edit.Operation           `json:"edits"`
	Transformations []transform.Transformation `json:"transformations,omitempty"`
}

// explainAnswers answers with the edits of answers that a search has given.
func (s *server) explainAnswers(r *request, c *greed.Collection, args *explainArgs) (*answer, error) {
	opt, err := args.Resolve(operation.Limits{})
	if err != nil {
		return nil, err
	}
	queries, smiles, err := r.graphs("queries", "query", &args.Queries, graph.NewVocabulary())
	if err != nil {
		return nil, err
	}
	maps, err := r.arrays.ints("maps", 2)
	if err != nil {
		return nil, err
	}
	n := len(args.IDs)
	if len(args.Positions) != n || len(args.Upper) != n || n > 0 && len(maps)%n != 0 ||
		opt.SMARTS == nil && len(queries) != 1 {
		return nil, badRequest("%d ids, %d positions, %d numbers of maps, %d queries", n, len(args.Positions),
			len(maps), len(queries))
	}
	var q *graph.Graph
	if len(queries) == 1 {
		q, opt.SMILES = queries[0], smiles[0]
	}
	answers := make([]greed.Answer, n)
	for i := range answers {
		answers[i] = greed.Answer{ID: args.IDs[i], Position: args.Positions[i], Upper: &args.Upper[i],
			Map: make(edit.NodeMap, len(maps)/n)}
		for v := range answers[i].Map {
			answers[i].Map[v] = int(maps[i*len(answers[i].Map)+v])
		}
	}
	if err := c.Explain(r.ctx, q, opt, answers); err != nil {
		return nil, err
	}
	out := make([]answerEdits, n)
	for i, a := range answers {
		out[i] = answerEdits{a.Nodes, a.Edits, a.Transformations}
	}
	return &answer{result: out}, nil
}

func searchError(ctx context.Context, err error, query int) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f := *describe(err)
	f.Record, f.Side = &query, "query"
	return &f
}
