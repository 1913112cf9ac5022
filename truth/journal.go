package truth

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/internal/journal"
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
	for r := (reader{data: records}); len(r.data) > 0; {
		if err := r.record(table, done); err != nil {
			return err
		}
	}
	return nil
}

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

// reader reads records from the front of data.
type reader struct{ data []byte }

var errRecord = errors.New("holds invalid records")

func (r *reader) uvarint() (uint64, error) {
	x, n := binary.Uvarint(r.data)
	if n <= 0 {
		return 0, errRecord
	}
	r.data = r.data[n:]
	return x, nil
}

func (r *reader) record(table *Table, done []bool) error {
	at, err := r.uvarint()
	if err != nil || at >= uint64(len(table.Pairs)) || len(r.data) < 16 {
		return errRecord
	}
	p := &table.Pairs[at]
	p.Lower = math.Float64frombits(binary.LittleEndian.Uint64(r.data))
	p.Upper = math.Float64frombits(binary.LittleEndian.Uint64(r.data[8:]))
	r.data = r.data[16:]
	done[at] = true
	if table.Maps == nil {
		return nil
	}
	n, err := r.uvarint()
	if err != nil || n > uint64(len(r.data)) {
		return errRecord
	}
	m := make(edit.NodeMap, n)
	for v := range m {
		w, err := r.uvarint()
		if err != nil || w > math.MaxInt32 {
			return errRecord
		}
		m[v] = int(w) - 1
	}
	table.Maps[at] = m
	return nil
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
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(p.Lower))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(p.Upper))
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
