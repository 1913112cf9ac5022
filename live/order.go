package live

import (
	"iter"
	"slices"
	"strings"
)

// orderedID is an id and the position of its record.
type orderedID struct {
	id       string
	position int
}

// order returns the ids of the positions after the segment, sorted, with their positions; of several records
// with one id the last counts. It is made when it is first needed.
func (s *State) order() []orderedID {
	s.sorting.Do(func() {
		var list []orderedID
		for p := s.inSegment(); p < s.Positions(); p++ {
			if !s.Deleted(p) {
				list = append(list, orderedID{s.About(p).ID, p})
			}
		}
		slices.SortStableFunc(list, func(a, b orderedID) int { return strings.Compare(a.id, b.id) })
		n := 0
		for i, e := range list {
			if i+1 == len(list) || list[i+1].id != e.id {
				list[n] = e
				n++
			}
		}
		s.sorted = list[:n]
	})
	return s.sorted
}

// idCursor goes through the positions of a state in the order of their ids.
type idCursor struct {
	state *State
	slots []int32     // the rest of the segment's
	rest  []orderedID // the rest of those after the segment
}

// after returns a cursor that begins behind an id.
func (s *State) after(id string) *idCursor {
	c := &idCursor{state: s, rest: s.order()}
	compare := func(e orderedID, id string) int { return strings.Compare(e.id, id) }
	at, found := slices.BinarySearchFunc(c.rest, id, compare)
	if found {
		at++
	}
	c.rest = c.rest[at:]
	if s.segment != nil {
		_, at, found := s.segment.Find(id)
		if found {
			at++
		}
		c.slots = s.segment.ByID()[at:]
	}
	return c
}

// next returns the next position, and whether there is one. No id is in the segment and after it, too.
func (c *idCursor) next() (position int, ok bool) {
	for len(c.slots) > 0 && c.state.Deleted(int(c.slots[0])) {
		c.slots = c.slots[1:]
	}
	switch {
	case len(c.slots) > 0 && (len(c.rest) == 0 || c.state.segment.ID(int(c.slots[0])) < c.rest[0].id):
		position, c.slots = int(c.slots[0]), c.slots[1:]
	case len(c.rest) > 0:
		position, c.rest = c.rest[0].position, c.rest[1:]
	default:
		return 0, false
	}
	return position, true
}

// After yields the records of the current state whose ids come after id, in the order
// of their ids, byte by byte. It ends with an error where one cannot be read.
func (c *Collection) After(id string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		s := c.Acquire()
		defer s.Release()
		var cursor *idCursor
		for more := true; more; {
			var rec Record
			err := s.Read(func() error {
				if cursor == nil {
					cursor = s.after(id)
				}
				var p int
				if p, more = cursor.next(); more {
					rec = s.Record(p)
				}
				return nil
			})
			if (more || err != nil) && !yield(rec, err) || err != nil {
				return
			}
		}
	}
}
