package postgres

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/greedgraph/greed/dataset"
)

// row is a record as the tables hold it: a text for each column of columnList, nil for
// null.
type row []*string

// newRow returns the row of a record. vectors are those of every embedding.
func newRow(rec dataset.Record, slot, since int64, embeddings []Embedding, vectors [][]float32) (row, error) {
	var attributes []byte
	if len(rec.Attributes) > 0 {
		var err error
		if attributes, err = json.Marshal(rec.Attributes); err != nil {
			return nil, fmt.Errorf("%w: graph %q: %w", ErrRecord, rec.ID, err)
		}
	}
	for _, text := range []string{rec.ID, rec.Name, rec.SMILES, string(attributes)} {
		if strings.ContainsRune(text, 0) || strings.Contains(text, `\u0000`) || !utf8.ValidString(text) {
			return nil, fmt.Errorf("%w: graph %q has a text with a zero byte or one that is not UTF-8", ErrRecord, rec.ID)
		}
	}
	r := make(row, 0, 12+len(vectors))
	add := func(text string) { r = append(r, &text) }
	add(strconv.FormatInt(slot, 10))
	add(rec.ID)
	add(rec.Name)
	add(rec.SMILES)
	if attributes == nil {
		r = append(r, nil)
	} else {
		add(string(attributes))
	}
	if g := rec.Graph; g == nil {
		r = append(r, nil, nil, nil, nil)
	} else {
		add(strconv.Itoa(g.N()))
		add(strconv.Itoa(g.M()))
		if counts := countsOf(g); counts == nil {
			r = append(r, nil)
		} else {
			add(string(point(nil, counts)))
		}
		add(`\x` + hex.EncodeToString(appendGraph(nil, g, rec.NodeIDs)))
	}
	add(strconv.FormatInt(since, 10))
	add(never)
	r = append(r, nil)
	for i, e := range embeddings {
		columnsOf(e.Name, e.Norm).each(vectors[i], func(_ int, part []float32) { add(string(point(nil, part))) })
	}
	return r, nil
}

// shardOf returns which of several servers holds the graph with an id.
func shardOf(id string, shards int) int {
	h := fnv.New32a()
	h.Write([]byte(id))
	return int(h.Sum32() % uint32(max(1, shards)))
}

// hashes returns what the index of ids goes by: ids may be longer than an index takes.
func hashes(ids []string) []string {
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = fmt.Sprintf("%x", md5.Sum([]byte(id)))
	}
	return list
}

var copyEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// appendCopy adds the row as a line of COPY's text format.
func (r row) appendCopy(b []byte) []byte {
	for i, text := range r {
		if i > 0 {
			b = append(b, '\t')
		}
		if text == nil {
			b = append(b, `\N`...)
		} else {
			b = append(b, copyEscapes.Replace(*text)...)
		}
	}
	return append(b, '\n')
}
