package greed

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/greedgraph/greed/chem"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/ged"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/search"
	"github.com/greedgraph/greed/space"
)

// Space is a synthon space: reactions and their synthons, of which products are made on the fly. It is safe for
// concurrent use.
type Space struct{ space *space.Space }

// OpenSpace reads a synthon space from a file of columns SMILES, synton_id, synton# and reaction_id, which may be
// compressed; see package space.
func OpenSpace(ctx context.Context, path string) (s *Space, err error) {
	in, err := dataset.OpenText(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	read, err := space.Read(ctx, in, path)
	if err != nil {
		return nil, err
	}
	return &Space{read}, nil
}

// IsSpace reports whether a file begins as a synthon space does.
func IsSpace(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	in, err := dataset.OpenText(path)
	if err != nil {
		return false
	}
	line, _ := bufio.NewReader(in).ReadSlice('\n')
	header := space.IsHeader(strings.TrimRight(string(line), "\r\n"))
	return in.Close() == nil && header
}

// SpaceInfo describes a space. The number of products is at most 2⁶⁴-1.
type SpaceInfo struct {
	Reactions []ReactionInfo `json:"reactions"`
	Synthons  int            `json:"synthons"` // each counted in every component that has it
	Products  uint64         `json:"products"`
	Notes     []Note         `json:"notes,omitempty"`
}

// ReactionInfo describes a reaction.
type ReactionInfo struct {
	ID       string `json:"id"`
	Synthons []int  `json:"synthons"` // of each component
	Products uint64 `json:"products"`
}

// Info describes the space.
func (s *Space) Info() *SpaceInfo {
	info := &SpaceInfo{}
	info.Synthons, info.Products = s.space.Size()
	for i := range s.space.Reactions {
		r := &s.space.Reactions[i]
		about := ReactionInfo{ID: r.ID, Products: r.Size()}
		for _, c := range r.Components {
			about.Synthons = append(about.Synthons, len(c.Synthons))
		}
		info.Reactions = append(info.Reactions, about)
		for _, n := range r.Open {
			info.Notes = append(info.Notes, dataset.Remarks(fmt.Sprintf("reaction %s: only one component has the attachment "+
				"point %d, so products keep it", r.ID, n))...)
		}
	}
	return info
}

// SpaceOptions say what a search of a space looks for. Costs are unit costs.
type SpaceOptions struct {
	Task    Task
	SMARTS  *SMARTS       // instead of a query: products that contain this pattern
	Radius  *float64      // only products within this distance
	K       int           // at most so many; 0: all within the radius or, without one, 10
	Time    time.Duration // 0: [DefaultTime]; [NoLimit] is no limit
	Workers int           // 0: one per core
	Explain bool          // answers have the node map and the edits; not of a pattern
}

// FoundProducts is the result of a search of a space.
type FoundProducts struct {
	Task   Task     `json:"task"`
	Status Status   `json:"status"` // proven or open
	K      int      `json:"k,omitempty"`
	Radius *float64 `json:"radius,omitempty"`
	// Answers are in the order of distances.
	Answers []Product `json:"answers"`
	// Within is the distance up to which all products are known, and absent if there is none.
	Within *float64 `json:"proven_within,omitempty"`
	// Contain is how many products contain the query, where that is asked for and was counted without making them.
	Contain *Contained `json:"contain,omitempty"`
	// Open is the number of products that bounds left open, absent where they were not counted.
	Open    *int64      `json:"open,omitempty"`
	Tied    bool        `json:"tied,omitempty"` // more products may be as far away as the last of K
	Stats   space.Stats `json:"stats"`
	Seconds float64     `json:"seconds"`
	Verdict string      `json:"verdict"`
	Notes   []Note      `json:"notes,omitempty"`
}

// Contained is a number of products, each way to make one counted: it is from Least to Most.
type Contained struct {
	Least uint64 `json:"least"`
	Most  uint64 `json:"most"`
}

// Product is an answer. Its origins are all ways to make it.
type Product struct {
	SMILES   string   `json:"smiles"`
	Distance float64  `json:"distance"`
	Origins  []Origin `json:"origins"`
	// Map gives the atom of SMILES, counted from 0, that each node of the query becomes, and Edits are those that the
	// map implies, if they are to be explained and time allows. Map is nil otherwise.
	Map   edit.NodeMap     `json:"map,omitzero"`
	Edits []edit.Operation `json:"edits,omitzero"`
}

// Origin is a way to make a product: a reaction and a synthon for each component.
type Origin struct {
	Reaction string    `json:"reaction"`
	Synthons []Synthon `json:"synthons"`
}

// Synthon is a synthon with its attachment points as they are written.
type Synthon struct {
	ID     string `json:"id"`
	SMILES string `json:"smiles"`
}

// Search finds all products near to a query, or the nearest, without making the others. If ctx ends before, it
// returns its error with what is known.
func (s *Space) Search(ctx context.Context, query *Record, opt SpaceOptions) (*FoundProducts, error) {
	if opt.SMARTS != nil {
		pattern, err := opt.SMARTS.Graph(s.space.Vocabulary().Extend(), true)
		if err != nil {
			return nil, err
		}
		query, opt.Task, opt.Radius = &Record{ID: opt.SMARTS.String(), Graph: pattern}, SED, new(float64)
	}
	if opt.K == 0 && opt.Radius == nil {
		opt.K = search.DefaultK
	}
	limit := cmp.Or(opt.Time, DefaultTime)
	if limit == NoLimit {
		limit = 0
	}
	begin := time.Now()
	q := graph.Adopt(s.space.Vocabulary(), query.Graph)
	r, failed := s.space.Search(ctx, q, space.Options{
		Task: opt.Task, SMARTS: opt.SMARTS, Radius: opt.Radius, K: opt.K, Time: limit, Workers: opt.Workers,
	})
	if r == nil {
		return nil, failed
	}
	f := &FoundProducts{
		Task: opt.Task, Status: StatusOpen, K: opt.K, Radius: opt.Radius, Answers: []Product{}, Tied: r.Tied, Stats: r.Stats,
		Seconds: time.Since(begin).Seconds(), Notes: s.Info().Notes,
	}
	if r.Radius >= 0 {
		f.Within = &r.Radius
	}
	if c := r.Contain; c != nil {
		f.Contain = &Contained{c[0], c[1]}
	}
	switch {
	case r.Complete:
		f.Status = StatusProven
	case r.Open >= 0:
		f.Open = &r.Open
	}
	for _, a := range r.Answers {
		p := Product{SMILES: a.SMILES, Distance: a.Distance}
		for _, o := range a.Origins {
			origin := Origin{Reaction: o.Reaction.ID}
			for _, x := range o.Synthons {
				origin.Synthons = append(origin.Synthons, Synthon{x.ID, x.SMILES})
			}
			p.Origins = append(p.Origins, origin)
		}
		f.Answers = append(f.Answers, p)
	}
	f.Verdict = f.verdict()
	if opt.Explain && opt.SMARTS == nil {
		if err := f.explain(ctx, q, limit); err != nil {
			return nil, err
		}
		f.Seconds = time.Since(begin).Seconds()
	}
	return f, failed
}

// explain finds the map and the edits of each answer, in as much time unless that is 0.
func (f *FoundProducts) explain(ctx context.Context, q *graph.Graph, limit time.Duration) error {
	prices, err := edit.Price(f.Task, edit.Uniform())
	if err != nil {
		return err
	}
	solver, err := ged.NewSolver(f.Task, edit.Uniform())
	if err != nil {
		return err
	}
	for i := range f.Answers {
		a := &f.Answers[i]
		mol, err := chem.ParseSMILES(a.SMILES)
		if err != nil {
			return err
		}
		g, err := mol.Graph(q.Vocabulary(), chem.Options{})
		if err != nil {
			return err
		}
		r, err := solver.Distance(ctx, q, g, ged.Options{Time: limit})
		if err != nil {
			return err
		}
		if r.Exact {
			a.Map, a.Edits = r.Map, append([]edit.Operation{}, edit.Edits(prices, q, g, r.Map)...)
		}
	}
	return nil
}

// verdict says what the answers are worth.
func (f *FoundProducts) verdict() string {
	var text string
	switch {
	case f.Status == StatusProven && (f.K == 0 || len(f.Answers) < f.K):
		text = "proven: every answer is exact and none is missing"
	case f.Status == StatusProven:
		text = "proven: every answer is exact and no other product is nearer"
	case f.Within != nil:
		text = fmt.Sprintf("open: stopped before all was proven; no other product is within %v", *f.Within)
	default:
		text = "open: stopped before all was proven"
	}
	if f.Open != nil {
		text += fmt.Sprintf("; %s left open by bounds", counted(int(*f.Open), "product"))
	}
	if !f.Tied {
		return text
	}
	if c := f.Contain; c == nil || len(f.Answers) == 0 || f.Answers[len(f.Answers)-1].Distance > 0 {
		text += "; others may be as near as the last"
	} else if c.Least == c.Most {
		text += fmt.Sprintf("; %d products contain the query, each way to make one counted", c.Most)
	} else {
		text += fmt.Sprintf("; %d to %d products contain the query, each way to make one counted", c.Least, c.Most)
	}
	return text
}
