package truth

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/journal"
	"github.com/greedgraph/greed/internal/varint"
)

// The records of a journal, see [journal.Open], are in no particular order:
//
//	uvarint   position of the pair
//	8 bytes   lower bound, IEEE 754, little endian
//	8 bytes   upper bound
//	uvarint   with maps: number of query nodes, then for each
//	uvarint   its target node plus 1, or 0 if it is deleted
const journalMagic = "greedtj\x01"

// ErrJournal is wrapped by the error for a journal that cannot be resumed.
var ErrJournal = journal.ErrUnusable

// openJournal opens or makes the journal at path, fills in the bounds that it
// holds, and returns the positions that it does not hold, in order.
func openJournal(path string, fingerprint [FingerprintSize]byte, table *Table) (*journal.Journal, []span, error) {
	done := make([]bool, len(table.Pairs))
	j, err := journal.Open(path, journalMagic, fingerprint[:], func(records []byte) error {
		return replay(records, table, done)
	})
	if err != nil {
		return nil, nil, err
	}
	return j, spansOf(done), nil
}

// replay fills in the bounds that records hold and marks their positions as done.
func replay(records []byte, table *Table, done []bool) error {
	for r := (varint.Reader{Rest: records}); len(r.Rest) > 0; {
		at := r.Number(len(table.Pairs))
		lower, upper := r.Float(), r.Float()
		var m edit.NodeMap
		if table.Maps != nil {
			m = make(edit.NodeMap, r.Count())
			for v := range m {
				m[v] = r.Number(math.MaxInt32) - 1
			}
		}
		if r.Err != nil || at == len(table.Pairs) {
			return errRecord
		}
		table.Pairs[at].Lower, table.Pairs[at].Upper, done[at] = lower, upper, true
		if m != nil {
			table.Maps[at] = m
		}
	}
	return nil
}

var errRecord = errors.New("holds invalid records")

// spansOf returns the positions that are not done.
func spansOf(done []bool) (todo []span) {
	for i := range done {
		if done[i] {
			continue
		}
		if k := len(todo); k > 0 && todo[k-1].end == i {
			todo[k-1].end++
		} else {
			todo = append(todo, span{i, i + 1})
		}
	}
	return todo
}

// journalist is the [sink] of one worker: it writes what was computed to the journal.
type journalist struct {
	frame *journal.Frame
	table *Table
}

func (j *journalist) put(at int, m edit.NodeMap) error {
	p := j.table.Pairs[at]
	if j.table.Maps != nil {
		j.table.Maps[at] = m
	}
	return j.frame.Add(func(b []byte) []byte {
		b = binary.AppendUvarint(b, uint64(at))
		b = varint.AppendFloat(varint.AppendFloat(b, p.Lower), p.Upper)
		if j.table.Maps != nil {
			b = binary.AppendUvarint(b, uint64(len(m)))
			for _, w := range m {
				b = binary.AppendUvarint(b, uint64(w+1))
			}
		}
		return b
	})
}

// close writes the records that were not yet written.
func (j *journalist) close() error { return j.frame.Flush() }
