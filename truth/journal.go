package truth

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"sync"
	"time"

	"github.com/greedgraph/greed/edit"
)

// A journal is a header and frames in no particular order:
//
//	header   8 bytes   "greedtj" and the version, 1
//	        32 bytes   fingerprint of the job
//	frame    4 bytes   length of the records, little endian
//	         4 bytes   CRC-32C of the records
//	         records   of one or more pairs
//	record   uvarint   position of the pair
//	         8 bytes   lower bound, IEEE 754, little endian
//	         8 bytes   upper bound
//	         uvarint   with maps: number of query nodes, then for each
//	         uvarint   its target node plus 1, or 0 where it is deleted
//
// A process killed while writing leaves a frame cut short at the end, which
// the next one cuts off.
const journalMagic = "greedtj\x01"

const journalHeader = len(journalMagic) + FingerprintSize

// ErrJournal is wrapped by the error about a journal that cannot be gone on
// with.
var ErrJournal = errors.New("unusable journal")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// journal is open for appending, by several goroutines.
type journal struct {
	mu   sync.Mutex
	file *os.File
}

// unusable returns the error about a journal, which says what to do.
func unusable(path, why string) error {
	return fmt.Errorf("%w: %s %s; remove it to begin anew", ErrJournal, path, why)
}

// openJournal opens or makes the journal at path, fills in the bounds that it
// holds, and returns the positions that it does not hold, in order.
func openJournal(path string, fingerprint [FingerprintSize]byte, table *Table) (*journal, []span, error) {
	header := append([]byte(journalMagic), fingerprint[:]...)
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	begun := len(data) >= journalHeader
	if !begun {
		if !bytes.HasPrefix(header, data) {
			return nil, nil, unusable(path, "is not a journal")
		}
		data = header
	}
	if !bytes.HasPrefix(data, []byte(journalMagic)) {
		return nil, nil, unusable(path, "is not a journal, or of another version")
	}
	if !bytes.HasPrefix(data, header) {
		return nil, nil, unusable(path, "belongs to other graphs, pairs, costs or limits")
	}
	valid, todo, err := replay(data, table)
	if err != nil {
		return nil, nil, unusable(path, err.Error())
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	if !begun {
		_, err = file.Write(header)
	}
	if err == nil {
		err = file.Truncate(int64(valid))
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekEnd)
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return &journal{file: file}, todo, nil
}

// replay fills in the bounds of all whole frames and returns where the last of
// them ends, and which positions have no bounds.
func replay(data []byte, table *Table) (valid int, todo []span, err error) {
	done := make([]bool, len(table.Pairs))
	valid = journalHeader
	for rest := data[valid:]; len(rest) >= 8; rest = data[valid:] {
		length := uint64(binary.LittleEndian.Uint32(rest))
		if length > uint64(len(rest)-8) {
			break
		}
		records := rest[8 : 8+length]
		if crc32.Checksum(records, castagnoli) != binary.LittleEndian.Uint32(rest[4:]) {
			break
		}
		for r := (reader{data: records}); len(r.data) > 0; {
			if err := r.record(table, done); err != nil {
				return 0, nil, err
			}
		}
		valid += 8 + int(length)
	}
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
	return valid, todo, nil
}

// reader reads records from the front of data.
type reader struct{ data []byte }

var errRecord = errors.New("a record makes no sense")

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

// journalist is the [sink] of one worker: it gathers records and writes them
// as one frame when they are many or old.
type journalist struct {
	journal *journal
	table   *Table
	frame   []byte
	since   time.Time // the first record of the frame
}

// A frame is written when it has so many bytes or its first record is so old:
// what a kill may cost.
const (
	frameBytes = 1 << 16
	frameAge   = time.Second
)

func (j *journalist) put(at int, m edit.NodeMap) error {
	now := time.Now()
	if len(j.frame) == 0 {
		j.frame = append(j.frame, make([]byte, 8)...)
		j.since = now
	}
	p := j.table.Pairs[at]
	j.frame = binary.AppendUvarint(j.frame, uint64(at))
	j.frame = binary.LittleEndian.AppendUint64(j.frame, math.Float64bits(p.Lower))
	j.frame = binary.LittleEndian.AppendUint64(j.frame, math.Float64bits(p.Upper))
	if j.table.Maps != nil {
		j.table.Maps[at] = m
		j.frame = binary.AppendUvarint(j.frame, uint64(len(m)))
		for _, w := range m {
			j.frame = binary.AppendUvarint(j.frame, uint64(w+1))
		}
	}
	if len(j.frame) >= frameBytes || now.Sub(j.since) >= frameAge {
		return j.close()
	}
	return nil
}

// close writes the frame. The journalist can go on.
func (j *journalist) close() error {
	if len(j.frame) == 0 {
		return nil
	}
	records := j.frame[8:]
	binary.LittleEndian.PutUint32(j.frame, uint32(len(records)))
	binary.LittleEndian.PutUint32(j.frame[4:], crc32.Checksum(records, castagnoli))
	j.journal.mu.Lock()
	defer j.journal.mu.Unlock()
	_, err := j.journal.file.Write(j.frame)
	j.frame = j.frame[:0]
	return err
}
