package store

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

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

// slotKey returns the key of a slot. Keys sort as slots do.
func slotKey(slot int) []byte { return binary.BigEndian.AppendUint64(nil, uint64(slot)) }

func slotOf(key []byte) (int, error) {
	if len(key) != 8 || key[0] != 0 {
		return 0, fmt.Errorf("%w: %q is not the number of a slot", ErrDamaged, key)
	}
	return int(binary.BigEndian.Uint64(key)), nil
}
