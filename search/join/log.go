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

// finished is the journal of a join.
type finished struct {
	journal          *journal.Journal
	frame            *journal.Frame
	queries, targets int
	Progress         // of what it holds
}

// openLog opens or makes the journal at path, of a join of so many queries and targets.
func openLog(path string, fingerprint [truth.FingerprintSize]byte, queries, targets int) (*finished, error) {
	f := &finished{queries: queries, targets: targets}
	j, err := journal.Open(path, magic, fingerprint[:], func(records []byte) error {
		return f.replay(records, &f.Done, func(p truth.Pair) error {
			f.note(p)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	f.journal, f.frame = j, journal.NewFrame(j)
	return f, nil
}

// replay calls each with the pairs of records that follow on those of so many queries, which it counts.
// The numbers of queries are those in the journal.
func (f *finished) replay(records []byte, done *int, each func(truth.Pair) error) error {
	for r := (varint.Reader{Rest: records}); len(r.Rest) > 0; *done++ {
		if *done == f.queries {
			return errRecord
		}
		for n := r.Count(); n > 0 && r.Err == nil; n-- {
			target := r.Number(f.targets)
			if target == f.targets {
				return errRecord
			}
			p := truth.Pair{Query: int32(*done), Target: int32(target), Lower: r.Float(), Upper: r.Float()}
			if r.Err == nil {
				if err := each(p); err != nil {
					return err
				}
			}
		}
		if r.Err != nil {
			return errRecord
		}
	}
	return nil
}

// each calls use with all pairs of the journal, in order.
func (f *finished) each(use func(truth.Pair) error) error {
	if err := f.frame.Flush(); err != nil {
		return err
	}
	done := 0
	return f.journal.Replay(func(records []byte) error { return f.replay(records, &done, use) })
}

// put adds the pairs of the next query.
func (f *finished) put(pairs []truth.Pair) error {
	f.Done++
	for _, p := range pairs {
		f.note(p)
	}
	return f.frame.Add(func(b []byte) []byte {
		b = binary.AppendUvarint(b, uint64(len(pairs)))
		for _, p := range pairs {
			b = binary.AppendUvarint(b, uint64(p.Target))
			b = varint.AppendFloat(varint.AppendFloat(b, p.Lower), p.Upper)
		}
		return b
	})
}

// note counts a pair.
func (p *Progress) note(pair truth.Pair) {
	p.Pairs++
	if !pair.Exact() {
		p.Open++
	}
}

// close writes the records that were not yet written and closes the journal.
func (f *finished) close() error { return errors.Join(f.frame.Flush(), f.journal.Close()) }
