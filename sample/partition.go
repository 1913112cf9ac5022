package sample

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// Partition lists the ids of the graphs of every part of a collection. It is
// what is kept in a file, so that a split stays what it was.
type Partition struct {
	Collection string `json:"collection"` // file that was split, in words for people
	Together   string `json:"together"`   // which graphs never part, in words for people
	Seed       uint64 `json:"seed"`
	Parts      []Part `json:"parts"`
}

// Part is one part of a [Partition].
type Part struct {
	Name string   `json:"name"`
	IDs  []string `json:"ids"`
}

// PartNames are the names of the parts of a split in three.
func PartNames() []string { return []string{"train", "validation", "test"} }

// NewParts returns the parts that hold ids at the given positions, as from
// [Split], under the given names.
func NewParts(ids []string, positions [][]int, names []string) []Part {
	if len(positions) != len(names) {
		panic(fmt.Sprintf("sample: %d names for %d parts", len(names), len(positions)))
	}
	parts := make([]Part, len(names))
	for p, name := range names {
		parts[p] = Part{Name: name, IDs: make([]string, len(positions[p]))}
		for i, at := range positions[p] {
			parts[p].IDs[i] = ids[at]
		}
	}
	return parts
}

// Write writes the partition as JSON.
func (p Partition) Write(w io.Writer) error { return json.NewEncoder(w).Encode(p) }

// ErrPartition is wrapped by every error about a partition that cannot be used.
var ErrPartition = errors.New("unusable partition")

// ReadPartition reads what [Partition.Write] wrote. Its errors wrap
// [ErrPartition].
func ReadPartition(r io.Reader) (Partition, error) {
	var p Partition
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return Partition{}, fmt.Errorf("%w: %w", ErrPartition, err)
	}
	part := make(map[string]string)
	names := make(map[string]bool)
	for _, q := range p.Parts {
		if names[q.Name] {
			return Partition{}, fmt.Errorf("%w: two parts are named %q", ErrPartition, q.Name)
		}
		names[q.Name] = true
		for _, id := range q.IDs {
			if other, ok := part[id]; ok {
				return Partition{}, fmt.Errorf("%w: id %q is in %q and in %q", ErrPartition, id, other, q.Name)
			}
			part[id] = q.Name
		}
	}
	return p, nil
}

// Positions returns where among ids those of the named part are, in the order
// of the part. An id that is not there, or a part that does not exist, is an
// error that wraps [ErrPartition].
func (p Partition) Positions(ids []string, name string) ([]int, error) {
	for _, part := range p.Parts {
		if part.Name != name {
			continue
		}
		at := make(map[string]int, len(ids))
		for i, id := range ids {
			at[id] = i
		}
		positions := make([]int, len(part.IDs))
		for i, id := range part.IDs {
			j, ok := at[id]
			if !ok {
				return nil, fmt.Errorf("%w: id %q of part %q is not in the collection (split was made of %s)",
					ErrPartition, id, name, p.Collection)
			}
			positions[i] = j
		}
		return positions, nil
	}
	return nil, fmt.Errorf("%w: it has no part %q", ErrPartition, name)
}

// PositionsIn is [Partition.Positions] for the partition that a file holds.
func PositionsIn(file string, ids []string, part string) (at []int, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	partition, err := ReadPartition(f)
	if err == nil {
		at, err = partition.Positions(ids, part)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return at, nil
}
