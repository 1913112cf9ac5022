package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/greedgraph/greed/internal/fault"
	"github.com/greedgraph/greed/internal/kernel"
)

// ByID returns the slots that had records when the file was written, in the order of their ids, byte by
// byte. The first call verifies their checksum. A segment that lacks them, or whose are damaged, which
// [Segment.Err] says, sorts its records.
func (h *Segment) ByID() []int32 { return h.byID() }

// Find returns the slot of the record that had an id when the file was written, and its place in [Segment.ByID]. If
// there was none, found is false, and the place is that of the first id after it.
func (h *Segment) Find(id string) (slot, at int, found bool) {
	slots := h.ByID()
	looked := 0
	at, found = slices.BinarySearchFunc(slots, id, func(slot int32, id string) int {
		looked++
		return cmp.Compare(h.ID(int(slot)), id)
	})
	h.Rest(looked)
	if found {
		slot = int(slots[at])
	}
	return slot, at, found
}

// ID returns the id of the record in a slot, which must not be empty.
func (h *Segment) ID(slot int) (id string) {
	h.peek(slot, func(d decoder) error {
		d.Byte()
		id = d.Text()
		return d.Err
	})
	return id
}

func (h *Segment) readByID() (slots []int32) {
	err := fault.Guard(func() error {
		data := h.section(idOrder)
		if data == nil {
			return nil
		}
		if len(data)%4 != 0 {
			return errors.New("invalid order of ids")
		}
		if err := h.verify(func(name string) bool { return name == idOrder }); err != nil {
			return err
		}
		slots = kernel.View[int32](data)
		return nil
	})
	if slots != nil || h.layout.Slots == 0 {
		return slots
	}
	h.noteError(err)
	ids := make(map[int32]string)
	for slot := range h.layout.Slots {
		if !h.empty(slot) {
			slots = append(slots, int32(slot))
			ids[int32(slot)] = h.ID(slot)
		}
	}
	slices.SortFunc(slots, func(a, b int32) int { return cmp.Compare(ids[a], ids[b]) })
	return slots
}

// copyOrder writes the slots in the order of their ids, as the database has them. An id that others put meanwhile has
// a slot after those of the file.
func (c *recordCopier) copyOrder(ctx context.Context, out io.Writer) error {
	for next, more := []byte(nil), true; more; more = next != nil {
		var slots []int32
		err := c.view(ctx, func(s *Snapshot) (err error) {
			if s.m.Moves != c.moves {
				return fmt.Errorf("%s: %w", s.store.dir, ErrRewritten)
			}
			slots, next, err = c.readOrder(s, next)
			return err
		})
		if err == nil {
			_, err = out.Write(kernel.Bytes(slots))
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readOrder reads the slots of the ids from one on until time is up. It returns the id after them, nil if there is
// none.
func (c *recordCopier) readOrder(s *Snapshot, from []byte) (slots []int32, next []byte, err error) {
	begin := time.Now()
	cursor := s.tx.Bucket(idsBucket).Cursor()
	seen := 0
	for key, value := cursor.Seek(from); key != nil; key, value = cursor.Next() {
		if seen++; seen%64 == 0 && time.Since(begin) > c.piece {
			return slots, bytes.Clone(key), nil
		}
		payload, _, err := unseal(idsBucket, key, value)
		if err != nil {
			return nil, nil, err
		}
		slot, err := slotOf(payload)
		if err != nil {
			return nil, nil, err
		}
		if slot < c.writer.layout.Slots {
			slots = append(slots, int32(slot))
		}
	}
	return slots, nil, nil
}
