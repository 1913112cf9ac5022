package operation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/greedgraph/greed/edit"
)

// Priced chooses edit costs.
type Priced struct {
	Costs            Costs `json:"costs,omitzero" placeholder:"NAME|FILE|JSON" doc:"${priced_costs}"`
	IgnoreEdgeLabels bool  `json:"ignore_edge_labels,omitempty" doc:"${priced_ignore_edge_labels}"`
}

// Chosen returns the costs, or nil if none were chosen. Where only the labels of edges are
// to be ignored, all else costs 1.
func (p *Priced) Chosen() (*edit.Costs, error) { return p.Costs.read(p.IgnoreEdgeLabels) }

// Given reports whether anything was chosen.
func (p *Priced) Given() bool { return !p.Costs.IsZero() || p.IgnoreEdgeLabels }

// Or returns the costs, or the usual ones if none were chosen.
func (p *Priced) Or(usual edit.Costs) (edit.Costs, error) {
	chosen, err := p.Chosen()
	if chosen == nil {
		return usual, err
	}
	return *chosen, nil
}

// of returns the costs of a task that models learn, by default uniform ones. Common
// subgraphs have none, but may ignore the labels of edges.
func (p *Priced) of(task edit.Task) (edit.Costs, error) {
	if task == edit.MCS && !p.Costs.IsZero() {
		return edit.Costs{}, wrong("costs", "do not apply to common subgraphs")
	}
	return p.Or(edit.Uniform())
}

// Costs are edit costs in a request: a name, or an object as in a file. The zero value
// chooses none.
type Costs struct {
	text json.RawMessage
	file string // that the text is of, or ""
}

// CostsOf returns the costs that a JSON text, or the name of costs, stands for.
func CostsOf(text string) Costs {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		return Costs{text: json.RawMessage(text)}
	}
	name, _ := json.Marshal(text) // a string always has a JSON form
	return Costs{text: name}
}

// CostsIn returns the costs that the text of a file stands for.
func CostsIn(file string, text []byte) Costs {
	return Costs{append([]byte(" "), text...), file} // of an empty file, too, reading says what it lacks
}

// File returns the name of the file whose text these costs are, if they are one's.
func (c Costs) File() string { return c.file }

// IsZero reports whether no costs were chosen.
func (c Costs) IsZero() bool { return len(c.text) == 0 }

// UnmarshalJSON keeps a copy of text, which Read reads. As with other members, null chooses nothing.
func (c *Costs) UnmarshalJSON(text []byte) error {
	if c.text = bytes.Clone(text); string(text) == "null" {
		c.text = nil
	}
	return nil
}

// MarshalJSON implements [json.Marshaler].
func (c Costs) MarshalJSON() ([]byte, error) {
	if c.IsZero() {
		return []byte("null"), nil
	}
	return c.text, nil
}

func (c Costs) read(ignoreEdgeLabels bool) (*edit.Costs, error) {
	costs := edit.Uniform()
	var name string
	switch {
	case c.IsZero() && !ignoreEdgeLabels:
		return nil, nil
	case c.IsZero():
	case bytes.HasPrefix(bytes.TrimSpace(c.text), []byte{'"'}) && json.Unmarshal(c.text, &name) == nil && name != "":
		named, known := edit.Named(name)
		if !known {
			return nil, wrong("costs", "no costs are named %q; the names are %s, or give an object with weights of "+
				"your own", name, strings.Join(edit.Names(), ", "))
		}
		costs = named
	default:
		read, err := edit.ParseCosts(c.text)
		if err != nil {
			if c.file != "" {
				err = fmt.Errorf("%s: %w", c.file, err)
			}
			return nil, &Error{"costs", err.Error()}
		}
		costs = read
	}
	if ignoreEdgeLabels {
		costs = costs.IgnoreEdgeLabels()
	}
	return &costs, nil
}
