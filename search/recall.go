package search

import (
	"errors"
	"fmt"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
)

// Recall says what share of the graphs within a radius a search by predictions finds at least, and how that is known.
type Recall struct {
	Share      float64 `json:"share" doc:"${recall_share}"`
	Confidence float64 `json:"confidence" doc:"How sure that is"`
	Cut        float64 `json:"cut" doc:"Graphs predicted within this are candidates"`
	Queries    int     `json:"queries" doc:"How many queries the model was calibrated with"`
	Of         string  `json:"of" doc:"The collection that they were searched in"`
}

// recallOf returns how predictions reach the recall of a search, or an error that wraps [model.ErrCalibration].
func (c *Collection) recallOf(m *model.Model, q *graph.Graph, opt Options) (*Recall, error) {
	by := m.Calibration()
	if by == nil {
		return nil, fmt.Errorf("search: %w: the model was not calibrated on this collection: greed calibrate does that",
			model.ErrCalibration)
	}
	graphs, nodes, edges := c.sizes()
	if err := errors.Join(by.Fits(graphs, nodes, edges), by.Covers(q)); err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	cut, err := by.Cut(*opt.Radius, opt.Recall)
	if err != nil {
		return nil, fmt.Errorf("search: %w", err)
	}
	return &Recall{opt.Recall, model.Confidence, cut, by.Queries, by.Of}, nil
}

// checkRecall returns an error if a recall was asked for that a search cannot have.
func (o *Options) checkRecall() error {
	switch {
	case o.Recall == 0:
		return nil
	case !(o.Recall > 0 && o.Recall < 1):
		return fmt.Errorf("search: the recall is %v: ask for a share below 1, such as 0.99; proven answers have all",
			o.Recall)
	case o.Mode == Proven:
		return errors.New("search: proven answers have all: ask for a recall in mode checked or predicted")
	case o.Radius == nil || o.K > 0:
		return errors.New("search: a recall is of what lies within a radius: give a radius, and no k")
	case len(o.Filters) > 0 || o.Accept != nil || o.First > 0:
		return errors.New("search: a recall is known of all graphs, not of those that pass a filter: leave out one " +
			"of them")
	case o.NoModel:
		return errors.New("search: a recall is that of a model, but none is to be used")
	}
	return nil
}

// sizes returns the number of graphs, and of nodes and edges in one on average.
func (c *Collection) sizes() (graphs int, nodes, edges float64) {
	c.mean.once.Do(func() {
		for p := range c.Live() {
			s := c.Signature(p)
			c.mean.nodes += float64(s.Nodes())
			c.mean.edges += float64(s.Edges())
		}
		if n := float64(c.Len()); n > 0 {
			c.mean.nodes /= n
			c.mean.edges /= n
		}
	})
	return c.Len(), c.mean.nodes, c.mean.edges
}

// Exchange puts a model with a calibration in place of the same without, or with another.
func (c *Collection) Exchange(m *model.Model) {
	task := m.Metadata().Task
	c.engines[task] = engine{m, c.engines[task].cell}
}
