package store

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"sync/atomic"
)

// blockSums are the CRC-32C of consecutive blocks of blockBytes bytes, the last of which may be
// shorter. With them, bytes can be compared when they are read, and those that nobody
// reads need not be.
type blockSums struct {
	sums     []byte        // [blocks] uint32, little-endian
	verified []atomic.Bool // [blocks]
}

// openBlockSums returns the stored sums of length bytes.
func openBlockSums(sums []byte, length int) (blockSums, error) {
	blocks := (length + blockBytes - 1) / blockBytes
	if len(sums) != 4*blocks {
		return blockSums{}, errors.New("there are checksums for a different number of blocks")
	}
	return blockSums{sums, make([]atomic.Bool, blocks)}, nil
}

// verify compares the blocks of data that hold the bytes from from to to, unless it did so
// before.
func (b *blockSums) verify(data []byte, from, to int64) error {
	for i := from / blockBytes; i*blockBytes < to; i++ {
		if b.verified[i].Load() {
			continue
		}
		block := data[i*blockBytes : min((i+1)*blockBytes, int64(len(data)))]
		if crc32.Checksum(block, castagnoli()) != binary.LittleEndian.Uint32(b.sums[4*i:]) {
			return errors.New("records do not match their checksum")
		}
		b.verified[i].Store(true)
	}
	return nil
}

// blockSummer computes the sums of the bytes that pass through.
type blockSummer struct {
	to   io.Writer
	sums []byte // of the blocks that are full
	sum  uint32 // of the block that is not
	have int    // bytes of it
}

func (b *blockSummer) Write(data []byte) (int, error) {
	for rest := data; len(rest) > 0; {
		n := min(len(rest), blockBytes-b.have)
		b.sum = crc32.Update(b.sum, castagnoli(), rest[:n])
		if b.have += n; b.have == blockBytes {
			b.end()
		}
		rest = rest[n:]
	}
	return b.to.Write(data)
}

// end ends a block, if there are bytes of it.
func (b *blockSummer) end() {
	if b.have > 0 {
		b.sums = binary.LittleEndian.AppendUint32(b.sums, b.sum)
		b.sum, b.have = 0, 0
	}
}
