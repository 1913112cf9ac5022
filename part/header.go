package part

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/truth"
)

// ErrPart is wrapped if a file is no part, is damaged, or does not belong to the
// others.
var ErrPart = errors.New("not a usable part")

// Job is what was divided.
type Job string

// The jobs. Parts of the first two hold pairs, of the last vectors.
const (
	Truth Job = "truth"
	Join  Job = "join"
	Embed Job = "embed"
)

// unit is what the job's work is counted in.
func (j Job) unit() string {
	switch j {
	case Truth:
		return "pairs"
	case Join:
		return "queries"
	}
	return "graphs"
}

// Model is the model that made vectors.
type Model struct {
	Name        string    `json:"name"`
	Fingerprint string    `json:"model"`
	Norm        norm.Norm `json:"norm"`
}

// Header says what a part is of. Parts belong together if only Share and Rows
// differ.
type Header struct {
	Version int    `json:"version"`
	Job     Job    `json:"job"`
	Share   Share  `json:"share"`
	Units   int    `json:"units"`  // of all parts together
	Inputs  string `json:"inputs"` // hash of what was read
	// Settings is the JSON of all else that the results depend on.
	Settings json.RawMessage `json:"settings"`
	Models   []Model         `json:"models,omitempty"` // of vectors: one
	Maps     bool            `json:"maps,omitempty"`   // pairs have node maps

	Rows int `json:"rows"` // of this part
}

// version is that of the layout written.
const version = 2

// fits returns an error that names the difference unless a part belongs with another.
func (h *Header) fits(o *Header) error {
	differ := ""
	switch {
	case h.Job != o.Job:
		differ = fmt.Sprintf("is of %s, not of %s", o.Job, h.Job)
	case h.Share.Of != o.Share.Of:
		differ = fmt.Sprintf("is one of %d parts, not of %d", o.Share.Of, h.Share.Of)
	case h.Units != o.Units:
		differ = fmt.Sprintf("is of %d %s, not of %d", o.Units, h.Job.unit(), h.Units)
	case h.Inputs != o.Inputs:
		differ = "is of other graphs, ids or attributes, or of the same in another order"
	case !reflect.DeepEqual(h.Models, o.Models):
		differ = "was made with another model"
	case h.Maps != o.Maps || string(h.Settings) != string(o.Settings):
		differ = fmt.Sprintf("was made with other settings: %s, not %s", o.Settings, h.Settings)
	default:
		return nil
	}
	return fmt.Errorf("%w: it %s", ErrPart, differ)
}

// Inputs hashes records as they are read.
type Inputs struct {
	hash  *truth.Hash
	n     int
	ended int    // those of collections that have ended
	graph []byte // memory of Add
}

// NewInputs returns the hash of no records.
func NewInputs() *Inputs { return &Inputs{hash: truth.NewHash()} }

// InputsOf returns the hash of collections.
func InputsOf(collections ...iter.Seq[dataset.Record]) string {
	in := NewInputs()
	for _, records := range collections {
		for r := range records {
			in.Add(&r)
		}
		in.End()
	}
	return in.Sum()
}

// End ends a collection, where there are several.
func (in *Inputs) End() {
	in.hash.Number(in.n - in.ended)
	in.ended = in.n
}

// Add adds the next record: its graph, its ids and all else that is said of it.
func (in *Inputs) Add(rec *dataset.Record) {
	in.graph = truth.AppendGraph(in.graph[:0], rec.Graph)
	in.Take(*rec, in.graph)
}

// Take is Add of a record whose graph is given as [truth.AppendGraph] has it.
func (in *Inputs) Take(rec dataset.Record, g []byte) {
	in.n++
	about, err := json.Marshal(rec.Attributes)
	if err != nil { // what has no JSON form is in no file either
		about = []byte(err.Error())
	}
	for _, text := range []string{rec.ID, rec.Name, rec.SMILES, string(about)} {
		in.hash.Text(text)
	}
	in.hash.Number(len(rec.NodeIDs))
	for _, id := range rec.NodeIDs {
		in.hash.Text(id)
	}
	in.hash.Write(g)
}

// Len returns the number of records.
func (in *Inputs) Len() int { return in.n }

// Sum returns the hash in hexadecimal.
func (in *Inputs) Sum() string {
	sum := in.hash.Sum()
	return hex.EncodeToString(sum[:])
}
