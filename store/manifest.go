package store

import (
	"encoding/json"
	"fmt"
	"slices"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/norm"
)

// Version is the version of the layout, the only one that is read. None before it was part of
// a release.
const Version = 4

// The buckets of the database. Every value starts with its checksum.
var (
	manifestBucket = []byte("manifest") // one entry, "manifest": JSON
	recordsBucket  = []byte("records")  // slot: record
	idsBucket      = []byte("ids")      // id: slot
	labelsBucket   = []byte("labels")   // n or e, number: text
	modelsBucket   = []byte("models")   // fingerprint: model file
	blocksBucket   = []byte("blocks")   // number of the vector file, block: checksum of its rows
	wholeBucket    = []byte("whole")    // one entry, "whole": record of the large graph
	removedBucket  = []byte("removed")  // number of the removal, from 0: the slot that it emptied
	molBucket      = []byte("mol")      // slot: MOL block, compressed
)

func buckets() [][]byte {
	return [][]byte{manifestBucket, recordsBucket, idsBucket, labelsBucket, modelsBucket, blocksBucket, wholeBucket,
		removedBucket, molBucket}
}

// manifest describes the whole collection. Records stand in slots, numbered in the
// order in which they were put. A record that is replaced or deleted leaves an empty
// slot. Row i of an embedding belongs to slot i.
type manifest struct {
	Version int `json:"version"`
	Slots   int `json:"slots"`
	Records int `json:"records"`
	// Sum adds up the checksums of all records, which reveals a missing one.
	Sum            uint64          `json:"sum"`
	NodeLabels     int             `json:"nodeLabels"`
	EdgeLabels     int             `json:"edgeLabels"`
	NextFile       int             `json:"nextFile"`
	Embeddings     []Embedding     `json:"embeddings"`
	Neighbourhoods *Neighbourhoods `json:"neighbourhoods,omitempty"`
	Segment        *segmentLayout  `json:"settled,omitempty"`
	// Rules are those by which the records were read; nil if they are not known.
	Rules *dataset.Rules `json:"rules,omitempty"`
	// Source is the database that the records come from.
	Source Source `json:"source,omitzero"`
	// NoBlocks says that the MOL blocks of records are not kept.
	NoBlocks bool `json:"noBlocks,omitempty"`
	// Moves counts how often the slots and the labels were renumbered.
	Moves int `json:"moves,omitempty"`
	// Generation counts the changes. Removed counts the slots that were emptied since the
	// last renumbering. With it, a process that knows an earlier generation finds out
	// which records went.
	Generation uint64 `json:"generation"`
	Removed    int    `json:"removed"`
	// Calibrations counts those of the models.
	Calibrations int `json:"calibrations,omitempty"`
}

// Embedding describes the vectors that one model, or another program, gave to
// the records.
type Embedding struct {
	Name string    `json:"name"`
	Task edit.Task `json:"task"`
	// Model is the fingerprint of the model, "" for foreign vectors.
	Model string    `json:"model,omitempty"`
	Norm  norm.Norm `json:"norm"`
	// Serves says that searches for the task use this embedding.
	Serves bool `json:"serves"`
	// Rows is the number of slots: each has a vector.
	Rows int `json:"rows"`
	File int `json:"file"`
}

// Neighbourhoods says that the records are the neighbourhoods of the nodes of one large
// graph. They are extracted when they are read.
type Neighbourhoods struct {
	Hops     int `json:"hops"`
	MaxNodes int `json:"maxNodes"` // 0 if there is no limit
	// Truncated is how many were cut at MaxNodes nodes.
	Truncated int `json:"truncated"`
}

func readManifest(tx *bolt.Tx) (*manifest, error) {
	text, _, err := get(tx, manifestBucket, manifestBucket)
	if err != nil {
		return nil, err
	}
	return parseManifest(text)
}

func parseManifest(text []byte) (*manifest, error) {
	m := new(manifest)
	var version struct{ Version int }
	if err := json.Unmarshal(text, &version); err != nil {
		return nil, fmt.Errorf("%w: manifest: %w", ErrFormat, err)
	}
	switch {
	case version.Version > Version:
		return nil, fmt.Errorf("%w: it has version %d, this program reads version %d; use a newer greed", ErrVersion,
			version.Version, Version)
	case version.Version < Version:
		return nil, fmt.Errorf("%w: it has version %d, this program reads version %d; build it again with greed "+
			"index build", ErrVersion, version.Version, Version)
	}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%w: manifest: %w", ErrFormat, err)
	}
	// Earlier programs kept what a stopped [Store.Reembed] had made.
	m.Embeddings = slices.DeleteFunc(m.Embeddings, func(e Embedding) bool { return e.Rows < m.Slots && !e.Serves })
	return m, m.check()
}

// check returns an error unless the numbers are consistent.
func (m *manifest) check() error {
	if m.Slots < 0 || m.Records < 0 || m.Records > m.Slots || m.NodeLabels < 0 || m.EdgeLabels < 0 || m.Removed < 0 {
		return fmt.Errorf("%w: manifest with %d records in %d slots", ErrFormat, m.Records, m.Slots)
	}
	names := make(map[string]bool)
	for _, e := range m.Embeddings {
		if err := e.Norm.Check(); err != nil {
			return fmt.Errorf("%w: embedding %s: %w", ErrFormat, e.Name, err)
		}
		if names[e.Name] || e.Rows != m.Slots || e.File < 0 || e.File >= m.NextFile {
			return fmt.Errorf("%w: embedding %s of file %d with %d rows for %d slots", ErrFormat, e.Name, e.File,
				e.Rows, m.Slots)
		}
		names[e.Name] = true
	}
	if m.Segment != nil {
		return m.Segment.check(m)
	}
	return nil
}

func (m *manifest) write(tx *bolt.Tx) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = put(tx, manifestBucket, manifestBucket, text)
	return err
}

// find returns the embedding with a name, or nil.
func (m *manifest) find(name string) *Embedding {
	if i := slices.IndexFunc(m.Embeddings, func(e Embedding) bool { return e.Name == name }); i >= 0 {
		return &m.Embeddings[i]
	}
	return nil
}

// named is [manifest.find] that returns an error where there is none.
func (m *manifest) named(name string) (*Embedding, error) {
	e := m.find(name)
	if e == nil {
		return nil, fmt.Errorf("embedding %q: %w", name, ErrNotFound)
	}
	return e, nil
}

// free returns an error unless a new embedding can have a name.
func (m *manifest) free(name string) error {
	if name == "" {
		return fmt.Errorf("%w: an embedding without a name", ErrVectors)
	}
	if m.find(name) != nil {
		return fmt.Errorf("embedding %q: %w: choose another name", name, ErrExists)
	}
	return nil
}
