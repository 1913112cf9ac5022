package pipe

import (
	"errors"
	"log/slog"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/chem/chemname"
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
}

// source returns where the graphs are and how they are read.
func (a *readArgs) source(s *server) greed.Source {
	return greed.Source{Path: a.Path, Text: a.Text, Options: dataset.Options{
		Rules: a.Rules, Vocabulary: graph.NewVocabulary(), Format: a.Format,
		SMILESColumn: a.SMILESColumn, IDColumn: a.IDColumn, SkipBad: a.SkipBad, Declared: a.Text != "",
		Rejects: func(bad dataset.BadRecord) { s.log(slog.LevelWarn, bad.Error()) },
	}}
}

// logNotes logs the notes of reading.
func (s *server) logNotes(path string, rules dataset.Rules, notes []dataset.Note) {
	level := slog.LevelInfo
	if rules.Unread != (dataset.Unread{}) {
		level = slog.LevelWarn // which Python shows
	}
	for _, note := range notes {
		s.log(level, path+": "+note.Text)
	}
}

// wrongReading makes errors of a caller of what options of reading ask for.
func wrongReading(err error) error {
	var option *dataset.OptionError
	if errors.Is(err, greed.ErrReadAs) || errors.As(err, &option) && option.Unwrap() == nil {
		return wrongValue("%s", err)
	}
	return err
}

// recordJSON is what a record says besides its graph.
type recordJSON struct {
	ID         string             `json:"id"`
	Name       string             `json:"name,omitempty"`
	SMILES     string             `json:"smiles,omitempty"`
	Nodes      []string           `json:"nodes,omitempty"`
	Attributes dataset.Attributes `json:"attributes,omitempty"`
	Asks       bool               `json:"asks,omitempty"` // what a graph does not say: see [dataset.Unread]
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
		out.Records[i] = recordJSON{rec.ID, rec.Name, rec.SMILES, rec.NodeIDs, rec.Attributes, rec.Unread.Asks}
	}
	out.Graphs = a.addGraphs(graphs)
	a.result = out
}

// read answers with the records of a file or folder.
func (s *server) read(r *request, args *readArgs) (*answer, error) {
	in, err := greed.Read(r.ctx, args.source(s))
	if errors.Is(err, greed.ErrIndex) {
		return nil, wrongValue("%s is an index: Collection.open opens it", args.Path)
	}
	if err != nil {
		return nil, wrongReading(err)
	}
	s.logNotes(args.Path, in.Rules, in.Notes)
	a := new(answer)
	compared, _ := in.Rules.Compared()
	a.addRecords(in.Records, !args.Plain() || args.LargestFragment || args.Neutralise, compared)
	return a, nil
}

// named is what a text names.
type named struct {
	Text   int    `json:"text"` // its position
	SMILES string `json:"smiles"`
	Name   string `json:"name"`
	Remark string `json:"remark"`
}

// names answers which texts are names of compounds. What is a SMILES is none.
func (s *server) names(r *request, args *struct {
	Texts []string `json:"texts"`
}) (*answer, error) {
	list := []named{}
	var parser chem.Parser
	for i, text := range args.Texts {
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		_, err := parser.Parse(text)
		if err == nil {
			continue
		}
		if c, err := chemname.Resolve(text, err); err == nil {
			list = append(list, named{i, c.SMILES, c.String(), c.Remark(text)})
		}
	}
	return &answer{result: list}, nil
}

// columns answers which columns of a table have the SMILES and the ids, by their names; -1: none has ids.
func (s *server) columns(_ *request, args *struct {
	Names []string `json:"names"`
}) (*answer, error) {
	smiles, id := dataset.ChooseColumns(args.Names)
	return &answer{result: map[string]int{"smiles": smiles, "id": id}}, nil
}
