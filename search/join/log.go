package join

import (
	"encoding/binary"
	"errors"

	"github.com/greedgraph/greed/internal/journal"
	"github.com/greedgraph/greed/internal/varint"
	"github.com/greedgraph/greed/truth"
)

// The records of a journal, see [journal.Open], are those of the queries, in order:
//
//	uvarint   number of pairs of the query, then for each
//	uvarint   the target
//	8 bytes   lower bound, IEEE 754, little endian
//	8 bytes   upper bound
const magic = "greedjn\x01"

var errRecord = errors.New("holds invalid records")

// finished is the journal of a join and what it holds.
type finished struct {
	journal *journal.Journal
	frame   *journal.Frame
	done    int // queries
	pairs   []truth.Pair
}

// openLog opens or makes the journal at path, of a join of so many queries and targets.
func openLog(path string, fingerprint [truth.FingerprintSize]byte, queries, targets int) (*finished, error) {
	f := &finished{}
	j, err := journal.Open(path, magic, fingerprint[:], func(records []byte) error {
		return f.replay(records, queries, targets)
	})
	if err != nil {
		return nil, err
	}
	f.journal, f.frame = j, journal.NewFrame(j)
	return f, nil
}

// replay reads records.
func (f *finished) replay(records []byte, queries, targets int) error {
	for r := (varint.Reader{Rest: records}); len(r.Rest) > 0; f.done++ {
		if f.done == queries {
			return errRecord
		}
		for n := r.Count(); n > 0 && r.Err == nil; n-- {
			target := r.Number(targets)
			if target == targets {
				return errRecord
			}
			f.pairs = append(f.pairs, truth.Pair{Query: int32(f.done), Target: int32(target), Lower: r.Float(), Upper: r.Float()})
		}
		if r.Err != nil {
			return errRecord
		}
	}
	return nil
}

// put adds the pairs of the next query.
func (f *finished) put(pairs []truth.Pair) error {
	return f.frame.Add(func(b []byte) []byte {
		b = binary.AppendUvarint(b, uint64(len(pairs)))
		for _, p := range pairs {
			b = binary.AppendUvarint(b, uint64(p.Target))
			b = varint.AppendFloat(varint.AppendFloat(b, p.Lower), p.Upper)
		}
		return b
	})
}

// close writes the records that were not yet written and closes the journal.
func (f *finished) close() error { return errors.Join(f.frame.Flush(), f.journal.Close()) }
