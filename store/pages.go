package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
)

// The pages of a bbolt file, in the byte order of the machine that wrote it.
// A page is a header (number: 8 bytes, flags: 2, elements: 2, further pages
// that belong to it: 4) and elements of 16 bytes that say where keys and values
// are.
const (
	pageHeader  = 16
	pageElement = 16
	branchPage  = 1
	leafPage    = 2
	bucketValue = 1 // flag of an element of a leaf
	bucketHead  = 16
	// maxDepth is beyond any tree of pages that fits a disk.
	maxDepth = 64
)

// rootPage is what one of the two root pages says, the newer of which counts.
type rootPage struct {
	root    uint64 // page of the bucket of buckets
	end     uint64 // number of pages in use
	version uint64 // of the content
}

// readRootPage reads root page 0 or 1. A page that does not match its checksum
// is an error that wraps [ErrDamaged].
func readRootPage(r io.ReaderAt, number int) (rootPage, error) {
	const checked = 56 // bytes before the checksum
	b := make([]byte, pageHeader+checked+8)
	if _, err := r.ReadAt(b, int64(number)*pageSize); err != nil {
		return rootPage{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	b = b[pageHeader:]
	sum := fnv.New64a()
	sum.Write(b[:checked])
	if binary.NativeEndian.Uint64(b[checked:]) != sum.Sum64() {
		return rootPage{}, fmt.Errorf("%w: root page %d is torn: the last change may be missing", ErrDamaged, number)
	}
	return rootPage{binary.NativeEndian.Uint64(b[16:]), binary.NativeEndian.Uint64(b[40:]), binary.NativeEndian.Uint64(b[48:])}, nil
}

// checkTree walks the pages that the newer root page leads to and returns an
// error that wraps [ErrDamaged] unless they are a tree with keys in order:
// bbolt itself would panic on others, or never come to an end.
func checkTree(r io.ReaderAt, size int64) error {
	a, errA := readRootPage(r, 0)
	b, errB := readRootPage(r, 1)
	if errB == nil && (errA != nil || b.version > a.version) {
		a, errA = b, nil
	}
	if errA != nil {
		return errA
	}
	w := pageWalk{r: r, end: min(a.end, uint64(size)/pageSize), seen: map[uint64]bool{0: true, 1: true}}
	return w.tree(a.root, &keyOrder{}, 0)
}

type pageWalk struct {
	r    io.ReaderAt
	end  uint64
	seen map[uint64]bool
}

// keyOrder is the last key that was met in a bucket, and the least that the
// branches above allow for the next.
type keyOrder struct {
	last, least []byte
	any         bool
}

// add tells whether a key of a leaf is in order.
func (o *keyOrder) add(key []byte) bool {
	ok := (!o.any || bytes.Compare(key, o.last) > 0) && bytes.Compare(key, o.least) >= 0
	o.last, o.any = key, true
	return ok
}

// branch tells whether the key of a branch is in order.
func (o *keyOrder) branch(key []byte) bool {
	ok := !o.any || bytes.Compare(key, o.last) > 0
	o.least = key
	return ok
}

func (w *pageWalk) damaged(page uint64, what string) error {
	return fmt.Errorf("%w: page %d of %s: %s", ErrDamaged, page, databaseFile, what)
}

// tree walks a page and what it leads to.
func (w *pageWalk) tree(number uint64, order *keyOrder, depth int) error {
	page, err := w.read(number)
	if err != nil {
		return err
	}
	if depth > maxDepth {
		return w.damaged(number, "too deep")
	}
	return w.page(number, page, order, depth)
}

// read returns a page with those that belong to it.
func (w *pageWalk) read(number uint64) ([]byte, error) {
	if number >= w.end {
		return nil, w.damaged(number, "beyond the end")
	}
	page := make([]byte, pageSize)
	if _, err := w.r.ReadAt(page, int64(number)*pageSize); err != nil {
		return nil, w.damaged(number, err.Error())
	}
	if binary.NativeEndian.Uint64(page) != number {
		return nil, w.damaged(number, "another page is there")
	}
	more := uint64(binary.NativeEndian.Uint32(page[12:]))
	if more >= w.end-number {
		return nil, w.damaged(number, "runs over the end")
	}
	for i := number; i <= number+more; i++ {
		if w.seen[i] {
			return nil, w.damaged(i, "occurs twice")
		}
		w.seen[i] = true
	}
	if more == 0 {
		return page, nil
	}
	page = make([]byte, (more+1)*pageSize)
	if _, err := w.r.ReadAt(page, int64(number)*pageSize); err != nil {
		return nil, w.damaged(number, err.Error())
	}
	return page, nil
}

// page walks the elements of a page, whose number errors name.
func (w *pageWalk) page(number uint64, page []byte, order *keyOrder, depth int) error {
	flags, count := binary.NativeEndian.Uint16(page[8:]), int(binary.NativeEndian.Uint16(page[10:]))
	if flags != branchPage && flags != leafPage {
		return w.damaged(number, "neither branch nor leaf")
	}
	if count > (len(page)-pageHeader)/pageElement || flags == branchPage && count == 0 {
		return w.damaged(number, "impossible number of elements")
	}
	for i := range count {
		at := pageHeader + i*pageElement
		element := page[at : at+pageElement]
		if flags == branchPage {
			key, _, ok := part(page, at, binary.NativeEndian.Uint32(element), binary.NativeEndian.Uint32(element[4:]), 0)
			if !ok || !order.branch(key) {
				return w.damaged(number, "keys out of order")
			}
			if err := w.tree(binary.NativeEndian.Uint64(element[8:]), order, depth+1); err != nil {
				return err
			}
			continue
		}
		key, value, ok := part(page, at, binary.NativeEndian.Uint32(element[4:]), binary.NativeEndian.Uint32(element[8:]), binary.NativeEndian.Uint32(element[12:]))
		if !ok || !order.add(key) {
			return w.damaged(number, "keys out of order")
		}
		if binary.NativeEndian.Uint32(element)&bucketValue != 0 {
			if err := w.bucket(number, value, depth); err != nil {
				return err
			}
		}
	}
	return nil
}

// bucket walks a bucket, whose pages are a tree of their own or, if it is
// small, a page in the value.
func (w *pageWalk) bucket(number uint64, value []byte, depth int) error {
	if len(value) < bucketHead {
		return w.damaged(number, "a bucket is cut short")
	}
	if root := binary.NativeEndian.Uint64(value); root != 0 {
		return w.tree(root, &keyOrder{}, depth+1)
	}
	inner := value[bucketHead:]
	if len(inner) < pageHeader || depth > maxDepth {
		return w.damaged(number, "a bucket is cut short")
	}
	if binary.NativeEndian.Uint16(inner[8:]) != leafPage {
		return w.damaged(number, "a bucket is no leaf")
	}
	return w.page(number, inner, &keyOrder{}, depth+1)
}

// part returns the key and the value of the element at a place, and whether
// they are inside the page.
func part(page []byte, at int, pos, key, value uint32) (k, v []byte, ok bool) {
	start := uint64(at) + uint64(pos)
	end := start + uint64(key) + uint64(value)
	if end > uint64(len(page)) || end < start {
		return nil, nil, false
	}
	return page[start : start+uint64(key)], page[start+uint64(key) : end], true
}
