package paper

import (
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/greedgraph/greed/eval"
	"github.com/greedgraph/greed/internal/atomicfile"
	"github.com/greedgraph/greed/report"
)

// job is one thing to measure. Most fit a system on a collection and evaluate it.
type job struct {
	Exam string `json:"exam"` // a name of [bench.OpenExam], or of what else is measured
	// Kind says what is measured; empty: a system is evaluated.
	Kind    string `json:"kind,omitempty"`
	System  string `json:"system,omitempty"`
	Variant string `json:"variant,omitempty"` // of our model: see variants
	Pairs   int    `json:"pairs,omitempty"`   // to learn from, in place of the usual number
}

// String names the job for people.
func (j job) String() string {
	text := strings.TrimSpace(j.Exam + " " + cmp.Or(j.Kind, j.System))
	if j.Variant != "" {
		text += ", " + j.Variant
	}
	if j.Pairs > 0 {
		text += fmt.Sprintf(", %d pairs", j.Pairs)
	}
	return text
}

// version is changed when outcomes of before mean something else.
const version = 3

// key identifies the job under settings.
func (j job) key(s Settings) string {
	s.Ablated, s.Volumes = nil, nil // decide which jobs there are, not what they do
	text, err := json.Marshal([]any{version, j, s})
	if err != nil {
		panic("paper: " + err.Error()) // only numbers and texts
	}
	sum := sha256.Sum256(text)
	name := strings.NewReplacer("/", "-", " ", "-", ",", "").Replace(j.String())
	return name + "-" + hex.EncodeToString(sum[:5])
}

// outcome is what a job measured.
type outcome struct {
	Failed     string               `json:"failed,omitempty"` // why there is nothing
	Seconds    float64              `json:"seconds"`          // of the whole job, by the wall clock
	Title      string               `json:"title,omitempty"`  // of the system
	RanksOnly  bool                 `json:"ranks_only,omitempty"`
	Indexable  bool                 `json:"indexable,omitempty"`
	Parameters int                  `json:"parameters,omitempty"`
	Steps      int                  `json:"steps,omitempty"`
	Trained    float64              `json:"trained,omitempty"` // processor seconds
	Learnt     int                  `json:"learnt,omitempty"`  // pairs learnt from
	Model      string               `json:"model,omitempty"`   // fingerprint, and file in the folder
	File       string               `json:"file,omitempty"`
	Sets       map[string]evaluated `json:"sets,omitempty"`
	Blocks     []report.Block       `json:"blocks,omitempty"` // of other kinds of jobs
	Numbers    map[string]float64   `json:"numbers,omitempty"`
}

// evaluated is a system's predictions of a set of pairs.
type evaluated struct {
	Report *eval.Report `json:"report"`
	// PaperF1 are those of [published.RangeF1].
	PaperF1 []eval.Figure `json:"paper_f1,omitempty"`

	Truth  string  `json:"truth"` // hash of the graphs, pairs and bounds
	Graphs int     `json:"graphs"`
	Embed  float64 `json:"embed"` // processor seconds for all graphs
	Score  float64 `json:"score"` // and for all pairs after
}

func (o *Options) path(j job) string {
	return filepath.Join(o.Folder, "outcomes", j.key(o.Scale)+".json.gz")
}

func (o *Options) read(j job) (*outcome, error) {
	f, err := os.Open(o.path(j))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err // measured anew
	}
	out := new(outcome)
	return out, json.NewDecoder(z).Decode(out)
}

func (o *Options) keep(j job, out *outcome) error {
	err := atomicfile.Write(o.path(j), func(w io.Writer) error {
		z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return err
		}
		return errors.Join(json.NewEncoder(z).Encode(out), z.Close())
	})
	if err != nil {
		return fmt.Errorf("%w: %w", errFolder, err)
	}
	return nil
}

// run measures.
func (j job) run(ctx context.Context, w *worker) (*outcome, error) {
	if j.Kind == "" {
		return w.evaluate(ctx, j)
	}
	return kinds()[j.Kind](ctx, w, j)
}

// kinds are the jobs that evaluate no system, by name.
func kinds() map[string]func(context.Context, *worker, job) (*outcome, error) {
	return map[string]func(context.Context, *worker, job) (*outcome, error){
		"sizes": measureSizes, "index": measureIndex, "graph sizes": measureGraphSizes,
		"alignment": measureAlignment, "node maps": measureNodeMaps, "matches": measureMatches,
	}
}

// results are the outcomes so far, by key.
type results struct {
	scale Settings
	at    map[string]*outcome
}

// of returns the outcome of a job, or nil if it is not done or failed.
func (r results) of(j job) *outcome {
	if out := r.at[j.key(r.scale)]; out != nil && out.Failed == "" {
		return out
	}
	return nil
}
