package dataset

import (
	"context"
	"math"
	"strconv"

	"github.com/greedgraph/greed/graph"
)

// DefaultMaxRecord is the default of [Options.MaxRecord]: 256 MiB, enough for graphs of
// some ten million edges.
const DefaultMaxRecord = 256 << 20

// NoLabel as [Rules.NodeLabel] or [Rules.EdgeLabel] reads every label as [Unlabelled].
const NoLabel = "-"

// Unlabelled is the label of nodes and edges without one.
const Unlabelled = "0"

// Header says whether a table of SMILES begins with the names of its columns.
type Header int8

const (
	// HeaderAuto treats the first line as a header if it looks like names and its SMILES
	// column is not a molecule.
	HeaderAuto Header = iota
	// HeaderPresent always treats the first line as a header.
	HeaderPresent
	// HeaderAbsent never treats the first line as a header.
	HeaderAbsent
)

// Options configure a [Reader]. The zero value reads everything that needs no options.
type Options struct {
	// Vocabulary is that of the labels of all graphs read; nil means a new one, see
	// [Reader.Vocabulary].
	Vocabulary *graph.Vocabulary
	// Format is the name of a format listed by [Formats]; empty means to detect it from the
	// content.
	Format string

	// Rules determine which graphs the texts stand for.
	Rules
	// Adopted says that the rules are those of a collection that the graphs are compared with.
	// Then labels of formats without attributes count where the rules name an attribute;
	// otherwise such rules are an error.
	Adopted bool

	// Mixed allows directed and undirected graphs in one collection. Without it, a graph
	// whose direction differs from the first one's is a bad record, see [Direction].
	Mixed bool
	// Named labels nodes by their names, as [NodeName] does, if the first graph with nodes
	// has no labels and a name that is not a number. It is for comparing two versions of a
	// graph.
	Named bool
	// Unnumbered leaves Record.ID empty if the input gives no id, in place of the record's
	// position.
	Unnumbered bool
	// LabelFile is the path of a file of node labels for an edge list, with a node and its
	// label per line.
	LabelFile string

	// Blocks keeps the MOL blocks of molecules in [Record.Block].
	Blocks bool

	// DataDir is a folder in which files listed by a GXL index are looked for first, then
	// beside the index: GEDLIB stores its indexes separately.
	DataDir string

	// SMILESColumn and IDColumn select columns of a SMILES table, by their names in the
	// header or by number from 0; empty means 0 and 1. In an SDF, IDColumn names the property
	// that holds the id.
	SMILESColumn, IDColumn string
	// Delimiter separates the columns of a SMILES table: tab, comma, semicolon or another
	// single byte; empty means to detect it from the first line. A blank means any run of
	// blanks and tabs.
	Delimiter string
	// Header says whether a SMILES table has a header.
	Header Header

	// SkipBad makes the Reader skip bad records. It passes each to Rejects, if that is not
	// nil.
	SkipBad bool
	Rejects func(BadRecord)
	// MaxRecord is the greatest number of bytes in the text of a record; 0 means
	// [DefaultMaxRecord]. It is never more than 4 GiB.
	MaxRecord int
	// MaxNodes and MaxEdges limit the nodes and edges of a graph while it is read; 0 means no
	// limit. Edges are counted as in the file.
	MaxNodes, MaxEdges int

	// Declared rejects edges to undeclared nodes and data with undeclared keys. Otherwise
	// they are read with a note, which not every caller can show.
	Declared bool
	// Strict rejects what Declared does, and graphs without nodes.
	Strict bool
	// Context ends reading when it is done, even within a record. nil means never.
	Context context.Context
}

// Given lists the options that are set and say how files are read.
func (o *Options) Given() (list []Setting) {
	header := map[Header]string{HeaderPresent: "yes", HeaderAbsent: "no"}[o.Header]
	for _, s := range []struct {
		name, value string
		given       bool
	}{
		{"format", o.Format, o.Format != ""}, {"label_file", o.LabelFile, o.LabelFile != ""},
		{"data_dir", o.DataDir, o.DataDir != ""},
		{"smiles_column", o.SMILESColumn, o.SMILESColumn != ""}, {"id_column", o.IDColumn, o.IDColumn != ""},
		{"delimiter", o.Delimiter, o.Delimiter != ""}, {"header", header, header != ""}, {"strict", "true", o.Strict},
		{"skip_bad", "true", o.SkipBad}, {"max_record", strconv.Itoa(o.MaxRecord), o.MaxRecord != 0},
	} {
		if s.given {
			list = append(list, Setting{s.name, s.value})
		}
	}
	return list
}

func (o *Options) maxRecord() int {
	if o.MaxRecord > 0 {
		return min(o.MaxRecord, math.MaxUint32) // the type of offsets in a record
	}
	return DefaultMaxRecord
}
