package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"sync"

	bolt "go.etcd.io/bbolt"

	"github.com/greedgraph/greed/internal/kernel"
)

// A vector file is a header and rows of float32, little-endian. The manifest says how
// many rows are valid; later rows are left from changes that were never acknowledged.
//
//	offset  size
//	0       8      "greedrow"
//	8       4      version, 1
//	12      4      dim
//	16      4      CRC-32C of the bytes before
//	20      44     zeros
//	64             rows, 4·dim bytes each
const (
	vectorsPrefix  = "vectors-"
	vectorsMagic   = "greedrow"
	vectorsVersion = 1
	vectorsHeader  = 64
	// leastRoom is the least address space reserved for a file: 260,000 rows of 64
	// coordinates fit before it must be mapped again.
	leastRoom = 64 << 20
	// blockBytes is the approximate size of the rows that share a checksum.
	blockBytes = 64 << 10
)

func (e *Embedding) fileName() string { return fmt.Sprintf("%s%08d", vectorsPrefix, e.File) }

// vectorFile is an open vector file.
type vectorFile struct {
	file
	path   string
	number int
	dim    int

	mu       sync.Mutex
	writes   file    // nil until rows are appended
	memory   *memory // nil until rows are read
	verified int     // how many rows have verified checksums
}

// Close closes the file. Its memory stays mapped while it is used elsewhere.
func (v *vectorFile) Close() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	errs := []error{v.file.Close()}
	if v.writes != nil && v.writes != v.file {
		errs = append(errs, v.writes.Close())
	}
	if v.memory != nil {
		errs = append(errs, v.memory.release())
	}
	return errors.Join(errs...)
}

// unverify forgets that rows after the first n were verified.
func (v *vectorFile) unverify(n int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.verified = min(v.verified, n)
}

func vectorsHead(dim int) []byte {
	b := binary.LittleEndian.AppendUint32([]byte(vectorsMagic), vectorsVersion)
	b = binary.LittleEndian.AppendUint32(b, uint32(dim))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, castagnoli()))
	return append(b, make([]byte, vectorsHeader-len(b))...)
}

// createVectors makes the file of a new embedding. It is durable when createVectors
// returns.
func (s *Store) createVectors(e Embedding) (*vectorFile, error) {
	v, err := s.newVectors(e)
	if err != nil {
		return nil, err
	}
	s.retain(v)
	return v, errors.Join(v.Sync(), s.fs.SyncDir(s.dir))
}

// newVectors makes a file for the rows of an embedding that the collection does not
// have yet. The caller flushes it.
func (s *Store) newVectors(e Embedding) (*vectorFile, error) {
	path := filepath.Join(s.dir, e.fileName())
	// A change that failed may have left such a file.
	if err := s.fs.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	f, err := s.fs.Create(path)
	if err != nil {
		return nil, err
	}
	if _, err := f.WriteAt(vectorsHead(e.Norm.Dim()), 0); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &vectorFile{file: f, path: path, number: e.File, dim: e.Norm.Dim(), writes: f}, nil
}

// retain holds a file open.
func (s *Store) retain(v *vectorFile) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.files[v.number]; old != nil {
		_ = old.Close() // left by a change that failed; nothing reads it
	}
	s.files[v.number] = v
}

// openVectors returns the file of an embedding, which it opens once.
func (s *Store) openVectors(e Embedding) (*vectorFile, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files == nil {
		return nil, fmt.Errorf("%s: %w", s.dir, os.ErrClosed)
	}
	if v := s.files[e.File]; v != nil {
		return v, nil
	}
	path := filepath.Join(s.dir, e.fileName())
	f, err := s.fs.Open(path, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return nil, err
	}
	v := &vectorFile{file: f, path: path, number: e.File, dim: e.Norm.Dim()}
	if err := v.checkHead(e.Rows); err != nil {
		_ = f.Close()
		return nil, err
	}
	s.files[e.File] = v
	return v, nil
}

func (v *vectorFile) checkHead(rows int) error {
	size, err := v.Size()
	if err != nil {
		return err
	}
	if want := v.offset(rows); size < want {
		return fmt.Errorf("%s: %w: %d bytes, want %d at least", v.path, ErrDamaged, size, want)
	}
	head := make([]byte, vectorsHeader)
	if _, err := v.ReadAt(head, 0); err != nil {
		return fmt.Errorf("%s: %w: %w", v.path, ErrDamaged, err)
	}
	later := binary.LittleEndian.Uint32(head[len(vectorsMagic):])
	if string(head[:len(vectorsMagic)]) == vectorsMagic && later > vectorsVersion {
		return fmt.Errorf("%s: %w: it has version %d, this program reads version %d; use a newer greed", v.path,
			ErrVersion, later, vectorsVersion)
	}
	if string(head) != string(vectorsHead(v.dim)) {
		return fmt.Errorf("%s: %w: the header is not that of vectors of %d coordinates", v.path, ErrDamaged, v.dim)
	}
	return nil
}

func (v *vectorFile) offset(row int) int64 { return vectorsHeader + int64(row)*int64(4*v.dim) }

// blockRows returns how many rows share a checksum.
func (v *vectorFile) blockRows() int { return max(1, blockBytes/(4*v.dim)) }

func (v *vectorFile) blockKey(block int) []byte {
	return append(slotKey(v.number), slotKey(block)...)
}

// write writes rows, [n, dim], from a row on. Earlier rows are valid already and stay unchanged.
func (v *vectorFile) write(fs fileSystem, from int, rows []float32) error {
	for i, x := range rows {
		if x-x != 0 {
			return fmt.Errorf("%w: coordinate %d of a vector is %v", ErrVectors, i%v.dim, x)
		}
	}
	out, err := v.writable(fs)
	if err != nil {
		return err
	}
	_, err = out.WriteAt(kernel.Bytes(rows), v.offset(from))
	return err
}

// seal enters the checksums of rows from a row on.
func (v *vectorFile) seal(tx *bolt.Tx, from int, rows []float32) error {
	buf := kernel.Bytes(rows)
	per := v.blockRows()
	for len(buf) > 0 {
		block := from / per
		n := min((block+1)*per-from, len(buf)/(4*v.dim))
		sum := uint32(0)
		if from%per != 0 {
			old, err := v.blockSum(tx, block)
			if err != nil {
				return err
			}
			sum = old
		}
		sum = crc32.Update(sum, castagnoli(), buf[:n*4*v.dim])
		if _, err := put(tx, blocksBucket, v.blockKey(block), binary.LittleEndian.AppendUint32(nil, sum)); err != nil {
			return err
		}
		buf = buf[n*4*v.dim:]
		from += n
	}
	return nil
}

// writable returns the file opened for writing.
func (v *vectorFile) writable(fs fileSystem) (file, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.writes != nil {
		return v.writes, nil
	}
	var err error
	v.writes, err = fs.Open(v.path, true)
	return v.writes, err
}

func (v *vectorFile) blockSum(tx *bolt.Tx, block int) (uint32, error) {
	b, _, err := get(tx, blocksBucket, v.blockKey(block))
	if err != nil {
		return 0, err
	}
	if len(b) != 4 {
		return 0, fmt.Errorf("%s: %w: no checksum of block %d", v.path, ErrDamaged, block)
	}
	return binary.LittleEndian.Uint32(b), nil
}

// rows returns the first n rows, [n, dim]. It verifies the checksums of the blocks that have
// rows from one on; the others the caller has from before. They are mapped memory, which held
// keeps mapped, and must not be changed.
func (v *vectorFile) rows(tx *bolt.Tx, from, n int, held *Held) ([]float32, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	bytes, err := v.bytes(n)
	if err != nil {
		return nil, err
	}
	per := v.blockRows()
	for block := max(v.verified, from) / per; block*per < n; block++ {
		if err := v.verify(tx, bytes, block, n); err != nil {
			return nil, err
		}
	}
	if from <= v.verified {
		v.verified = max(v.verified, n)
	}
	held.add(v.memory)
	return kernel.View[float32](bytes), nil
}

// rowsUnverified is [vectorFile.rows] that leaves checksums to verify, which needs no
// transaction. Until it returns nil, the rows may be anything.
func (v *vectorFile) rowsUnverified(tx *bolt.Tx, n int, held *Held) (rows []float32, verify func() error, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	bytes, err := v.bytes(n)
	if err != nil {
		return nil, nil, err
	}
	per := v.blockRows()
	first := v.verified / per
	var sums []uint32
	for block := first; block*per < n; block++ {
		sum, err := v.blockSum(tx, block)
		if err != nil {
			return nil, nil, err
		}
		sums = append(sums, sum)
	}
	held.add(v.memory)
	memory := v.memory
	return kernel.View[float32](bytes), func() error {
		read := first * per * 4 * v.dim
		for i, sum := range sums {
			if err := v.compare(bytes, first+i, n, sum); err != nil {
				return err
			}
			if end := min((first+i+1)*per*4*v.dim, len(bytes)); end-read >= forgetBytes || end == len(bytes) {
				memory.forget(bytes[read:end])
				read = end
			}
		}
		v.mu.Lock()
		defer v.mu.Unlock()
		v.verified = max(v.verified, n) // a change that fails overwrites later rows only
		return nil
	}, nil
}

// bytes returns the first n rows as stored in the file.
func (v *vectorFile) bytes(n int) ([]byte, error) {
	end := int(v.offset(n))
	size, err := v.Size()
	if err != nil {
		return nil, err
	}
	// Check each time: memory beyond the end of a truncated file must not be read.
	if size < int64(end) {
		return nil, fmt.Errorf("%s: %w: %d bytes, want %d at least", v.path, ErrDamaged, size, end)
	}
	if v.memory == nil || end > len(v.memory.data) {
		// Reserve room for growth, so that the file need not be mapped again soon. Earlier
		// mappings end with their last reader.
		m, err := mapFile(v.file, max(leastRoom, 1<<bits.Len(uint(end))))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.path, err)
		}
		if v.memory != nil {
			if err := v.memory.release(); err != nil {
				return nil, errors.Join(err, m.release())
			}
		}
		v.memory = m
	}
	return v.memory.data[vectorsHeader:end:end], nil
}

// verify checks the checksum of a block. The first n rows are all that are valid in
// the transaction.
func (v *vectorFile) verify(tx *bolt.Tx, bytes []byte, block, n int) error {
	want, err := v.blockSum(tx, block)
	if err != nil {
		return err
	}
	return v.compare(bytes, block, n, want)
}

// compare verifies a block against a checksum.
func (v *vectorFile) compare(bytes []byte, block, n int, want uint32) error {
	width := v.blockRows() * 4 * v.dim
	if sum := crc32.Checksum(bytes[block*width:min((block+1)*width, len(bytes))], castagnoli()); sum != want {
		return fmt.Errorf("%s: %w: rows %d to %d do not match their checksum", v.path, ErrDamaged,
			block*v.blockRows(), min((block+1)*v.blockRows(), n)-1)
	}
	return nil
}
