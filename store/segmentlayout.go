package store

import (
	"fmt"
)

// segmentLayout describes the file that holds what searches need of the first slots, ready to
// be mapped: records, signatures, counts and the vector indexes of embeddings. All of
// it follows from the database and the vectors, but with the file a collection of
// millions opens at once. It stays true because a slot's record never changes, other
// than by removal. Slots after those in the file are read one by one.
type segmentLayout struct {
	File    int    `json:"file"`
	Slots   int    `json:"slots"`
	Records int    `json:"records"` // records in those slots at the time of writing
	Sum     uint64 `json:"sum"`     // the sum of their checksums, as manifest.Sum
	Plain   int    `json:"plain"`   // of them, those that are not molecules
	// Sections follow each other in the file, each padded to a multiple of
	// sectionAlign bytes.
	Sections []section `json:"sections"`
}

// section is a part of the file with its CRC-32C.
type section struct {
	Name   string `json:"name"`
	Length int64  `json:"length"`
	Sum    uint32 `json:"sum"`
}

const (
	// [slots+1] int64: where the record of each slot begins; an empty slot has no bytes
	recordStarts    = "record starts"
	recordPayloads  = "records"          // as in the database
	recordSums      = "record sums"      // uint32: the CRC-32C of each block of blockBytes of the records
	idOrder         = "id order"         // [records] int32: their slots in the order of their ids, byte by byte
	signatureStarts = "signature starts" // [slots+1] int64
	signatureWords  = "signatures"       // as bound.Signatures has them; an empty slot has those of the empty graph
	sheetOrder      = "sheet order"      // these five are the parts of a screen.Sheet
	sheetCounts     = "sheet counts"
	branchStarts    = "branch starts"
	branchLists     = "branch lists"
	branchKinds     = "branches"
	treePrefix      = "box tree " // followed by the number of the vector file: a vectorindex.BoxTree
)

// ofSignatures reports whether a section is part of the signatures.
func ofSignatures(name string) bool { return name == signatureStarts || name == signatureWords }

// ofSheet reports whether a section is part of the screen.Sheet.
func ofSheet(name string) bool {
	switch name {
	case sheetOrder, sheetCounts, branchStarts, branchLists, branchKinds:
		return true
	}
	return false
}

const (
	sectionAlign  = 64
	segmentPrefix = "settled-"
	newSegment    = segmentPrefix + "*.new" // during writing
)

func (e *segmentLayout) fileName() string { return fmt.Sprintf("%s%08d", segmentPrefix, e.File) }

// treeName returns the name of the section with the vector index of an embedding.
func treeName(e Embedding) string { return fmt.Sprintf("%s%d", treePrefix, e.File) }

func padding(length int64) int64 { return (sectionAlign - length%sectionAlign) % sectionAlign }

// find returns the section with a name and its offset, or nil.
func (e *segmentLayout) find(name string) *locatedSection {
	at := int64(0)
	for i := range e.Sections {
		c := &e.Sections[i]
		if c.Name == name {
			return &locatedSection{*c, at}
		}
		at += c.Length + padding(c.Length)
	}
	return nil
}

// locatedSection is a section with its offset in the file.
type locatedSection struct {
	section
	offset int64
}

// size returns the length of the file.
func (e *segmentLayout) size() int64 {
	total := int64(0)
	for _, c := range e.Sections {
		total += c.Length + padding(c.Length)
	}
	return total
}

// check returns an error unless the numbers are consistent.
func (e *segmentLayout) check(m *manifest) error {
	if e.Slots < 0 || e.Slots > m.Slots || e.Records < 0 || e.Records > e.Slots || e.File < 0 || e.File >= m.NextFile {
		return fmt.Errorf("%w: segment %d with %d records in %d slots of %d", ErrFormat, e.File, e.Records, e.Slots,
			m.Slots)
	}
	for _, c := range e.Sections {
		if c.Length < 0 || c.Length > 1<<48 {
			return fmt.Errorf("%w: section %q of %d bytes", ErrFormat, c.Name, c.Length)
		}
	}
	return nil
}
