package store

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

// Layout of bbolt's files: a page begins with its number (8 bytes), flags (2), the count
// of its elements (2) and how many pages more it takes (4); elements take 16 bytes.
const (
	pageHead, elementSize           = 16, 16
	branchPage, leafPage, freesPage = 1, 2, 16
	bucketElement                   = 1
	noFrees                         = ^uint64(0)
)

// checkPages returns an error that wraps [ErrDamaged] unless all that pages of a database
// file refer to lies in the file. bbolt's own check follows references in a goroutine that
// it starts, where an access beyond the file ends the program. The file is one that bbolt
// has just written anew, so that its first page holds.
func checkPages(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	head := make([]byte, pageSize)
	if _, err := f.ReadAt(head, 0); err != nil {
		return err
	}
	root, frees, end := binary.LittleEndian.Uint64(head[32:]), binary.LittleEndian.Uint64(head[48:]),
		binary.LittleEndian.Uint64(head[56:])
	w := &pageWalk{file: f, end: min(end, uint64(info.Size())/pageSize), seen: make(map[uint64]bool)}
	if frees != noFrees {
		if _, err := w.read(frees, freesPage); err != nil {
			return err
		}
	}
	return w.follow(root)
}

type pageWalk struct {
	file io.ReaderAt
	end  uint64 // number of pages
	seen map[uint64]bool
}

// read returns a page with those that continue it, once.
func (w *pageWalk) read(id uint64, flags uint16) ([]byte, error) {
	damaged := func(what string) error { return fmt.Errorf("%s: %w: page %d %s", databaseFile, ErrDamaged, id, what) }
	if id < 2 || id >= w.end {
		return nil, damaged("lies beyond the file")
	}
	if w.seen[id] {
		return nil, damaged("is referred to twice")
	}
	w.seen[id] = true
	page := make([]byte, pageSize)
	if _, err := w.file.ReadAt(page, int64(id)*pageSize); err != nil {
		return nil, err
	}
	more := uint64(binary.LittleEndian.Uint32(page[12:]))
	switch {
	case binary.LittleEndian.Uint64(page) != id:
		return nil, damaged("has another number")
	case binary.LittleEndian.Uint16(page[8:])&flags == 0:
		return nil, damaged("is of another kind")
	case id+more >= w.end:
		return nil, damaged("goes on beyond the file")
	}
	page = append(page, make([]byte, more*pageSize)...)
	if _, err := w.file.ReadAt(page[pageSize:], int64(id+1)*pageSize); err != nil && more > 0 {
		return nil, err
	}
	count := uint64(binary.LittleEndian.Uint16(page[10:]))
	size := count * elementSize
	if flags == freesPage {
		if size = 8 * count; count == 0xffff { // the first entry is the count
			size = 8 * min(binary.LittleEndian.Uint64(page[pageHead:]), uint64(len(page)))
			size += 8
		}
	}
	if pageHead+size > uint64(len(page)) {
		return nil, damaged("has more elements than fit")
	}
	return page, nil
}

// follow reads a page and all below it.
func (w *pageWalk) follow(id uint64) error {
	page, err := w.read(id, branchPage|leafPage)
	if err != nil {
		return err
	}
	leaf := binary.LittleEndian.Uint16(page[8:])&leafPage != 0
	for i := range int(binary.LittleEndian.Uint16(page[10:])) {
		at := pageHead + i*elementSize
		e := page[at:][:elementSize]
		var keyAt, keySize, valueSize uint64
		if leaf {
			keyAt, keySize, valueSize = uint64(binary.LittleEndian.Uint32(e[4:])),
				uint64(binary.LittleEndian.Uint32(e[8:])), uint64(binary.LittleEndian.Uint32(e[12:]))
		} else {
			keyAt, keySize = uint64(binary.LittleEndian.Uint32(e)), uint64(binary.LittleEndian.Uint32(e[4:]))
		}
		begin := uint64(at) + keyAt
		if begin+keySize+valueSize > uint64(len(page)) {
			return fmt.Errorf("%s: %w: page %d: element %d lies beyond it", databaseFile, ErrDamaged, id, i)
		}
		below := uint64(0)
		switch {
		case !leaf:
			below = binary.LittleEndian.Uint64(e[8:])
		case binary.LittleEndian.Uint32(e)&bucketElement != 0:
			if valueSize < 16 {
				return fmt.Errorf("%s: %w: page %d: bucket %d is cut short", databaseFile, ErrDamaged, id, i)
			}
			if below = binary.LittleEndian.Uint64(page[begin+keySize:]); below == 0 {
				continue // its only page lies in the value
			}
		default:
			continue
		}
		if err := w.follow(below); err != nil {
			return err
		}
	}
	return nil
}
