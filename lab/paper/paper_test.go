package paper

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// tiny returns options for the collections in testdata, which stand for the real ones.
func tiny(t *testing.T) Options {
	t.Helper()
	return Options{Data: "testdata/data", Splits: "testdata/splits", Folder: t.TempDir(), Scale: tinySettings(), Workers: 2}
}

func modified(t *testing.T, folder string) map[string]int64 {
	t.Helper()
	times := make(map[string]int64)
	err := filepath.WalkDir(filepath.Join(folder, "outcomes"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			info, err := e.Info()
			if err != nil {
				return err
			}
			times[e.Name()] = info.ModTime().UnixNano()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return times
}

// TestRunIsWholeAndResumes: experiments of the collection that is there have figures, those
// of others say what is missing, and a second run does nothing again.
func TestRunIsWholeAndResumes(t *testing.T) {
	if testing.Short() {
		t.Skip("trains every system")
	}
	o := tiny(t)
	notes := make(map[string]int)
	o.Note = func(text string) { notes[text[strings.LastIndex(text, ": ")+2:]]++ }
	if err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	for what, times := range notes {
		if times != 1 {
			t.Errorf("%q is noted %d times", what, times)
		}
		if !strings.HasSuffix(what, notThere) && !strings.Contains(what, "glpsol") {
			t.Errorf("a job failed: %s", what)
		}
	}
	if notes["pubmed/pubmed.txt"+notThere] != 1 {
		t.Errorf("what is missing is not noted: %v", notes)
	}
	page, err := os.ReadFile(filepath.Join(o.Folder, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range Experiments() {
		if !strings.Contains(string(page), strings.ReplaceAll(e.Where, "'", "&#39;")) {
			t.Errorf("the report has no part %s (%s)", e.Title, e.Where)
		}
	}
	if !strings.Contains(string(page), "docs/datasets.md says where to get it") {
		t.Error("what is missing is not named")
	}
	for _, name := range []string{ourPaper, ourDefault, "branch"} {
		out, err := o.read(jobOf("ged/linux", name))
		if err != nil {
			t.Fatal(err)
		}
		if out.Sets["test × train"].Report == nil || out.Sets["test × train"].Truth == "" {
			t.Errorf("%s: %+v", name, out)
		}
	}
	before := modified(t, o.Folder)
	if len(before) < 8 {
		t.Errorf("only %d outcomes are kept", len(before))
	}
	jobs, done, _, err := Estimate(context.Background(), o)
	if err != nil || done != len(before) || done >= jobs {
		t.Errorf("%d of %d jobs are done, %d kept, %v", done, jobs, len(before), err)
	}
	if err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, modified(t, o.Folder)); d != "" {
		t.Errorf("outcomes were measured again: %s", d)
	}
}

// TestStoppedRunKeepsWhatIsDone: a run that is stopped reports what there is and continues
// from there.
func TestStoppedRunKeepsWhatIsDone(t *testing.T) {
	o := tiny(t)
	o.Only = []string{"ged-accuracy"}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o.Progress = func(p Progress) {
		if strings.Contains(p.Job, "ged/linux branch") {
			cancel()
		}
	}
	if err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	page, err := os.ReadFile(filepath.Join(o.Folder, "report.html"))
	if err != nil || !strings.Contains(string(page), "Unfinished: ") {
		t.Errorf("%v:\n%s", err, page)
	}
	before := modified(t, o.Folder)
	if len(before) < 2 {
		t.Errorf("%d outcomes, want at least those of our two systems", len(before))
	}
	o.Progress = nil
	if err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	after := modified(t, o.Folder)
	for name, at := range before {
		if after[name] != at {
			t.Errorf("%s was measured again", name)
		}
	}
	if len(after) <= len(before) {
		t.Errorf("%d outcomes after the second run", len(after))
	}
}

// TestEstimate: what a system costs is measured once, grows with what is asked of it, and
// falls with what is done.
func TestEstimate(t *testing.T) {
	o := tiny(t)
	o.Only = []string{"ged-accuracy"}
	o.Scale.Baseline = 10*probeSteps + 1 // worth measuring
	measured := make(map[string]bool)
	o.Progress = func(p Progress) { measured[p.Job] = true }
	estimate := func() time.Duration {
		_, _, left, err := Estimate(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		return left
	}
	short := estimate()
	var known map[string]*speed
	if text, err := os.ReadFile(filepath.Join(o.Folder, "speeds3-tiny.json")); err != nil || json.Unmarshal(text, &known) != nil {
		t.Fatal(err)
	}
	for name, y := range known["ged/linux"].Systems {
		if y.Learns && (!(y.Step > 0) || y.Steps < 1000) {
			t.Errorf("%s takes %v for each of %d steps", name, y.Step, y.Steps)
		}
	}
	if y := known["ged/linux"].Systems[ourPaper]; y.Steps != 200_000 {
		t.Errorf("the paper's training has %d steps", y.Steps)
	}
	if !measured["ged/linux speed"] {
		t.Errorf("measured: %v", measured)
	}
	clear(measured)
	o.Scale.Baseline *= 100
	if long := estimate(); long <= short {
		t.Errorf("%v for a hundred times the steps of others, %v before", long, short)
	}
	for name := range measured {
		if name == "ged/linux speed" {
			t.Error("measured again")
		}
	}
	o.Scale = tinySettings()
	all := estimate()
	if err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if rest := estimate(); rest >= all {
		t.Errorf("%v left before, %v after a run", all, rest)
	}
}

// TestOnAnotherMachine: with the outcomes of a run, and nothing else of it, another run measures nothing again. A job
// that needs the model of one of them trains it once more.
func TestOnAnotherMachine(t *testing.T) {
	o := tiny(t)
	o.Only, o.Systems = []string{"ged-accuracy", "node-maps"}, []string{ourDefault}
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	before := modified(t, o.Folder)
	for _, name := range []string{"models", "truth"} {
		if err := os.RemoveAll(filepath.Join(o.Folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	maps := job{Exam: "ged/linux", Kind: "node maps", System: ourDefault}
	first, err := o.read(maps)
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, modified(t, o.Folder)); d != "" || len(before) < 2 {
		t.Errorf("of %d outcomes some were measured again: %s", len(before), d)
	}
	if err := os.Remove(o.path(maps)); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	again, err := o.read(maps)
	if d := cmp.Diff(first.Numbers, again.Numbers); d != "" || err != nil {
		t.Errorf("%v: %s", err, d)
	}
}

// TestShares: the parts of a run have all of its jobs, each once, and those of a collection are in one. Our systems
// come first, and the paper's own collections before those that stand in.
func TestShares(t *testing.T) {
	o := Options{Scale: Whole()}
	all := o.jobs(Experiments())
	for i, j := range all[:len(all)-1] {
		if next := all[i+1]; next.turn() < j.turn() {
			t.Errorf("%s comes before %s", j, next)
		}
	}
	for parts := 1; parts <= 15; parts++ {
		seen, of, most := make(map[string]bool), make(map[string]int), 0
		for part := 1; part <= parts; part++ {
			o.Part, o.Parts = part, parts
			mine := o.share(all)
			most = max(most, len(mine))
			for _, j := range mine {
				if key := j.key(o.Scale); seen[key] {
					t.Errorf("%s is done twice", key)
				} else {
					seen[key] = true
				}
				if before, ok := of[j.Exam]; ok && before != part {
					t.Errorf("%s is in parts %d and %d", j.Exam, before, part)
				}
				of[j.Exam] = part
			}
		}
		if len(seen) != len(all) || parts <= 3 && most > len(all)/parts*3/2 {
			t.Errorf("%d parts: %d jobs of %d, at most %d in one", parts, len(seen), len(all), most)
		}
	}
}

// TestPartsMakeOneReport: the outcomes of parts in one folder make the report of the whole, without being measured.
func TestPartsMakeOneReport(t *testing.T) {
	o := tiny(t)
	o.Only = []string{"datasets", "ged-accuracy"}
	for part := 1; part <= 2; part++ {
		o.Part, o.Parts = part, 2
		if err := Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	before := modified(t, o.Folder)
	if err := os.Remove(filepath.Join(o.Folder, "report.html")); err != nil {
		t.Fatal(err)
	}
	o.Part, o.Parts = 0, 0
	if err := Write(o); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(o.Folder, "report.html"))
	if err != nil || !strings.Contains(string(page), "BRANCH") || !strings.Contains(string(page), "Unfinished: ") {
		t.Errorf("%v: %d bytes", err, len(page))
	}
	if d := cmp.Diff(before, modified(t, o.Folder)); d != "" || len(before) < 5 {
		t.Errorf("%d outcomes; changed: %s", len(before), d)
	}
}

// TestStoppedBaselineContinues: the training of another system goes on from where it was stopped.
func TestStoppedBaselineContinues(t *testing.T) {
	o := tiny(t)
	o.Scale.Baseline, o.Scale.Validations = 40, 40
	j := jobOf("ged/linux", "simgnn")
	fit := func(stop int) (steps []int, out *outcome) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		o.Progress = func(p Progress) {
			if p.Stage == "training" {
				steps = append(steps, p.Done)
				if p.Done == stop {
					cancel()
				}
			}
		}
		w := &worker{Options: o, job: j}
		for _, folder := range []string{"outcomes", "truth", "models"} {
			if err := makeFolder(w.folder(folder)); err != nil {
				t.Fatal(err)
			}
		}
		out, err := w.do(ctx, j)
		if err != nil && stop == 0 {
			t.Fatal(err)
		}
		return steps, out
	}
	if steps, out := fit(20); out != nil || len(steps) == 0 || steps[len(steps)-1] != 20 {
		t.Fatalf("stopped after %v", steps)
	}
	if steps, out := fit(0); out == nil || out.Failed != "" || steps[0] != 21 || steps[len(steps)-1] != 40 || out.Steps != 40 {
		t.Errorf("continued with %v, %+v", steps, out)
	}
}

// TestOutcomesOfTheRepository: the outcomes that are committed are of jobs of a quick run as it is now, and take at most
// 5 MB. Where settings or what outcomes mean changed, they are of no use.
func TestOutcomesOfTheRepository(t *testing.T) {
	o := Options{Folder: ".", Scale: Quick()}
	jobs := make(map[string]job)
	for _, j := range o.jobs(Experiments()) {
		jobs[filepath.Base(o.path(j))] = j
	}
	files, err := os.ReadDir("outcomes")
	if err != nil {
		t.Fatal(err)
	}
	bytes := int64(0)
	for _, f := range files {
		j, ok := jobs[f.Name()]
		if !ok {
			t.Errorf("%s is of no job of a quick run", f.Name())
			continue
		}
		if out, err := o.read(j); err != nil || out.Failed != "" || out.Seconds == 0 {
			t.Errorf("%s: %v, %+v", f.Name(), err, out)
		}
		if info, err := f.Info(); err == nil {
			bytes += info.Size()
		}
	}
	if bytes > 5_000_000 {
		t.Errorf("outcomes take %d bytes", bytes)
	}
}

func TestUnknownExperiment(t *testing.T) {
	o := tiny(t)
	o.Only = []string{"nothing"}
	if err := Run(context.Background(), o); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "ged-accuracy") {
		t.Errorf("error %v", err)
	}
	o.Only, o.Systems = nil, []string{"nobody"}
	if err := Run(context.Background(), o); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "simgnn") {
		t.Errorf("error %v", err)
	}
}

// TestKeysTellJobsApart: every job of the whole run has its own key, settings that change
// what is measured change it, and those that only add jobs do not.
func TestKeysTellJobsApart(t *testing.T) {
	o := Options{Scale: Whole()}
	seen := make(map[string]bool)
	for _, j := range o.jobs(Experiments()) {
		key := j.key(o.Scale)
		if seen[key] || strings.ContainsAny(key, "/\\ :") {
			t.Errorf("key %s", key)
		}
		seen[key] = true
	}
	if len(seen) < 150 {
		t.Errorf("only %d jobs", len(seen))
	}
	j := jobOf("ged/linux", ourPaper)
	for _, change := range []func(*Settings){func(s *Settings) { s.Steps++ }, func(s *Settings) { s.Seed++ }, func(s *Settings) { s.GEDShare /= 2 }} {
		s := Whole()
		change(&s)
		if j.key(s) == j.key(Whole()) {
			t.Error("other settings, the same key")
		}
	}
	more := Whole()
	more.Volumes = append(slices.Clone(more.Volumes), 500_000)
	if j.key(more) != j.key(Whole()) {
		t.Error("more volumes make a trained model worthless")
	}
}

// TestMapByLabels: all nodes of the smaller graph are mapped, equal labels first.
func TestMapByLabels(t *testing.T) {
	o := tiny(t)
	w := &worker{Options: o}
	x, err := w.open("ged/linux")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range x.Learn {
		for _, target := range x.Learn {
			m := mapByLabels(q, target)
			if err := m.Check(q, target); err != nil {
				t.Fatal(err)
			}
			mapped := 0
			for _, v := range m {
				if v >= 0 {
					mapped++
				}
			}
			if mapped != min(q.N(), target.N()) {
				t.Errorf("%d of %d and %d nodes are mapped", mapped, q.N(), target.N())
			}
		}
	}
}

// TestAlignment: the answers of a large graph's neighbourhoods are aligned with queries that
// were read with another copy of the graph.
func TestAlignment(t *testing.T) {
	o := tiny(t)
	o.Data, o.Only = t.TempDir(), []string{"alignment"}
	var text bytes.Buffer
	z := gzip.NewWriter(&text)
	const nodes = 200
	fmt.Fprintln(z, "t # 0")
	for v := range nodes {
		fmt.Fprintf(z, "v %d n%d\n", v, v%5)
	}
	for v := 1; v < nodes; v++ {
		fmt.Fprintf(z, "e %d %d 0\n", v/2, v)
		if v >= 15 {
			fmt.Fprintf(z, "e %d %d 0\n", v-7, v)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(o.Data, "debian", "debian_bookworm.txt.gz")
	if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o755), os.WriteFile(path, text.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
	if err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	out, err := o.read(job{Exam: "sed/debian", Kind: "alignment"})
	if err != nil {
		page, _ := os.ReadFile(filepath.Join(o.Folder, "report.html"))
		t.Fatalf("%v\n%s", err, page)
	}
	if out.Numbers[alignedByUs] <= 0 {
		t.Errorf("%+v", out)
	}
}

// tinySettings returns settings for tests.
func tinySettings() Settings {
	return Settings{
		Name: "tiny", Pairs: 200, Valid: 200, Work: 100_000, Steps: 4, Baseline: 2, Validations: 1,
		GEDShare: 1, SEDShare: 0.001, SlowPairs: 3, Seed: 1,
		Ablated: []string{"ged/linux"}, Volumes: []int{100}, Queries: 2, Neighbourhoods: 100, Largest: 50, Limit: 1,
	}
}
