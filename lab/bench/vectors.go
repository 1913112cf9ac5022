package bench

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/greedgraph/greed/bundle"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/model"
	"github.com/greedgraph/greed/norm"
	"github.com/greedgraph/greed/sample"
	"github.com/greedgraph/greed/vectorindex"
)

// vectorSet holds vectors to search and queries that are not among them.
type vectorSet struct {
	name, origin string
	norm         norm.Norm
	vectors      []float32 // [n, dim]
	queries      []float32 // [queries, dim]
}

func (v *vectorSet) len() int        { return len(v.vectors) / v.norm.Dim() }
func (v *vectorSet) queryCount() int { return len(v.queries) / v.norm.Dim() }

func (v *vectorSet) query(i int) vectorindex.Query {
	dim := v.norm.Dim()
	return vectorindex.Query{Vector: v.queries[i*dim : (i+1)*dim]}
}

// first returns the set with only its first n vectors.
func (v *vectorSet) first(n int) *vectorSet {
	part := *v
	part.vectors = v.vectors[:n*v.norm.Dim()]
	return &part
}

// duplicates returns the share of vectors that equal an earlier one.
func (v *vectorSet) duplicates() float64 {
	hashes := rowHashes(maphash.MakeSeed(), v.vectors, v.norm.Dim())
	slices.Sort(hashes)
	return 1 - float64(len(slices.Compact(hashes)))/float64(v.len())
}

func rowHashes(seed maphash.Seed, rows []float32, dim int) []uint64 {
	var hashes []uint64
	var row []byte
	for i := 0; i < len(rows); i += dim {
		row = appendBits(row[:0], rows[i:i+dim])
		hashes = append(hashes, maphash.Bytes(seed, row))
	}
	return hashes
}

func appendBits(dst []byte, values []float32) []byte {
	for _, x := range values {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(x))
	}
	return dst
}

// generator draws graph after graph.
type generator struct {
	about  string
	graph  func(rng *rand.Rand, i int) *graph.Graph // graph i of the set
	query  func(rng *rand.Rand) (*graph.Graph, error)
	stream uint64
}

// embedAtOnce is how many graphs are drawn before they are embedded.
const embedAtOnce = 20_000

// vectors generates and embeds n graphs and the queries. It returns nil if the given
// model is for another task.
func (o *IndexOptions) vectors(ctx context.Context, task edit.Task, n int) (*vectorSet, error) {
	m, gen, err := o.generator(task)
	if err != nil || gen == nil {
		return nil, err
	}
	v := &vectorSet{name: task.String(), norm: m.Norm()}
	rng := newRand(gen.stream)
	for done := 0; done < n; {
		if o.Progress != nil {
			o.Progress(Step{v.name + ", embedding", 1, done, n})
		}
		graphs := make([]*graph.Graph, min(embedAtOnce, n-done))
		for i := range graphs {
			graphs[i] = gen.graph(rng, done+i)
		}
		z, err := m.Embed(ctx, graphs, 0)
		if err != nil {
			return nil, err
		}
		if v.vectors == nil {
			v.vectors = make([]float32, 0, n*v.norm.Dim())
		}
		v.vectors = append(v.vectors, z...)
		done += len(graphs)
	}
	if err := o.heldOut(ctx, m, gen, v); err != nil {
		return nil, err
	}
	sum := sha256.New()
	for i := 0; i < len(v.vectors); i += v.norm.Dim() {
		sum.Write(appendBits(nil, v.vectors[i:i+v.norm.Dim()])) // a hash gives no errors
	}
	v.origin = fmt.Sprintf("%d vectors of %d, %s; PCG seeds 1, %d for the vectors and 1, %d for the queries; SHA-256 of the vectors, float32 little-endian, %x",
		n, v.norm.Dim(), gen.about, gen.stream, gen.stream+1, sum.Sum(nil))
	return v, nil
}

// heldOut draws queries whose vectors are not in the set.
func (o *IndexOptions) heldOut(ctx context.Context, m *model.Model, gen *generator, v *vectorSet) error {
	seed := maphash.MakeSeed()
	hashes := rowHashes(seed, v.vectors, v.norm.Dim())
	slices.Sort(hashes)
	rng := newRand(gen.stream + 1)
	for vain := 0; v.queryCount() < o.Queries; vain++ {
		if vain > 100*o.Queries {
			return fmt.Errorf("nearly all %s queries drawn are in the set", v.name)
		}
		q, err := gen.query(rng)
		if err != nil {
			return err
		}
		z, err := m.Embed(ctx, []*graph.Graph{q}, 1)
		if err != nil {
			return err
		}
		if _, in := slices.BinarySearch(hashes, rowHashes(seed, z, len(z))[0]); !in {
			v.queries = append(v.queries, z...)
		}
	}
	return nil
}

// generator returns the model for a task and a function that draws graphs for it. Both
// are nil if the given model is for another task.
func (o *IndexOptions) generator(task edit.Task) (*model.Model, *generator, error) {
	vocab := graph.NewVocabulary()
	if o.Graph != "" {
		m, err := model.LoadIndexable(o.Model)
		if err != nil || m.Metadata().Task != task {
			return nil, nil, err
		}
		records, err := dataset.ReadAll(o.Graph, dataset.Options{Vocabulary: vocab})
		if err != nil {
			return nil, nil, err
		}
		if len(records) != 1 {
			return nil, nil, fmt.Errorf("%s holds %d graphs, want one", o.Graph, len(records))
		}
		return m, o.neighbourhoods(records[0].Graph), nil
	}
	m, err := bundle.Model(task)
	if err != nil {
		return nil, nil, err
	}
	records, err := bundle.Records(vocab)
	if err != nil {
		return nil, nil, err
	}
	return m, molecules(records, task), nil
}

// mostEdits is the greatest number of edits of a copy, mostNodes the greatest number of
// nodes that a copy may grow to.
const (
	mostEdits = 9
	mostNodes = 70
)

// molecules draws the bundled molecules, then edited copies. For SED every second one
// is a fragment of a copy, like the queries.
func molecules(records collection, task edit.Task) *generator {
	var all []*graph.Graph
	for _, r := range records {
		all = append(all, r.Graph)
	}
	editor := sample.NewEditor(all, mostNodes)
	copied := func(rng *rand.Rand) *graph.Graph {
		g, _ := editor.Edit(rng, all[rng.IntN(len(all))], rng.IntN(mostEdits+1))
		return g
	}
	fragments := sample.BFS{Depth: 5, Keep: 0.8} // like the paper's queries on AIDS
	g := &generator{stream: 10, about: "the bundled molecules, then copies of them after 0 to 9 random edits; queries are such copies"}
	g.graph = func(rng *rand.Rand, i int) *graph.Graph {
		if i < len(all) {
			return all[i]
		}
		c := copied(rng)
		if task == edit.SED && i%2 == 1 {
			return fragments.Draw(rng, c, rng.IntN(c.N()))
		}
		return c
	}
	g.query = func(rng *rand.Rand) (*graph.Graph, error) { return copied(rng), nil }
	if task == edit.SED {
		g.stream, g.about = 20, "the bundled molecules, then in turns copies of them after 0 to 9 random edits and fragments of such copies (breadth-first search, depth 5, probability 0.8); queries are such fragments of 5 to 25 nodes"
		g.query = func(rng *rand.Rand) (*graph.Graph, error) {
			return admitted(func() *graph.Graph {
				c := copied(rng)
				return fragments.Draw(rng, c, rng.IntN(c.N()))
			})
		}
	}
	return g
}

// mostNeighbours is the size at which neighbourhoods of hubs are truncated.
const mostNeighbours = 1000

// neighbourhoods draws those of all nodes of g in order, then subgraphs sampled from
// them.
func (o *IndexOptions) neighbourhoods(g *graph.Graph) *generator {
	around := func(v int) *graph.Graph {
		nodes, _ := g.Neighbourhood(v, o.Hops, mostNeighbours)
		return g.Induced(nodes)
	}
	parts := sample.BFS{Depth: o.Hops, Keep: 0.4} // like the paper's queries on PubMed
	return &generator{
		stream: 30,
		about: fmt.Sprintf("the %d-hop neighbourhoods of %s (at most %d nodes), then subgraphs sampled from them (breadth-first search, probability 0.4); queries are such subgraphs of 5 to 25 nodes",
			o.Hops, filepath.Base(o.Graph), mostNeighbours),
		graph: func(rng *rand.Rand, i int) *graph.Graph {
			if i < g.N() {
				return around(i)
			}
			return parts.Draw(rng, around(rng.IntN(g.N())), 0)
		},
		query: func(rng *rand.Rand) (*graph.Graph, error) {
			return admitted(func() *graph.Graph { return parts.Draw(rng, around(rng.IntN(g.N())), 0) })
		},
	}
}

// admitted draws until a graph has the size of the paper's queries.
func admitted(draw func() *graph.Graph) (*graph.Graph, error) {
	for range maxDraws {
		if q := draw(); sample.PaperLimits().Admit(q) {
			return q, nil
		}
	}
	return nil, sample.ErrNoQuery
}

// affordable returns the sizes, 10⁴ to 10⁷, that fit into memory.
func affordable(table *Table) []int {
	var sizes []int
	free := freeMemory()
	for n := 10_000; n <= 10_000_000; n *= 10 {
		// The vectors, of 64 coordinates, the copy of the scan, both trees, and what building
		// needs.
		if need := uint64(n) * 64 * 4 * 5; free > 0 && need > free {
			table.Notes = append(table.Notes, fmt.Sprintf("%d vectors were left out: that takes %.0f GB of memory, %.0f are free.", n, float64(need)/1e9, float64(free)/1e9))
			continue
		}
		sizes = append(sizes, n)
	}
	return sizes
}

// freeMemory returns the bytes of memory that are available, or 0 if the system does
// not tell.
func freeMemory() uint64 {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	var kilobytes uint64
	_, after, _ := strings.Cut(string(data), "MemAvailable:")
	if _, err := fmt.Sscan(after, &kilobytes); err != nil {
		return 0
	}
	return kilobytes << 10
}
