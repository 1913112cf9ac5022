package main

import (
	"fmt"
	"hash/maphash"

	"github.com/greedgraph/greed/dataset"
)

// idSources remembers where every id of a collection was given. It keeps 128 bits of a
// hash instead of the text; a collision is as good as impossible.
type idSources struct {
	seeds  [2]maphash.Seed
	source map[[2]uint64]idSource
	files  []string
}

type idSource struct{ file, line, record int32 }

func newIDSources() *idSources {
	return &idSources{
		seeds:  [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		source: make(map[[2]uint64]idSource),
	}
}

// add takes the id of the record at a position. It returns the
// source of an earlier record with that id, and whether there is one.
func (p *idSources) add(rec dataset.Record, position int) (before string, given bool) {
	key := [2]uint64{maphash.String(p.seeds[0], rec.ID), maphash.String(p.seeds[1], rec.ID)}
	if at, ok := p.source[key]; ok {
		return recordSource(p.files[at.file], int(at.line), int(at.record)), true
	}
	if n := len(p.files); n == 0 || p.files[n-1] != rec.File {
		p.files = append(p.files, rec.File)
	}
	p.source[key] = idSource{int32(len(p.files) - 1), int32(rec.Line), int32(position)}
	return "", false
}

// recordSource is how messages name a record.
func recordSource(file string, line, record int) string {
	if line > 0 {
		return fmt.Sprintf("%s:%d: record %d", file, line, record)
	}
	return fmt.Sprintf("%s: record %d", file, record)
}
