package operation

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/nn"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/train"
)

// Train asks for a model of a collection. Numbers of 0 leave a setting as it is.
type Train struct {
	Task string `json:"task,omitempty" enum:"ged,sed,mcs" default:"ged" placeholder:"TASK" doc:"${train_task}"`

	Preset   string  `json:"preset,omitempty" group:"training" enum:"default,paper" default:"default" doc:"${preset}"`
	Hidden   int     `json:"hidden,omitempty" group:"training" minimum:"1" placeholder:"N" doc:"${hidden}"`
	Layers   int     `json:"layers,omitempty" group:"training" minimum:"0" placeholder:"N" doc:"${layers}"`
	Counts   int     `json:"counts,omitempty" group:"training" minimum:"0" placeholder:"N" doc:"${counts}"`
	Direct   int     `json:"direct,omitempty" group:"training" minimum:"0" placeholder:"N" doc:"${direct}"`
	Norm     string  `json:"norm,omitempty" group:"training" placeholder:"NORM" doc:"${train_norm}"`
	Conv     string  `json:"conv,omitempty" group:"training" placeholder:"CONV" doc:"${train_conv}"`
	Features *bool   `json:"features,omitempty" group:"training" negatable:"" doc:"${train_features}"`
	Steps    int     `json:"steps,omitempty" group:"training" minimum:"1" placeholder:"N" doc:"${steps}"`
	Rate     float64 `json:"rate,omitempty" group:"training" minimum:"0" placeholder:"X" doc:"${train_rate}"`
	Seed     uint64  `json:"seed,omitempty" group:"training" default:"1" placeholder:"N" doc:"Random seed"`

	MaxPairs int   `json:"max_pairs,omitempty" group:"Ground truth:" minimum:"1" placeholder:"N" doc:"${max_pairs}"`
	Edits    *int  `json:"edits,omitempty" group:"Ground truth:" minimum:"0" placeholder:"N" doc:"${train_edits}"`
	States   int64 `json:"states,omitempty" group:"Ground truth:" minimum:"1" placeholder:"N" doc:"${train_states}"`

	Drawing        `group:"Ground truth:"`
	Neighbourhoods `group:"Ground truth:"`
	Priced
}

// Drawing says how queries are drawn from a collection for sed.
type Drawing struct {
	QueryDepth  int     `json:"query_depth,omitempty" placeholder:"N" doc:"${drawing_query_depth}"`
	QueryKeep   float64 `json:"query_keep,omitempty" placeholder:"P" doc:"${drawing_query_keep}"`
	QueryLimits []int   `json:"query_limits,omitempty" default:"5,25" placeholder:"MIN,MAX" doc:"${query_limits}"`
}

// Neighbourhoods say what represents large graphs when subgraphs are learnt.
type Neighbourhoods struct {
	Hops     int `json:"hops,omitempty" default:"2" placeholder:"N" doc:"${neighbourhoods_hops}"`
	MaxNodes int `json:"max_nodes,omitempty" default:"1000" placeholder:"N" doc:"${neighbourhoods_max_nodes}"`
}

// Resolve returns the task and the costs, or an [Error] that names a field.
func (r *Train) Resolve() (m Measure, err error) {
	if m.Task, err = Learnable(r.Task); err != nil {
		return m, err
	}
	m.Costs, err = r.of(m.Task)
	return m, err
}

// Recipe returns how a model of graphs is made, or an [Error] that names a field.
func (r *Train) Recipe(m Measure, graphs []*graph.Graph) (train.Recipe, error) {
	recipe := train.DefaultRecipe(m.Task, m.Costs, graphs)
	if r.Preset == "paper" {
		recipe = train.PaperRecipe(m.Task, m.Costs, graphs)
	}
	to := &recipe
	states, usual := to.Config.Hidden, to.Options
	if err := r.count(to, m.Task); err != nil {
		return recipe, err
	}
	if give(&to.Config.Layers, r.Layers); r.Layers > 0 {
		to.Config.Hidden, to.Options.Graphs, to.Options.Rate = states, usual.Graphs, usual.Rate
	}
	give(&to.Config.Hidden, r.Hidden)
	if give(&to.Options.Steps, r.Steps); r.Steps > 0 {
		to.Passes = 0
	}
	give(&to.Options.Rate, r.Rate)
	give(&to.Plan.Pairs, r.MaxPairs)
	give(&to.Plan.Solver.States, r.States)
	switch {
	case r.Edits != nil && *r.Edits < 0:
		return recipe, wrong("edits", "%d: want a number of edits", *r.Edits)
	case r.Edits != nil:
		to.Plan.Edits = *r.Edits
	}
	to.Options.Seed, to.Plan.Seed = r.Seed, r.Seed
	to.Config.Conv = model.Conv(cmp.Or(r.Conv, string(to.Config.Conv)))
	if r.Features != nil {
		to.Config.Features = *r.Features
	}
	var err error
	if to.Plan.Sampler, to.Plan.Limits, err = r.Sampler(nil); err != nil {
		return recipe, err
	}
	if to.Plan.Neighbourhoods, err = r.Settings(); err != nil {
		return recipe, err
	}
	if r.Norm != "" {
		n, err := parseNorm(r.Norm, m.Task == edit.SED)
		if err != nil {
			return recipe, wrong("norm", "%s: %v", r.Norm, err)
		}
		to.Config.Norm, to.Norms = n, nil
	}
	if err := to.Config.Check(); err != nil {
		return recipe, err
	}
	if dim := to.Config.Norm.Dim(); to.Direct > dim {
		return recipe, wrong("direct", "%d: the norm has %d coordinates", to.Direct, dim)
	}
	return recipe, to.Options.Check()
}

// count applies the fields for counts.
func (r *Train) count(to *train.Recipe, task edit.Task) error {
	switch {
	case r.Counts < 0 || r.Counts > nn.MostCounts:
		return wrong("counts", "%d: want a number up to %d", r.Counts, nn.MostCounts)
	case r.Direct < 0 || r.Direct%kernel.Lane != 0:
		return wrong("direct", "%d: want a number of coordinates that is a multiple of %d", r.Direct, kernel.Lane)
	case r.Counts == 0 && r.Direct > 0:
		return wrong("direct", "needs counts")
	case r.Counts == 0:
		return nil
	case task.Symmetric():
		return wrong("counts", "is for sed")
	case r.Layers == 0 && (r.Conv != "" || r.Features != nil):
		return wrong("counts", "without layers means no message passing, which conv and features configure")
	}
	to.Count(r.Counts, r.Direct)
	return nil
}

// give changes a setting to a value that was given.
func give[T int | int64 | float64](setting *T, value T) { *setting = cmp.Or(value, *setting) }

// parseNorm reads KIND or KIND:COMBINE:WIDTHxBLOCKS.
func parseNorm(text string, hinge bool) (norm.Norm, error) {
	const usual = 64
	fields := strings.Split(text, ":")
	n := norm.Single(norm.Kind(fields[0]), usual, hinge)
	if len(fields) == 1 {
		return n, n.Check()
	}
	width, blocks := 0, 0
	if len(fields) != 3 {
		return n, fmt.Errorf("want l1, l2 or KIND:COMBINE:WIDTHxBLOCKS such as l1:max:8x8")
	}
	if _, err := fmt.Sscanf(fields[2], "%dx%d", &width, &blocks); err != nil || blocks < 1 {
		return n, fmt.Errorf("%q: want WIDTHxBLOCKS such as 8x8", fields[2])
	}
	n = norm.Blocks(n.Kind, norm.Combine(fields[1]), width, blocks, hinge)
	return n, n.Check()
}

// Sampler returns what draws queries: usual, unless the fields say otherwise.
func (r *Drawing) Sampler(usual sample.Sampler) (sample.Sampler, sample.Limits, error) {
	limits := sample.PaperLimits()
	if len(r.QueryLimits) != 2 || r.QueryLimits[0] < 1 || r.QueryLimits[1] < r.QueryLimits[0] {
		return nil, limits, wrong("query_limits", "want the fewest and the most nodes, such as 5,25")
	}
	limits.MinNodes, limits.MaxNodes = r.QueryLimits[0], r.QueryLimits[1]
	if r.QueryDepth == 0 && r.QueryKeep == 0 {
		return usual, limits, nil
	}
	s := sample.BFS{Depth: cmp.Or(r.QueryDepth, 5), Keep: cmp.Or(r.QueryKeep, 0.8)}
	switch {
	case s.Depth < 1:
		return nil, limits, wrong("query_depth", "%d: want a depth above 0", r.QueryDepth)
	case !(s.Keep > 0 && s.Keep <= 1):
		return nil, limits, wrong("query_keep", "%v: want a probability", r.QueryKeep)
	}
	return s, limits, nil
}

// Settings returns the neighbourhoods.
func (r *Neighbourhoods) Settings() (train.Neighbourhoods, error) {
	switch {
	case r.Hops < 1:
		return train.Neighbourhoods{}, wrong("hops", "%d: want at least 1", r.Hops)
	case r.MaxNodes < 2:
		return train.Neighbourhoods{}, wrong("max_nodes", "%d: want at least 2", r.MaxNodes)
	}
	return train.Neighbourhoods{Hops: r.Hops, Nodes: r.MaxNodes}, nil
}
