package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/kernel"
	"github.com/greedgraph/greed/nn"
	"github.com/greedgraph/greed/norm"
)

// Metadata describes a model. It is stored in the model file.
type Metadata struct {
	Task   edit.Task  `json:"task"`
	Costs  edit.Costs `json:"costs"`
	Config Config     `json:"config"`
	// Vocabulary lists the labels of the training graphs. Any other label is embedded as the
	// mean of these, weighted by frequency.
	Vocabulary *graph.Vocabulary  `json:"vocabulary"`
	Training   Training           `json:"training"`
	Metrics    map[string]float64 `json:"metrics,omitempty"` // of graphs held out
}

// Training describes the data that a model was trained on.
type Training struct {
	Source string `json:"source,omitempty"`
	// Rules are the reading rules of the graphs, nil if unknown. Graphs that the model is
	// applied to should be read by the same rules.
	Rules       *dataset.Rules `json:"rules,omitempty"`
	Fingerprint string         `json:"fingerprint,omitempty"` // of the training data
	Graphs      int            `json:"graphs"`
	HeldOut     int            `json:"held_out,omitempty"` // graphs that the metrics are for
	Pairs       int            `json:"pairs"`
	Steps       int            `json:"steps"`
	Seed        uint64         `json:"seed"`
	Directed    bool           `json:"directed,omitempty"`
	// ValidatedOnSeen reports that the metrics are of training graphs, because there were too
	// few to hold some out.
	ValidatedOnSeen bool `json:"validated_on_seen,omitempty"`
	// HeldPairs reports that the metrics are of held-out pairs of training graphs.
	HeldPairs bool `json:"held_pairs,omitempty"`
	// Hops is the radius of the neighbourhoods that stood for large graphs, 0 if there were
	// none.
	Hops int `json:"hops,omitempty"`
	// QueryDepth and QueryKeep are the parameters of the breadth-first search that sampled
	// the queries, if one did.
	QueryDepth int     `json:"query_depth,omitempty"`
	QueryKeep  float64 `json:"query_keep,omitempty"`
	// Sizes of the graphs in nodes; for SED, queries have their own.
	MinNodes      int `json:"min_nodes"`
	MaxNodes      int `json:"max_nodes"`
	MinQueryNodes int `json:"min_query_nodes"`
	MaxQueryNodes int `json:"max_query_nodes"`
}

// ErrNotIndexable means that a model does not produce vectors that can be searched.
var ErrNotIndexable = errors.New("such a model cannot search or be indexed; greed predict and greed eval can use it")

// CheckIndexable returns an error that wraps [ErrNotIndexable] unless the model predicts an
// edit distance, which searches can check.
func (m *Model) CheckIndexable() error {
	if m.meta.Task == edit.MCS {
		return fmt.Errorf("it predicts common subgraphs, but a search needs edit distances: %w", ErrNotIndexable)
	}
	return nil
}

// Model is an encoder with its weights and metadata. It is safe for concurrent use.
type Model struct {
	meta    Metadata
	params  *nn.Params
	encoder *Encoder
	counts  *nn.Counts // nil unless there are some
	ops     kernel.Ops
	desks   *sync.Pool // of *desk

	unseen      unseen       // nil where it is not known
	calibration *Calibration // nil if there is none
}

// desk is the working memory of one goroutine that embeds graphs.
type desk struct {
	tape  *nn.Tape
	batch nn.Batch
}

// furnish creates the pool of desks, which is reused across calls of Embed.
func (m *Model) furnish() *Model {
	m.params.Flat() // made before several goroutines use the model
	m.desks = &sync.Pool{New: func() any { return &desk{tape: nn.NewTape(m.params, m.ops, false)} }}
	return m
}

// New returns a model with random weights drawn from rng. It panics unless the metadata
// passes Check.
func New(meta Metadata, rng *rand.Rand) *Model {
	if err := meta.Check(); err != nil {
		panic(err.Error())
	}
	m := build(meta)
	m.encoder.Init(m.params, rng)
	return m.furnish()
}

// Check returns an error unless a model can be built from the metadata.
func (meta Metadata) Check() error {
	if err := errors.Join(meta.Config.Check(), meta.Costs.Check()); err != nil {
		return err
	}
	if meta.Vocabulary == nil {
		return errors.New("model: no vocabulary")
	}
	if err := nn.CheckTallies(meta.Config.Counts, meta.Vocabulary.Nodes(), meta.edgeRows()); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	if meta.Config.Apart && !meta.Training.Directed {
		return errors.New("model: in- and out-edges are aggregated separately, but the graphs are undirected")
	}
	return nil
}

// edgeRows returns the number of rows of the edge label tables.
func (meta Metadata) edgeRows() int {
	if meta.Training.Directed {
		return 2 * meta.Vocabulary.Edges()
	}
	return meta.Vocabulary.Edges()
}

// build returns a model whose weights are not yet allocated.
func build(meta Metadata) *Model {
	m := &Model{meta: meta, params: new(nn.Params), ops: kernel.Best()}
	// Row 0, that of the vocabulary's Wildcard, is for unknown labels.
	m.encoder = NewEncoder(m.params, meta.Config, meta.Vocabulary.Nodes(), meta.edgeRows())
	if len(meta.Config.Counts) > 0 {
		m.counts = nn.NewCounts(meta.Config.Counts)
	}
	return m
}

// WithLevel returns a copy of the model that computes with the kernels of another level.
func (m *Model) WithLevel(l kernel.Level) *Model {
	c := *m
	c.ops = kernel.At(l)
	return c.furnish()
}

// Metadata returns the model's metadata.
func (m *Model) Metadata() Metadata { return m.meta }

// SetMetadata replaces the metadata. Configuration and vocabulary must stay the same.
func (m *Model) SetMetadata(meta Metadata) { m.meta = meta }

// Params returns the model's parameters. Changing them changes the model.
func (m *Model) Params() *nn.Params { return m.params }

// Encoder returns the network that embeds graphs.
func (m *Model) Encoder() *Encoder { return m.encoder }

// Norm returns the norm whose value on the difference of two embeddings is the predicted
// distance. Its dimension is that of the embeddings.
func (m *Model) Norm() norm.Norm { return m.meta.Config.Norm }

// Fingerprint identifies the weights and everything else that affects predictions. Models
// with equal fingerprints give equal embeddings on machines with the same instructions.
func (m *Model) Fingerprint() string {
	h := sha256.New()
	shape := m.meta
	shape.Metrics, shape.Training = nil, Training{Directed: shape.Training.Directed}
	text, err := json.Marshal(shape)
	if err != nil {
		panic("model: " + err.Error())
	}
	h.Write(text)
	for _, p := range m.params.All() {
		writeFloats(h, m.params.Value(p))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Rows returns the table rows of the labels of vocab, which must not extend another
// vocabulary.
func (m *Model) Rows(vocab *graph.Vocabulary) nn.Rows {
	rows := m.meta.Rows(vocab)
	rows.Counts = m.counts
	rows.Alone = !m.meta.Config.States()
	return rows
}

// Rows returns the table rows of the labels of vocab, without counts.
func (meta Metadata) Rows(vocab *graph.Vocabulary) nn.Rows {
	own := meta.Vocabulary
	rows := nn.Rows{Node: make([]int32, vocab.Nodes()), Features: meta.Config.Features}
	for l := 1; l < len(rows.Node); l++ { // meanwhile vocab may grow
		row, _ := own.FindNode(vocab.NodeText(graph.Label(l)))
		rows.Node[l] = int32(row)
	}
	switch {
	case meta.Config.Conv != GINE && meta.Config.Apart:
		rows.Edge = []int32{}
	case meta.Config.Conv == GINE:
		rows.Edge = make([]int32, vocab.Edges())
		for l := 1; l < len(rows.Edge); l++ {
			row, _ := own.FindEdge(vocab.EdgeText(graph.Label(l)))
			rows.Edge[l] = int32(row)
		}
	}
	return rows
}

// fewLabels moves graphs to a vocabulary of their own in two cases: if their vocabulary has
// more labels than they have nodes and edges, because [Model.Rows] visits every label, and if
// it extends another, because Rows does not see what it adds.
func fewLabels(graphs []*graph.Graph) []*graph.Graph {
	vocab, size := graphs[0].Vocabulary(), 0
	for _, g := range graphs {
		size += g.N() + g.M()
	}
	if !vocab.Extends() && vocab.Nodes()+vocab.Edges() <= size {
		return graphs
	}
	vocab = graph.NewVocabulary()
	own := make([]*graph.Graph, len(graphs))
	for i, g := range graphs {
		own[i] = graph.In(vocab, g)
	}
	return own
}

// embedNodes is about how many nodes are embedded at a time: enough to keep the kernels busy,
// few enough for a core's cache.
const embedNodes = 256

// Embed returns the embeddings of graphs, [len(graphs), dim] row-major. [Model.CheckIndexable]
// says whether they can be searched. The graphs share one vocabulary, which need not be the
// model's. A vector depends on its graph alone: not on the other graphs, their order, the number
// of workers or the numbering of the nodes. workers ≤ 0 means one per core.
func (m *Model) Embed(ctx context.Context, graphs []*graph.Graph, workers int) ([]float32, error) {
	if len(graphs) == 0 {
		return nil, nil
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	graphs = fewLabels(graphs)
	rows := m.Rows(graphs[0].Vocabulary())
	dim := m.Norm().Dim()
	out := make([]float32, len(graphs)*dim)
	left := &spans{graphs: graphs}
	if workers == 1 || spanFrom(graphs, 0) == len(graphs) {
		return out, m.embedSpans(ctx, out, left, rows)
	}
	group, ctx := errgroup.WithContext(ctx)
	for range min(workers, len(graphs)) {
		group.Go(func() error { return m.embedSpans(ctx, out, left, rows) })
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

// embedSpans embeds spans of graphs until none is left.
func (m *Model) embedSpans(ctx context.Context, out []float32, left *spans, rows nn.Rows) error {
	d := m.desks.Get().(*desk)
	defer m.desks.Put(d)
	dim := m.Norm().Dim()
	for begin, end := left.take(); begin < end; begin, end = left.take() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := m.embedInto(out[begin*dim:end*dim], left.graphs[begin:end], rows, d); err != nil {
			return fmt.Errorf("graph %d: %w", begin, err)
		}
	}
	return nil
}

// spans hands out graphs to the workers that embed them.
type spans struct {
	graphs []*graph.Graph
	lock   sync.Mutex
	at     int // the first graph not handed out
}

// take returns the next span of graphs, empty when none is left.
func (s *spans) take() (begin, end int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	begin = s.at
	s.at = spanFrom(s.graphs, begin)
	return begin, s.at
}

// spanFrom returns the end of the span that begins at begin.
func spanFrom(graphs []*graph.Graph, begin int) (end int) {
	end, nodes := begin, 0
	for end < len(graphs) && (end == begin || nodes+graphs[end].N() <= embedNodes) {
		nodes += graphs[end].N()
		end++
	}
	return end
}

func (m *Model) embedInto(dst []float32, graphs []*graph.Graph, rows nn.Rows, d *desk) error {
	d.batch.Reset()
	for _, g := range graphs {
		if g.Directed() != m.meta.Training.Directed {
			return fmt.Errorf("%w: the model was trained on %s graphs, this one is %s",
				ErrMismatch, direction(m.meta.Training.Directed), direction(g.Directed()))
		}
		d.batch.Add(g, rows)
	}
	d.tape.Reset()
	copy(dst, m.encoder.Forward(d.tape, &d.batch).Value)
	return nil
}

func direction(directed bool) string {
	if directed {
		return "directed"
	}
	return "undirected"
}

// Predict returns the predicted distance from q to t, in edit-cost units.
func (m *Model) Predict(q, t *graph.Graph) (float64, error) {
	ctx := context.Background()
	zq, err := m.Embed(ctx, []*graph.Graph{q}, 1)
	if err != nil {
		return 0, err
	}
	zt, err := m.Embed(ctx, []*graph.Graph{t}, 1)
	if err != nil {
		return 0, err
	}
	return m.Norm().Distance(zq, zt), nil
}
