package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/graph"
)

// folderReport sums up a folder of files.
type folderReport struct {
	// Files counts the files, and the folders that are one collection, that were examined;
	// Read counts those with a graph.
	Files int `json:"files"`
	Read  int `json:"read"`
	// Graphs counts the graphs that were read, Bad the records and files that could not be
	// read.
	Graphs int `json:"graphs"`
	Bad    int `json:"bad"`
	// Causes lists errors, files left out and notes, the most frequent first.
	Causes []*causeCount `json:"causes"`

	byText map[string]*causeCount
}

// causeCount counts messages with the same cause.
type causeCount struct {
	// Kind is "error", "left out" or "note".
	Kind string `json:"kind"`
	// Cause is the message without the parts that change from case to case.
	Cause string `json:"cause"`
	// Records counts the cases; it is 0 for notes that do not count. Files counts the
	// files they are in.
	Records int `json:"records,omitempty"`
	Files   int `json:"files"`
	// First is where the first case was found, Example its message.
	First   string `json:"first"`
	Example string `json:"example"`

	lastFile string
}

const (
	errorKind   = "error"
	leftOutKind = "left out"
	noteKind    = "note"
)

// add counts a message about a file.
func (r *folderReport) add(kind, file, where, message string, records int) {
	text := causeOf(message)
	c := r.byText[kind+text]
	if c == nil {
		c = &causeCount{Kind: kind, Cause: text, First: where, Example: message}
		r.byText[kind+text] = c
		r.Causes = append(r.Causes, c)
	}
	c.Records += records
	if c.lastFile != file {
		c.lastFile = file
		c.Files++
	}
}

// The parts of a message that change from case to case: quoted texts, and numbers.
var (
	quotedText = regexp.MustCompile(`"(\\.|[^"\\])*"(\.\.\.)?|'(\\.|[^'\\])'`)
	edgeText   = regexp.MustCompile(`\bedge [^\s"…]+-[^\s"…]+`)
	numberText = regexp.MustCompile(`\b[0-9]+(\.[0-9]+)?\b`)
)

// causeOf returns a message without the parts that change from case to case.
func causeOf(message string) string {
	const most = 160
	text := quotedText.ReplaceAllString(message, "…")
	text = edgeText.ReplaceAllString(text, "edge …")
	text = numberText.ReplaceAllString(text, "N")
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}

// checkFolder reads every collection in a folder by itself.
func (c *datasetCheck) checkFolder(s *session, rejected func(dataset.BadRecord)) error {
	r := &folderReport{Causes: []*causeCount{}, byText: make(map[string]*causeCount)}
	shown := s.bar(-1, "files")
	for path, err := range dataset.Collections(c.Input) {
		if err == nil {
			err = s.ctx.Err()
		}
		if err != nil {
			shown.finish()
			return err
		}
		shown.add(1)
		r.file(s, path, c.options(graph.NewVocabulary()), rejected)
	}
	shown.finish()
	if r.Files == 0 {
		return fmt.Errorf("%s: %w: the folder has no files", c.Input, dataset.ErrEmpty)
	}
	slices.SortStableFunc(r.Causes, func(a, b *causeCount) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(b.Records, a.Records), cmp.Compare(b.Files, a.Files))
	})
	if err := r.print(s); err != nil {
		return err
	}
	if r.Bad > 0 {
		return fmt.Errorf("%s has %s", c.Input, count(r.Bad, "problem"))
	}
	return nil
}

// file reads one collection to its end.
func (r *folderReport) file(s *session, path string, opt dataset.Options, rejected func(dataset.BadRecord)) {
	r.Files++
	opt.SkipBad = false
	in, err := dataset.Open(path, opt)
	switch {
	case errors.Is(err, dataset.ErrUnknownFormat):
		r.add(leftOutKind, path, path, "no graphs: unknown format", 1)
		return
	case errors.Is(err, dataset.ErrEmpty):
		r.add(leftOutKind, path, path, "no graphs: the file is empty", 1)
		return
	case err != nil:
		r.Bad++
		r.add(errorKind, path, path, withoutPath(err, path), 1)
		return
	}
	defer in.Close()
	before := r.Graphs
	for s.ctx.Err() == nil {
		_, err := in.Next()
		var bad *dataset.BadRecord
		if err == io.EOF {
			break
		}
		switch {
		case err == nil:
			r.Graphs++
			continue
		case errors.As(err, &bad):
			r.Bad++
			rejected(*bad)
			r.add(errorKind, path, recordSource(bad.File, bad.Line, bad.Record), bad.Err.Error(), 1)
			continue
		case errors.Is(err, dataset.ErrEmpty):
			r.add(leftOutKind, path, path, withoutPath(err, path), 1)
		default:
			r.Bad++
			r.add(errorKind, path, path, withoutPath(err, path), 1)
		}
		break
	}
	if r.Graphs > before {
		r.Read++
	}
	for _, note := range in.Notes() {
		n, text := counted(note)
		r.add(noteKind, path, path, text, n)
	}
}

// noteCount is what notes that count begin with.
var noteCount = regexp.MustCompile(`^([0-9]+) (molecules?: )?`)

// counted returns a note without the number it begins with, and that number.
func counted(note string) (n int, text string) {
	m := noteCount.FindStringSubmatch(note)
	if m == nil {
		return 0, note
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return 0, note
	}
	return n, note[len(m[0]):]
}

// withoutPath returns a message without the file it begins with.
func withoutPath(err error, path string) string {
	return strings.TrimPrefix(err.Error(), path+": ")
}

// causesShown is how many causes are printed of each kind; JSON has them all.
const causesShown = 30

func (r *folderReport) print(s *session) error {
	if s.json {
		return s.out.printJSON(r)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d with graphs: %s, %s\n", count(r.Files, "file"), r.Read, count(r.Graphs, "graph"), count(r.Bad, "problem"))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	printed := make(map[string]int)
	for i, c := range r.Causes {
		if i == 0 {
			fmt.Fprint(w, "\nkind\tcases\tfiles\tcause\tfirst\n")
		}
		if printed[c.Kind]++; printed[c.Kind] > causesShown {
			continue
		}
		cases := "-"
		if c.Records > 0 {
			cases = fmt.Sprint(c.Records)
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", c.Kind, cases, c.Files, field(c.Cause), field(c.First))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, kind := range []string{errorKind, leftOutKind, noteKind} {
		if more := printed[kind] - causesShown; more > 0 {
			fmt.Fprintf(&b, "%d more of kind %q are in --json\n", more, kind)
		}
	}
	_, err := io.WriteString(s.out, b.String())
	return err
}
