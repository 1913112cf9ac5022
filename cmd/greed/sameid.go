package main

import (
	"fmt"
	"hash/maphash"

	"github.com/greedgraph/greed/dataset"
)

// idPlaces remembers where every id of a collection was given. It holds 128 bits
// of each in place of the text: that two differ and agree in these is out of the
// question.
type idPlaces struct {
	seeds [2]maphash.Seed
	place map[[2]uint64]idPlace
	files []string
}

type idPlace struct{ file, line, record int32 }

func newIDPlaces() *idPlaces {
	return &idPlaces{
		seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
		place: make(map[[2]uint64]idPlace),
	}
}

// add takes the id of the record at a position. It returns the
// place of an earlier record with that id, and whether there is one.
func (p *idPlaces) add(rec dataset.Record, position int) (before string, given bool) {
	key := [2]uint64{maphash.String(p.seeds[0], rec.ID), maphash.String(p.seeds[1], rec.ID)}
	if at, ok := p.place[key]; ok {
		return recordPlace(p.files[at.file], int(at.line), int(at.record)), true
	}
	if n := len(p.files); n == 0 || p.files[n-1] != rec.File {
		p.files = append(p.files, rec.File)
	}
	p.place[key] = idPlace{int32(len(p.files) - 1), int32(rec.Line), int32(position)}
	return "", false
}

// recordPlace is how messages name a record.
func recordPlace(file string, line, record int) string {
	if line > 0 {
		return fmt.Sprintf("%s:%d: record %d", file, line, record)
	}
	return fmt.Sprintf("%s: record %d", file, record)
}
