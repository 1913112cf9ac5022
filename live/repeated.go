package live

import (
	"context"
	"strings"
)

// Repeated is an id that several parts of a collection have.
type Repeated struct {
	ID      string   `json:"id"`
	Indexes []string `json:"indexes"` // the names of those that have it
}

// Repeated returns the first ids, in their order and at most most of them, that several parts have, and how many there
// are. It goes once through the sorted ids of all parts side by side, and keeps none of them. If the context ends
// before, it returns its error.
func (c *Collection) Repeated(ctx context.Context, most int) (list []Repeated, count int, err error) {
	s := c.Acquire()
	defer s.Release()
	err = s.Read(func() error {
		if s.parts == nil {
			return s.Err()
		}
		type head struct {
			orderedID
			more bool
		}
		cursors := s.after("")
		heads := make([]head, len(cursors))
		for i, c := range cursors {
			heads[i].orderedID, heads[i].more = c.first()
		}
		names := Ends(c.Paths())
		var having []int
		for looked := 1; ; looked++ {
			having = having[:0]
			for i := range heads {
				h := &heads[i]
				if !h.more {
					continue
				}
				order := -1
				if len(having) > 0 {
					order = strings.Compare(h.id, heads[having[0]].id)
				}
				if order < 0 {
					having = having[:0]
				}
				if order <= 0 {
					having = append(having, i)
				}
			}
			if len(having) == 0 {
				return nil
			}
			if len(having) > 1 {
				if count++; len(list) < most {
					list = append(list, Repeated{ID: heads[having[0]].id})
					for _, i := range having {
						list[len(list)-1].Indexes = append(list[len(list)-1].Indexes, names[i])
					}
				}
			}
			for _, i := range having {
				cursors[i].pass(heads[i].orderedID)
				heads[i].orderedID, heads[i].more = cursors[i].first()
			}
			if looked%1024 == 0 {
				s.Rest(1024 * len(having))
				if err := ctx.Err(); err != nil {
					return err
				}
			}
		}
	})
	return list, count, err
}
