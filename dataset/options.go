package dataset

import (
	"context"
	"math"

	"github.com/greedgraph/greed/graph"
)

// DefaultMaxRecord is the default of [Options.MaxRecord]: 256 MiB, enough for graphs of
// some ten million edges.
const DefaultMaxRecord = 256 << 20

// NoLabel as [Rules.NodeLabel] or [Rules.EdgeLabel] reads every label as
// [Unlabelled].
const NoLabel = "-"

// Unlabelled is the text of the label of nodes and edges that have none.
const Unlabelled = "0"

// Header reports whether a table of SMILES starts with the names of its columns.
type Header int8

const (
	// HeaderAuto takes the first line for a header if its SMILES column is
	// not a molecule and the line looks like names.
	HeaderAuto Header = iota
	// HeaderPresent always takes the first line for a header.
	HeaderPresent
	// HeaderAbsent never does.
	HeaderAbsent
)

// Options configure a [Reader]. The zero value reads everything that can be read
// without choices.
type Options struct {
	// Vocabulary numbers the labels of all graphs read; nil means a new one,
	// see [Reader.Vocabulary].
	Vocabulary *graph.Vocabulary
	// Format is the name of a format, as listed by [Formats]; empty means to
	// tell it by the content.
	Format string

	// Rules decide which graphs the texts mean.
	Rules

	// Mixed reads directed and undirected graphs in one collection. Without it
	// a graph of another direction than the first is a bad record, see [Direction].
	Mixed bool
	// Named labels nodes by their names, as [NodeName] does, where the first graph with
	// nodes has no labels and a name that is not a number. Comparisons of two versions of a
	// graph use it.
	Named bool
	// Unnumbered leaves Record.ID empty where the input gives no id, instead of the
	// record's position.
	Unnumbered bool
	// LabelFile is the path of a file of node labels, a node and its label a
	// line, for an edge list.
	LabelFile string

	// Blocks keeps the MOL blocks of molecules in [Record.Block].
	Blocks bool

	// DataDir is a folder where the files that a GXL index lists are looked for,
	// before those of the index: GEDLIB keeps its indexes apart.
	DataDir string

	// SMILESColumn and IDColumn name columns of a SMILES table, by the name
	// in its header or by number from 0; empty means 0 and 1. For an SDF,
	// IDColumn names the property that holds the id.
	SMILESColumn, IDColumn string
	// Delimiter separates the columns of a SMILES table: one of tab, comma,
	// semicolon or another single byte, or empty to tell by the first line.
	// A blank means any run of blanks and tabs.
	Delimiter string
	// Header reports whether a SMILES table has a header.
	Header Header

	// SkipBad makes the Reader skip bad records. Rejects, if not nil, is called with each
	// of them.
	SkipBad bool
	Rejects func(BadRecord)
	// MaxRecord is the number of bytes that the text of one record may have;
	// 0 means [DefaultMaxRecord]. It is never more than 4 GiB.
	MaxRecord int
	// MaxNodes and MaxEdges bound the nodes and edges of one graph, while it is
	// read; 0 means no bound. Edges are counted as the file has them.
	MaxNodes, MaxEdges int

	// Declared refuses edges to undeclared nodes, and data of undeclared keys. Otherwise
	// they are read with a note, which not every caller can show.
	Declared bool
	// Strict refuses what Declared does, and graphs without nodes.
	Strict bool
	// Context ends reading when it is done, also within a record. nil means never.
	Context context.Context
}

func (o *Options) maxRecord() int {
	if o.MaxRecord > 0 {
		return min(o.MaxRecord, math.MaxUint32) // the type of offsets in a record
	}
	return DefaultMaxRecord
}
