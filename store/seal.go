package store

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"iter"

	bolt "go.etcd.io/bbolt"
)

// castagnoli returns the table of CRC-32C, which processors compute in hardware.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// checksum returns the CRC-32C of bucket, key and payload. Because it covers the key,
// an entry in the wrong place is noticed, too.
func checksum(bucket, key, payload []byte) uint32 {
	t := castagnoli()
	return crc32.Update(crc32.Update(crc32.Checksum(bucket, t), t, key), t, payload)
}

// put writes payload after its checksum and returns the checksum.
func put(tx *bolt.Tx, bucket, key, payload []byte) (uint32, error) {
	sum := checksum(bucket, key, payload)
	value := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(payload)), sum)
	return sum, tx.Bucket(bucket).Put(key, append(value, payload...))
}

// get returns the payload of an entry and its checksum; the payload is nil if there is
// no entry. It is valid during the transaction.
func get(tx *bolt.Tx, bucket, key []byte) ([]byte, uint32, error) {
	b := tx.Bucket(bucket)
	if b == nil {
		return nil, 0, fmt.Errorf("%w: no bucket %s", ErrDamaged, bucket)
	}
	value := b.Get(key)
	if value == nil {
		return nil, 0, nil
	}
	return unseal(bucket, key, value)
}

// sumOf returns the checksum that an entry has, without verifying it; 0 if there is no entry.
func sumOf(tx *bolt.Tx, bucket, key []byte) uint32 {
	if b := tx.Bucket(bucket); b != nil {
		if value := b.Get(key); len(value) >= 4 {
			return binary.LittleEndian.Uint32(value)
		}
	}
	return 0
}

func unseal(bucket, key, value []byte) ([]byte, uint32, error) {
	if len(value) < 4 {
		return nil, 0, fmt.Errorf("%w: entry %q of %s is cut short", ErrDamaged, key, bucket)
	}
	payload := value[4:]
	sum := checksum(bucket, key, payload)
	if sum != binary.LittleEndian.Uint32(value) {
		return nil, 0, fmt.Errorf("%w: entry %q of %s does not match its checksum", ErrDamaged, key, bucket)
	}
	return payload, sum, nil
}

// storedRecord is a record as it is stored.
type storedRecord struct {
	slot    int
	payload []byte
	sum     uint32
}

// stored yields the records from a slot on, compared with their checksums. Their payloads are
// valid during the transaction.
func (s *Snapshot) stored(from int) iter.Seq2[storedRecord, error] {
	return func(yield func(storedRecord, error) bool) {
		c := s.tx.Bucket(recordsBucket).Cursor()
		for key, value := c.Seek(slotKey(from)); key != nil; key, value = c.Next() {
			var r storedRecord
			var err error
			if r.slot, err = slotOf(key); err == nil {
				r.payload, r.sum, err = unseal(recordsBucket, key, value)
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// slotKey returns the key of a slot. Keys sort as slots do.
func slotKey(slot int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(slot)) }

func slotOf(key []byte) (int, error) {
	if len(key) != 8 || key[0] != 0 {
		return 0, fmt.Errorf("%w: %q is not the number of a slot", ErrDamaged, key)
	}
	return int(binary.BigEndian.Uint64(key)), nil
}
