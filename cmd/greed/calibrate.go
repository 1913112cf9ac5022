package main

import (
	"errors"
	"fmt"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/internal/progress"
	"github.com/greedgraph/greed/operation"
)

// calibrateCommand makes the recall of predictions known.
type calibrateCommand struct {
	Collection string `arg:"" help:"A file, a folder, or an index, which keeps the calibration itself."`

	Model   string `type:"model" placeholder:"FILE" help:"${calibrate_model}"`
	Out     string `short:"o" placeholder:"FILE" help:"${calibrate_out}"`
	Queries string `placeholder:"FILE" help:"${calibrate_queries}"`
	Task    string `default:"ged" enum:"ged,sed" help:"Of an index: calibrate its model for ged or sed."`

	Count     int     `short:"n" default:"2000" placeholder:"N" help:"How many queries to draw at most."`
	Radius    float64 `default:"5" placeholder:"X" help:"The greatest radius that recalls will be known for."`
	Seed      uint64  `default:"1" placeholder:"N" help:"Random seed."`
	TimeLimit string  `default:"10s" placeholder:"TIME" help:"Leave out queries that take longer to be decided."`

	readFlags
}

// Run calibrates.
func (c *calibrateCommand) Run(s *session) error {
	limit, err := (&operation.Timed{TimeLimit: c.TimeLimit}).Limit(greed.DefaultTime, operation.Limits{})
	index := greed.IsIndex(c.Collection)
	switch {
	case err != nil:
		return usage(err)
	case c.Count < 1:
		return usageError(fmt.Sprintf("--count is %d: want at least 1", c.Count))
	case !(c.Radius >= 0):
		return usageError(fmt.Sprintf("--radius is %v: want a distance of at least 0", c.Radius))
	case index && (c.Model != "" || c.Out != ""):
		return usageError("an index has its model, and keeps the calibration itself: leave out --model and -o")
	case !index && c.Model == "":
		return usageError("name the model with --model, which greed train makes, or calibrate an index")
	}
	if _, is := bundledTask(c.Model); is && c.Out == "" {
		return usageError("name a file with -o for the calibrated model: those that come with the program stay as " +
			"they are")
	}
	opt := greed.CalibrateOptions{
		Of: c.Collection, Count: c.Count, Radius: c.Radius, Seed: c.Seed, Time: limit, Workers: s.workers,
	}
	collection, err := c.open(s, &opt)
	if err != nil {
		return err
	}
	defer collection.Close()
	if c.Queries != "" {
		if opt.Queries, err = c.read(s, collection); err != nil {
			return err
		}
	}
	var bar *progress.Bar
	opt.Progress = func(done, all int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if bar == nil {
			bar = s.bar(all, "queries")
		}
		bar.Reach(done)
	}
	done, err := collection.Calibrate(s.ctx, opt)
	bar.Finish()
	if err != nil {
		return err
	}
	if !index {
		if c.Out == "" {
			c.Out = c.Model
		}
		if err := done.Model.Save(c.Out); err != nil {
			return err
		}
	}
	return c.print(s, done)
}

// open returns the collection with the model.
func (c *calibrateCommand) open(s *session, opt *greed.CalibrateOptions) (*greed.Collection, error) {
	src := c.source(s)
	if c.Model == "" {
		task, err := operation.Task(c.Task)
		opt.Task = task
		if err != nil {
			return nil, err
		}
		return s.open(src, c.Collection)
	}
	m, err := loadIndexable(c.Model)
	if err != nil {
		return nil, err
	}
	opt.Task = m.Metadata().Task
	var collection *greed.Collection
	if isBundled(c.Collection) {
		collection, err = greed.Open(s.ctx, greed.Source{Bundled: true})
	} else if err = src.FollowModel(c.Model, m); err != nil {
		err = usageOfReading(err)
	} else {
		collection, err = s.open(src, c.Collection)
	}
	if err != nil {
		return nil, err
	}
	if err := collection.AttachModel(s.ctx, m); err != nil {
		return nil, errors.Join(err, collection.Close())
	}
	return collection, nil
}

// read returns the queries, read as the graphs of the collection were.
func (c *calibrateCommand) read(s *session, in *greed.Collection) ([]*greed.Graph, error) {
	src := c.source(s)
	if rules, known := in.Rules(); known {
		if err := src.Follow(c.Collection, &rules); err != nil {
			return nil, usageOfReading(err)
		}
	}
	read, err := s.read(src, c.Queries)
	if err != nil {
		return nil, err
	}
	return dataset.Graphs(read.Records), nil
}

// recalled is what a calibration says of a radius.
type recalled struct {
	Radius  float64  `json:"radius"`
	Queries int      `json:"queries"` // with a graph within it
	Cut     *float64 `json:"cut"`     // nil: too few
}

// usualRecall is the recall that the command prints cuts for.
const usualRecall = 0.99

func (c *calibrateCommand) print(s *session, done *greed.CalibratedModel) error {
	by := done.Model.Calibration()
	if done.Late > 0 {
		s.note("left out %d of the queries, which took longer than %s: the recall is that of the others", done.Late,
			c.TimeLimit)
	}
	if done.Unsure {
		s.note("the model does not say which graphs it learnt from: if the queries are among them, the recall is " +
			"less than it seems")
	}
	var list []recalled
	for r := 0.0; r <= by.Radius; r++ {
		of := recalled{Radius: r, Queries: by.Within(r)}
		if cut, err := by.Cut(r, usualRecall); err == nil {
			of.Cut = &cut
		}
		list = append(list, of)
	}
	where := c.Out
	if where == "" {
		where = c.Collection
	}
	if s.json {
		return s.out.printJSON(struct {
			Model       string     `json:"model"`
			Fingerprint string     `json:"fingerprint"`
			Of          string     `json:"of"`
			Graphs      int        `json:"graphs"`
			Queries     int        `json:"queries"`
			MinNodes    int        `json:"min_nodes"`
			MaxNodes    int        `json:"max_nodes"`
			Late        int        `json:"late"`
			Recall      float64    `json:"recall"`
			Radii       []recalled `json:"radii"`

			Notes []dataset.Note `json:"notes,omitempty"`
		}{where, done.Model.Fingerprint(), by.Of, by.Graphs, by.Queries, by.MinNodes, by.MaxNodes, done.Late,
			usualRecall, list, s.allNotes()})
	}
	_, err := fmt.Fprintf(s.out, "%s: calibrated by what is near %s of %d to %d nodes in %s\n\nradius  queries  "+
		"predicted within, for a recall of %v\n",
		where, count(by.Queries, "graph"), by.MinNodes, by.MaxNodes, count(by.Graphs, "graph"), usualRecall)
	for _, of := range list {
		cut := "too few queries have a graph within the radius"
		if of.Cut != nil {
			cut = fmt.Sprintf("%.2f", *of.Cut)
		}
		if err == nil {
			_, err = fmt.Fprintf(s.out, "%6v  %7d  %s\n", of.Radius, of.Queries, cut)
		}
	}
	return err
}
