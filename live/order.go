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
				list = append(list, orderedID{s.ID(p), p})
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
	from  int         // the first position, where the state is a part of another
	slots []int32     // the rest of the segment's
	rest  []orderedID // the rest of those after the segment
}

// after returns cursors that begin behind an id, one for each part of the state.
func (s *State) after(id string) (list []*idCursor) {
	for i, part := range s.parts {
		for _, c := range part.after(id) {
			c.from += s.starts[i]
			list = append(list, c)
		}
	}
	if s.parts != nil {
		return list
	}
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
	return []*idCursor{c}
}

// first returns the first of the ids and its position, and whether there is one. No id is in the segment and after it,
// too.
func (c *idCursor) first() (e orderedID, ok bool) {
	for len(c.slots) > 0 && c.state.Deleted(int(c.slots[0])) {
		c.slots = c.slots[1:]
	}
	if len(c.slots) > 0 {
		e = orderedID{c.state.segment.ID(int(c.slots[0])), c.from + int(c.slots[0])}
		if len(c.rest) == 0 || e.id < c.rest[0].id {
			return e, true
		}
	}
	if len(c.rest) > 0 {
		return orderedID{c.rest[0].id, c.from + c.rest[0].position}, true
	}
	return orderedID{}, false
}

// pass leaves the first behind.
func (c *idCursor) pass(e orderedID) {
	if len(c.rest) > 0 && c.rest[0].id == e.id {
		c.rest = c.rest[1:]
	} else {
		c.slots = c.slots[1:]
	}
}

// next returns the position of the first id of several cursors, and whether there is one. Of several with the id
// the last counts.
func next(cursors []*idCursor) (position int, ok bool) {
	var first orderedID
	for _, c := range cursors {
		if e, own := c.first(); own && (!ok || e.id <= first.id) {
			first, ok = e, true
		}
	}
	for _, c := range cursors {
		if e, own := c.first(); own && e.id == first.id {
			c.pass(e)
		}
	}
	return first.position, ok
}

// After yields the records of the current state whose ids come after id, in the order
// of their ids, byte by byte. It ends with an error where one cannot be read.
func (c *Collection) After(id string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		s := c.Acquire()
		defer s.Release()
		var cursors []*idCursor
		for more := true; more; {
			var rec Record
			err := s.Read(func() error {
				if cursors == nil {
					cursors = s.after(id)
				}
				var p int
				if p, more = next(cursors); more {
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
