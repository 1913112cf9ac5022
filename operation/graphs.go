package operation

import (
	"context"
	"fmt"
	"unicode/utf8"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
)

// Embed asks for the vector of a graph.
type Embed struct {
	Task string `json:"task,omitempty" enum:"ged,sed" default:"ged" doc:"${embed_task}"`
}

// Parse asks how a graph is read.
type Parse struct {
	SMARTS string `json:"smarts,omitempty" minLength:"1" doc:"${parse_request_smarts}"`
}

// Plan implements [Operation.Plan].
func (r *Parse) Plan(Limits, Usual) (p *Planned, err error) {
	p = &Planned{Run: func(_ context.Context, in *Inputs) (any, error) { return greed.Show(in.Query) }}
	if r.SMARTS != "" {
		p.Pattern, err = pattern(r.SMARTS)
	}
	return p, err
}

// Put says what is kept of a graph beside its nodes and edges.
type Put struct {
	Name       string             `json:"name,omitempty" doc:"Name of the graph; by default the one in its file"`
	Attributes dataset.Attributes `json:"attributes,omitempty" doc:"${put_attributes}"`
}

// Storing says how graphs are stored.
type Storing struct {
	New bool `json:"new,omitempty" doc:"Change nothing if a graph with one of the ids exists, instead of replacing it"`
}

// Change asks for graphs to be kept and deleted, all at once. Each surface has its own form
// of the graphs.
type Change struct {
	Storing
	Delete []string `json:"delete,omitempty" doc:"${change_delete}"`
	State  *string  `json:"state,omitempty" minLength:"1" doc:"${change_state}"`
}

// Plan implements [Operation.Plan].
func (r *Change) Plan(Limits, Usual) (*Planned, error) {
	return &Planned{Run: func(ctx context.Context, in *Inputs) (any, error) {
		change, err := r.Resolve(in.Put)
		if err != nil {
			return nil, err
		}
		out, err := in.Collection.Apply(ctx, change)
		return &out, err
	}}, nil
}

// Resolve returns a change that puts records, or an [Error] that names a field.
func (r *Change) Resolve(put []greed.Record) (greed.Change, error) {
	for _, rec := range put {
		if err := CheckID(rec.ID); err != nil {
			return greed.Change{}, err
		}
	}
	for i, id := range r.Delete {
		if err := CheckID(id); err != nil {
			return greed.Change{}, wrong(fmt.Sprintf("delete[%d]", i), "%v", err)
		}
	}
	change := greed.Change{Put: put, Delete: r.Delete, New: r.New}
	if r.State != nil {
		if change.If = *r.State; change.If == "" { // which would change any state
			return greed.Change{}, wrong("state", "it is empty; give it a value or leave it out")
		}
	}
	return change, nil
}

// longestID is the greatest length of an id in bytes.
const longestID = 4096

// CheckID returns an [Error] unless a graph can be kept under an id.
func CheckID(id string) error {
	switch {
	case id == "":
		return wrong("id", "there is no id")
	case len(id) > longestID:
		return wrong("id", "the id has %d bytes; at most %d are allowed", len(id), longestID)
	case !utf8.ValidString(id):
		return wrong("id", "the id is not UTF-8")
	}
	return nil
}
