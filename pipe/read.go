package pipe

import (
	"errors"
	"io"
	"log/slog"
	"strings"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// expand answers with the graphs of the request, molecules as nodes and edges.
func (s *server) expand(r *request, args *struct {
	Graphs graphSet `json:"graphs"`
}) (*answer, error) {
	list, _, err := r.graphs("graphs", "", &args.Graphs, graph.NewVocabulary())
	if err != nil {
		return nil, err
	}
	a := new(answer)
	a.result = a.addGraphs(list)
	return a, nil
}

// readArgs say what to read and how, as [dataset.Options] do.
type readArgs struct {
	Path   string `json:"path"`
	Text   string `json:"text"` // in place of a file
	Format string `json:"format"`
	dataset.Rules
	SMILESColumn string `json:"smiles_column"`
	IDColumn     string `json:"id_column"`
	SkipBad      bool   `json:"skip_bad"`

	blocks bool // MOL blocks are kept
}

func (a *readArgs) options(s *server, vocab *graph.Vocabulary) dataset.Options {
	return dataset.Options{
		Rules: a.Rules, Vocabulary: vocab, Format: a.Format,
		SMILESColumn: a.SMILESColumn, IDColumn: a.IDColumn, Blocks: a.blocks, SkipBad: a.SkipBad, Declared: a.Text != "",
		Rejects: func(bad dataset.BadRecord) { s.log(slog.LevelWarn, bad.Error()) },
	}
}

// readRecords reads a file, a folder or a text, logs the reader's notes and returns by
// which rules it has read.
func (s *server) readRecords(r *request, args *readArgs, vocab *graph.Vocabulary) (list []dataset.Record, rules dataset.Rules, err error) {
	var in *dataset.Reader
	switch {
	case args.Text != "":
		in, err = dataset.NewReader(strings.NewReader(args.Text), "the graph", args.options(s, vocab))
	case greed.IsIndex(args.Path):
		return nil, rules, wrongValue("%s is an index: Collection.open opens it", args.Path)
	default:
		in, err = dataset.Open(args.Path, args.options(s, vocab))
	}
	if err != nil {
		return nil, rules, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	for {
		rec, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = r.ctx.Err()
		}
		if err != nil {
			return nil, rules, err
		}
		list = append(list, rec)
	}
	level, rules := slog.LevelInfo, in.Rules()
	if rules.Unread != (dataset.Unread{}) {
		level = slog.LevelWarn // which Python shows
	}
	for _, note := range in.Notes() {
		s.log(level, args.Path+": "+note.Text)
	}
	return list, rules, nil
}

// recordJSON is what a record says besides its graph.
type recordJSON struct {
	ID         string             `json:"id"`
	Name       string             `json:"name,omitempty"`
	SMILES     string             `json:"smiles,omitempty"`
	Nodes      []string           `json:"nodes,omitempty"`
	Attributes dataset.Attributes `json:"attributes,omitempty"`
}

type recordsJSON struct {
	Graphs  graphSet     `json:"graphs"`
	Records []recordJSON `json:"records"`
	// Plain says that the graphs are not what their SMILES alone say.
	Plain bool `json:"plain,omitempty"`
	// Compared is what the labels of molecules have besides elements and bonds.
	Compared []string `json:"compared,omitempty"`
}

// addRecords adds records to an answer.
func (a *answer) addRecords(list []dataset.Record, plain bool, compared []string) {
	out := recordsJSON{Plain: plain, Compared: compared, Records: make([]recordJSON, len(list))}
	graphs := make([]*graph.Graph, len(list))
	for i, rec := range list {
		graphs[i] = rec.Graph
		out.Records[i] = recordJSON{rec.ID, rec.Name, rec.SMILES, rec.NodeIDs, rec.Attributes}
	}
	out.Graphs = a.addGraphs(graphs)
	a.result = out
}

// read answers with the records of a file or folder.
func (s *server) read(r *request, args *readArgs) (*answer, error) {
	list, rules, err := s.readRecords(r, args, graph.NewVocabulary())
	if err != nil {
		return nil, err
	}
	a := new(answer)
	compared, _ := rules.Compared()
	a.addRecords(list, !args.Plain() || args.LargestFragment, compared)
	return a, nil
}
