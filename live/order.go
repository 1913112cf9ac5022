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

// order returns the ids of a state, sorted, with their positions; of several records
// with one id the last counts. It is made when it is first needed.
func (s *State) order() []orderedID {
	s.sorting.Do(func() {
		list := make([]orderedID, 0, s.Len())
		for p := range s.Live() {
			list = append(list, orderedID{s.About(p).ID, p})
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

// After yields the records of the current state whose ids come after id, in the order
// of their ids, byte by byte. It ends with an error where one cannot be read.
func (c *Collection) After(id string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		s := c.Acquire()
		defer s.Release()
		var rest []orderedID
		err := s.Read(func() error {
			rest = s.order()
			return nil
		})
		if err != nil {
			yield(Record{}, err)
			return
		}
		at, found := slices.BinarySearchFunc(rest, id, func(e orderedID, id string) int { return strings.Compare(e.id, id) })
		if found {
			at++
		}
		for _, e := range rest[at:] {
			var rec Record
			err := s.Read(func() error {
				rec = s.Record(e.position)
				return nil
			})
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}
