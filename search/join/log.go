package join

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
	"time"

	"github.com/greedgraph/greed/truth"
)

// A journal is a header and frames:
//
//	header   8 bytes   "greedjn" and the version, 1
//	        32 bytes   fingerprint of the job
//	frame    4 bytes   length of the records, little endian
//	         4 bytes   CRC-32C of the records
//	         records   of the queries that follow on those before
//	record   uvarint   number of pairs of a query, then for each
//	         uvarint   the target
//	         8 bytes   lower bound, IEEE 754, little endian
//	         8 bytes   upper bound
//
// A process killed while writing leaves a frame cut short at the end, which the
// next one cuts off.
const magic = "greedjn\x01"

const headerSize = len(magic) + truth.FingerprintSize

// journal is open for appending.
type journal struct {
	file  *os.File
	done  int // queries that it holds
	frame []byte
	since time.Time // the first record of the frame
	table *crc32.Table
}

// openLog opens or makes the journal at path and returns it with the pairs that it
// holds, of some of the first of so many queries.
func openLog(path string, fingerprint [truth.FingerprintSize]byte, queries, targets int) (*journal, *truth.Table, error) {
	unusable := func(why string) error {
		return fmt.Errorf("%w: %s %s; remove it to begin anew", truth.ErrJournal, path, why)
	}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	header := append([]byte(magic), fingerprint[:]...)
	switch {
	case len(data) < headerSize && !bytes.HasPrefix(header, data), len(data) >= headerSize && !bytes.HasPrefix(data, []byte(magic)):
		return nil, nil, unusable("is not a journal, or of another version")
	case len(data) >= headerSize && !bytes.HasPrefix(data, header):
		return nil, nil, unusable("belongs to other graphs, costs or limits")
	}
	j := &journal{table: crc32.MakeTable(crc32.Castagnoli)}
	found := &truth.Table{}
	valid := min(len(data), headerSize)
	if len(data) >= headerSize {
		n, ok := j.replay(data[headerSize:], found, queries, targets)
		if !ok {
			return nil, nil, unusable("holds records that make no sense")
		}
		valid += n
	}
	if j.file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o666); err != nil {
		return nil, nil, err
	}
	if len(data) < headerSize {
		_, err = j.file.Write(header)
		valid = headerSize
	}
	if err == nil {
		err = j.file.Truncate(int64(valid))
	}
	if err == nil {
		_, err = j.file.Seek(0, io.SeekEnd)
	}
	if err != nil {
		return nil, nil, errors.Join(err, j.file.Close())
	}
	return j, found, nil
}

// replay reads all whole frames and returns where the last of them ends.
func (j *journal) replay(data []byte, found *truth.Table, queries, targets int) (valid int, ok bool) {
	for rest := data; len(rest) >= 8; rest = data[valid:] {
		length := uint64(binary.LittleEndian.Uint32(rest))
		if length > uint64(len(rest)-8) {
			break
		}
		records := rest[8 : 8+length]
		if crc32.Checksum(records, j.table) != binary.LittleEndian.Uint32(rest[4:]) {
			break
		}
		for len(records) > 0 {
			n, size := binary.Uvarint(records)
			if size <= 0 || n > uint64(len(records)) || j.done == queries {
				return 0, false
			}
			records = records[size:]
			for range n {
				target, size := binary.Uvarint(records)
				if size <= 0 || len(records) < size+16 || target >= uint64(targets) {
					return 0, false
				}
				records = records[size:]
				found.Pairs = append(found.Pairs, truth.Pair{
					Query: int32(j.done), Target: int32(target),
					Lower: math.Float64frombits(binary.LittleEndian.Uint64(records)),
					Upper: math.Float64frombits(binary.LittleEndian.Uint64(records[8:])),
				})
				records = records[16:]
			}
			j.done++
		}
		valid += 8 + int(length)
	}
	return valid, true
}

// A frame is written when it has so many bytes or its first record is so old: what
// a kill may cost.
const (
	frameBytes = 1 << 16
	frameAge   = time.Second
)

// put adds the pairs of the next query.
func (j *journal) put(pairs []truth.Pair) error {
	now := time.Now()
	if len(j.frame) == 0 {
		j.frame = append(j.frame, make([]byte, 8)...)
		j.since = now
	}
	j.frame = binary.AppendUvarint(j.frame, uint64(len(pairs)))
	for _, p := range pairs {
		j.frame = binary.AppendUvarint(j.frame, uint64(p.Target))
		j.frame = binary.LittleEndian.AppendUint64(j.frame, math.Float64bits(p.Lower))
		j.frame = binary.LittleEndian.AppendUint64(j.frame, math.Float64bits(p.Upper))
	}
	if len(j.frame) >= frameBytes || now.Sub(j.since) >= frameAge {
		return j.flush()
	}
	return nil
}

func (j *journal) flush() error {
	if len(j.frame) == 0 {
		return nil
	}
	records := j.frame[8:]
	binary.LittleEndian.PutUint32(j.frame, uint32(len(records)))
	binary.LittleEndian.PutUint32(j.frame[4:], crc32.Checksum(records, j.table))
	_, err := j.file.Write(j.frame)
	j.frame = j.frame[:0]
	return err
}

// close writes what is not written yet.
func (j *journal) close() error { return errors.Join(j.flush(), j.file.Close()) }
