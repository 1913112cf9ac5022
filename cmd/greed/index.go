package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/postgres"
	"github.com/greedgraph/greed/store"
)

// indexCommand groups the commands for indexes.
type indexCommand struct {
	Build    indexBuild    `cmd:"" help:"Build an index of a collection, of one large graph or of vectors."`
	Add      indexAdd      `cmd:"" help:"${index_add}"`
	Sync     indexSync     `cmd:"" help:"Bring an index up to date with a database."`
	Delete   indexDelete   `cmd:"" help:"Delete graphs from an index by their ids."`
	Info     indexInfo     `cmd:"" help:"Show what is in an index."`
	Check    indexCheck    `cmd:"" help:"Read everything in an index and name what is damaged."`
	Compact  indexCompact  `cmd:"" help:"Free the disk space of deleted and replaced graphs."`
	Snapshot indexSnapshot `cmd:"" help:"Copy an index as it is now."`
	Export   indexExport   `cmd:"" help:"${index_export}"`
	Reembed  indexReembed  `cmd:"" help:"Replace a model of an index and embed every graph with the new one."`
}

// withIndex opens an index while use runs.
func withIndex(dir string, use func(*store.Store) error) error {
	if all := greed.Indexes(dir); len(all) > 1 {
		return fmt.Errorf("%s stands for %d indexes: name one of them: %s", dir, len(all), strings.Join(all, ", "))
	}
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		return notIndex(dir, err)
	}
	return errors.Join(use(s), s.Close())
}

// notIndex returns the error of opening an index, which says of a database how one is made of it.
func notIndex(name string, err error) error {
	if err != nil && isSpaceIndex(name) {
		return fmt.Errorf("%s is the index of a synthon space, which is not changed: greed index build makes another",
			name)
	}
	if err != nil && postgres.IsAddress(name) {
		return fmt.Errorf("%w (a database has records alone: greed index build makes an index of them, which greed "+
			"index "+
			"sync keeps up to date)", err)
	}
	return err
}

// indexCheck reads everything in an index.
type indexCheck struct {
	Index string `arg:"" help:"The index."`
}

func (c *indexCheck) Run(s *session) error {
	if isSpaceIndex(c.Index) { // to open it is to read all of it
		return describeSpace(s, c.Index)
	}
	r, err := store.Check(s.ctx, c.Index)
	if err != nil {
		return notIndex(c.Index, err)
	}
	return printProblems(s, r, c.Index, r.Problems, count(r.Records, "graph")+", "+count(r.Embeddings, "embedding"))
}

// indexCompact frees the space of deleted graphs.
type indexCompact struct {
	Index string `arg:"" help:"The index."`
}

func (c *indexCompact) Run(s *session) error {
	var before, after int64
	outside := 0
	err := withIndex(c.Index, func(st *store.Store) error {
		err := st.View(s.ctx, func(snap *store.Snapshot) error {
			outside = snap.Slots() - snap.SegmentSlots()
			return nil
		})
		if err != nil {
			return err
		}
		before, after, err = st.Compact(s.ctx, s.workers)
		return err
	})
	if err != nil {
		return err
	}
	grown := ""
	if after > before && outside > 0 {
		grown = fmt.Sprintf("; it now has what makes opening fast for %s more", grouped(outside, "graph"))
	}
	return s.answer(struct {
		Index  string `json:"index"`
		Before int64  `json:"bytes_before"`
		After  int64  `json:"bytes_after"`
	}{c.Index, before, after}, "%s: %.1f MB, was %.1f MB%s\n", c.Index, float64(after)/1e6, float64(before)/1e6, grown)
}

// indexSnapshot copies an index.
type indexSnapshot struct {
	Index string `arg:"" help:"The index."`
	Out   string `short:"o" required:"" placeholder:"DIR" help:"The folder to create."`
}

func (c *indexSnapshot) Run(s *session) error {
	err := withIndex(c.Index, func(st *store.Store) error { return st.CopyTo(s.ctx, c.Out) })
	if err != nil {
		return err
	}
	return s.answer(struct {
		Index    string `json:"index"`
		Snapshot string `json:"snapshot"`
	}{c.Index, c.Out}, "%s: a copy of %s\n", c.Out, c.Index)
}

// indexReembed gives an index another model.
type indexReembed struct {
	Index string `arg:"" help:"The index."`
	Model string `arg:"" type:"model" help:"A model made by greed train, bundled:ged or bundled:sed."`
	Name  string `placeholder:"NAME" help:"${index_reembed_name}"`
	Keep  bool   `help:"Keep the old embedding too, for exports."`
}

func (c *indexReembed) Run(s *session) error {
	m, err := loadIndexable(c.Model)
	if err != nil {
		return err
	}
	task := m.Metadata().Task
	if c.Name == "" {
		c.Name = fmt.Sprintf("%v-%.8s", task, m.Fingerprint())
	}
	shown := s.bar(-1, "graphs")
	defer shown.Finish()
	err = withIndex(c.Index, func(st *store.Store) error {
		return st.Reembed(s.ctx, c.Name, m, c.Keep, s.workers, shown.Reach)
	})
	if err != nil {
		return err
	}
	return s.answer(struct {
		Index     string    `json:"index"`
		Embedding string    `json:"embedding"`
		Task      edit.Task `json:"task"`
		Model     string    `json:"model"`
	}{c.Index, c.Name, task, m.Fingerprint()}, "%s: embedding %s now serves %v\n", c.Index, c.Name, task)
}

// indexDelete deletes graphs from an index.
type indexDelete struct {
	Index string   `arg:"" help:"The index, or the address of a database."`
	IDs   []string `arg:"" name:"id" optional:"" help:"Ids of graphs to delete."`
	From  string   `type:"existingfile" placeholder:"FILE" help:"${index_delete_from}"`
}

// mostListed is how many ids a note names.
const mostListed = 10

// listed names ids at the end of a sentence.
func listed(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	var shown []string
	for _, id := range ids[:min(len(ids), mostListed)] {
		shown = append(shown, field(id))
	}
	if len(ids) > mostListed {
		shown = append(shown, "…")
	}
	return ": " + strings.Join(shown, ", ")
}

func (c *indexDelete) Run(s *session) error {
	ids := c.IDs
	if c.From != "" {
		more, err := readIDs(c.From)
		if err != nil {
			return err
		}
		ids = append(ids, slices.DeleteFunc(more, func(id string) bool { return id == "" })...) // an empty line is none
	}
	if len(ids) == 0 && c.From == "" {
		return usageError("name the ids to delete, or --from")
	}
	done := indexChange{Index: postgres.Shown(c.Index)}
	var absent []string // of an index
	var err error
	if postgres.IsAddress(c.Index) {
		done.Deleted, err = deleteInDatabase(s, c.Index, ids)
	} else {
		err = withIndex(c.Index, func(st *store.Store) (err error) {
			if absent, err = st.Delete(s.ctx, ids); err != nil {
				return err
			}
			done.Deleted = len(ids) - len(absent)
			return done.now(s, st)
		})
	}
	if err != nil {
		return err
	}
	if missing := len(ids) - done.Deleted; missing > 0 {
		s.note("%s of %s not in the index, or given twice%s", count(missing, "id"), count(len(ids), "id"),
			listed(absent))
	}
	return s.answer(done, "%s: %s deleted\n", done.Index, count(done.Deleted, "graph"))
}
