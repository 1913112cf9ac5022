package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/chemname"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
)

// Query is a graph in a request, in exactly one of several forms.
type Query struct {
	SMILES string     `json:"smiles,omitempty" minLength:"1" doc:"A molecule as SMILES" example:"CC(=O)Oc1ccccc1C(=O)O"`
	Mol    string     `json:"mol,omitempty" minLength:"1" doc:"A molecule as a MOL file, V2000 or V3000"`
	TVE    string     `json:"tve,omitempty" minLength:"1" doc:"A graph in t/v/e lines"`
	Graph  *GraphJSON `json:"graph,omitempty" doc:"A graph as node-link JSON"`
	Text   string     `json:"text,omitempty" minLength:"1" doc:"${query_text}"`
	ID     string     `json:"id,omitempty" minLength:"1" doc:"A graph of the collection"`

	// named labels nodes without labels by their names, unless a collection is named.
	named bool
}

// forms are the members of a query of which exactly one is given.
var forms = []string{"smiles", "mol", "tve", "graph", "text"}

// GraphJSON is a graph as node-link JSON.
type GraphJSON struct{ dataset.NodeLink }

// TransformSchema describes node-link JSON.
func (GraphJSON) TransformSchema(huma.Registry, *huma.Schema) *huma.Schema {
	label := &huma.Schema{Type: huma.TypeString, Description: "The label; absent where any label fits (wildcard) or " +
		"none is given"}
	wildcard := &huma.Schema{Type: huma.TypeBoolean}
	object := func(properties map[string]*huma.Schema, required ...string) *huma.Schema {
		s := &huma.Schema{Type: huma.TypeObject, Properties: properties, Required: required, AdditionalProperties: true}
		s.PrecomputeMessages()
		return s
	}
	list := func(items *huma.Schema) *huma.Schema { return &huma.Schema{Type: huma.TypeArray, Items: items} }
	any := &huma.Schema{Description: "A number or a string"}
	return object(map[string]*huma.Schema{
		"directed": {Type: huma.TypeBoolean},
		"graph":    object(nil),
		"nodes":    list(object(map[string]*huma.Schema{"id": any, "label": label, "wildcard": wildcard}, "id")),
		"edges": list(object(map[string]*huma.Schema{"source": any, "target": any, "label": label,
			"wildcard": wildcard}, "source", "target")),
		"names": list(&huma.Schema{Type: huma.TypeString, Description: "What the file calls the nodes, where that is " +
			"not their ids"}),
	}, "nodes", "edges")
}

// show returns a record as node-link JSON. Nodes have their positions as ids, which
// node maps and edits refer to; their names are apart.
func show(rec dataset.Record) (*GraphJSON, error) {
	n, err := dataset.NumberedNodeLink(rec)
	return &GraphJSON{n}, err
}

// readFor returns the collection for which graphs are read, or nil if none is named.
func (s *Server) readFor(name string) (*hosted, error) {
	if name == "" {
		return nil, nil
	}
	return s.find(name)
}

// compared returns the graph of a query, which has distances to the graphs of a
// collection.
func (s *Server) compared(ctx context.Context, sh *hosted, q *Query, costs ...edit.Costs) (dataset.Record, error) {
	rec, err := s.read(ctx, q, sh, costs...)
	if err != nil {
		return dataset.Record{}, err
	}
	return rec, sh.comparable(rec)
}

// read returns the graph of a query. Its labels are of a vocabulary of its own. sh,
// which may be nil, is where ids are looked up, and the query is read as its graphs were.
// Where that is not known, the attributes that its costs compare, or the given ones,
// become the labels of a graph that has them.
func (s *Server) read(ctx context.Context, q *Query, sh *hosted, costs ...edit.Costs) (dataset.Record, error) {
	if sh != nil {
		costs = append(costs, sh.Collection.Costs(edit.GED), sh.Collection.Costs(edit.SED))
	}
	ctx, cancel := s.accountOf(ctx).within(ctx)
	defer cancel()
	opt := s.reading(ctx, sh, costs)
	opt.Named = q.named && sh == nil // the graphs of a collection are not read so
	rec, err := s.decode(q, sh, opt)
	if err != nil {
		return dataset.Record{}, err
	}
	return rec, s.fits(rec.Graph)
}

// fits returns a problem if a query is larger than the limits.
func (s *Server) fits(g *graph.Graph) error {
	if g.N() > s.opt.Limits.Nodes || g.M() > s.opt.Limits.Edges {
		return problem(http.StatusUnprocessableEntity,
			"the graph has %d nodes and %d edges; at most %d and %d are accepted here", g.N(), g.M(),
			s.opt.Limits.Nodes, s.opt.Limits.Edges)
	}
	return nil
}

func (s *Server) decode(q *Query, sh *hosted, opt dataset.Options) (dataset.Record, error) {
	texts := []struct{ text, format string }{{q.SMILES, "smiles"}, {q.Mol, "sdf"}, {q.TVE, "tve"}, {q.Text, ""}}
	given := 0
	for _, f := range texts {
		if f.text != "" {
			given++
		}
	}
	if q.Graph != nil {
		given++
	}
	if q.ID != "" {
		given++
	}
	if given != 1 {
		return dataset.Record{}, problem(http.StatusUnprocessableEntity,
			"%d graphs are given; give one of smiles, mol, tve, graph, text or id", given)
	}
	switch {
	case q.ID != "" && sh == nil:
		return dataset.Record{}, problem(http.StatusUnprocessableEntity,
			"an id belongs to a collection, but none is named here; give the graph itself")
	case q.ID != "":
		return sh.get(q.ID)
	case q.Graph != nil:
		labelled, ok := alreadyLabelled(opt)
		if ok && q.Graph.Named() {
			opt, ok = labelled, false // of what this service has shown, ids are numbers
		}
		rec, err := q.Graph.Record(opt)
		if err != nil && ok {
			if again, failed := q.Graph.Record(labelled); failed == nil {
				return again, nil
			}
		}
		return rec, unreadable(err)
	}
	for _, f := range texts {
		if f.text == "" {
			continue
		}
		// The names of this service go before those that every one knows, and SMILES before both.
		named, ok := s.opt.Names.query(f.text)
		if ok && (named.ID == "" || sh != nil) && !isSMILES(f.text) {
			rec, err := s.decode(&named, sh, opt)
			if err == nil {
				rec.Name = s.opt.Names.of(rec.ID, rec.SMILES)
			}
			return rec, err
		}
		return readText(f.text, f.format, opt)
	}
	panic("server: a query of no form") // given is 1
}

// isSMILES reports whether a text is a SMILES.
func isSMILES(text string) bool {
	_, err := chem.ParseSMILES(strings.TrimSpace(text))
	return err == nil
}

// alreadyLabelled returns options for a graph that this service has read before, whose
// labels are in the attribute label, whatever attribute they came from. It returns false
// if the rules name no attribute.
func alreadyLabelled(opt dataset.Options) (dataset.Options, bool) {
	named := false
	for _, label := range []*string{&opt.NodeLabel, &opt.EdgeLabel} {
		if *label != "" && *label != dataset.NoLabel {
			*label, named = "label", true
		}
	}
	return opt, named
}

// reading returns the options for reading a graph of a request: by the rules of a
// collection, which may be nil, within the limits, without guesses, and only as long as
// the client waits.
func (s *Server) reading(ctx context.Context, sh *hosted, costs []edit.Costs) dataset.Options {
	opt := dataset.Options{
		Vocabulary: graph.NewVocabulary(), Declared: true, Blocks: true, Context: ctx, MaxNodes: s.opt.Limits.Nodes,
		MaxEdges: s.opt.Limits.Edges,
	}
	if sh != nil {
		if rules, known := sh.Collection.Rules(); known {
			opt.Rules, opt.Adopted = rules, true
			return opt
		}
	}
	for _, c := range costs {
		if opt.NodeParts == nil && opt.EdgeParts == nil {
			opt.NodeParts, opt.EdgeParts = c.Nodes.Attributes(), c.Edges.Attributes()
		}
	}
	return opt
}

// readText reads the one graph of a text. Without a format the content decides, and a
// single word, or what may be the name of a compound, is a SMILES.
func readText(text, format string, opt dataset.Options) (dataset.Record, error) {
	opt.Format = format
	if trimmed := strings.TrimSpace(text); format == "" && (!strings.ContainsAny(trimmed, " \t\n{<") ||
		chemname.Plausible(trimmed)) {
		opt.Format = "smiles"
	}
	rec, err := dataset.ReadOne(text, opt)
	if errors.Is(err, dataset.ErrSeveral) {
		return dataset.Record{}, problem(http.StatusUnprocessableEntity, "the text has more than one graph; send one")
	}
	return rec, unreadable(err)
}

// unreadable turns the error of a reader into a problem.
func unreadable(err error) error {
	var bad *dataset.BadRecord
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return explain(err)
	case errors.As(err, &bad) && bad.Line > 1:
		err = fmt.Errorf("line %d: %w", bad.Line, bad.Err)
	case errors.As(err, &bad):
		err = bad.Err
	}
	return problem(http.StatusUnprocessableEntity, "the graph cannot be read: %s", dataset.Plain(err))
}
