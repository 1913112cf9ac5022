package server

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Parted asks for the answers within a radius part by part.
type Parted struct {
	Limit  int    `json:"limit,omitempty" query:"limit" minimum:"1" doc:"With radius: so many answers at most, sorted by distance and then by id, with a cursor for the part behind them"`
	Cursor string `json:"cursor,omitempty" query:"cursor" minLength:"1" doc:"With limit: the next of the part before"`
}

// mark is a place among answers that are sorted by distance, or by prediction where
// nothing else is known, and then by id. The zero mark is before all.
type mark struct {
	distance float64
	id       string
}

func (m mark) compare(other mark) int {
	return cmp.Or(cmp.Compare(m.distance, other.distance), cmp.Compare(m.id, other.id))
}

func (m mark) String() string {
	return base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatFloat(m.distance, 'g', -1, 64) + " " + m.id))
}

// readMark reads what String wrote.
func readMark(cursor string) (m mark, err error) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		distance, id, _ := strings.Cut(string(text), " ")
		m.id = id
		m.distance, err = strconv.ParseFloat(distance, 64)
	}
	if err != nil || m.distance < 0 || m.distance != m.distance || m.id == "" {
		return mark{}, problem(http.StatusUnprocessableEntity, "the cursor is not one that was given as next")
	}
	return m, nil
}

// inParts takes up which part of the answers a job wants.
func (s *Server) inParts(j *job) (err error) {
	switch {
	case j.Limit == 0 && j.Cursor == "":
		return nil
	case j.Limit == 0:
		return problem(http.StatusUnprocessableEntity, "a cursor goes with limit")
	case j.Limit > s.opt.Limits.Answers:
		return problem(http.StatusUnprocessableEntity, "limit is %d; a part has at most %d answers", j.Limit, s.opt.Limits.Answers)
	case j.opt.Radius == nil || j.opt.K > 0:
		return problem(http.StatusUnprocessableEntity, "limit divides all answers within a radius into parts: give a radius, and no k")
	case j.format != typeJSON && j.format != typeNDJSON:
		return problem(http.StatusNotAcceptable, "parts of the answers come as %s or %s, which have a place for the cursor", typeJSON, typeNDJSON)
	case j.Cursor != "":
		j.after, err = readMark(j.Cursor)
	}
	return err
}

// cut leaves those of a part: the first behind a mark. Answers are sorted by distance, so
// only those that are as far away as the mark, or may be in the part, are looked at.
func (r *result) cut(after mark, limit int) error {
	var behind []mark
	r.Found.Total, r.order = r.Len(), []int{}
	for from, to := 0, 0; from < r.Len() && len(behind) <= limit; from = to {
		at := r.At(from)
		for to = from; to < r.Len() && r.At(to) == at; to++ {
		}
		if at < after.distance {
			continue
		}
		type marked struct {
			mark
			answer int
		}
		var same []marked
		for i := from; i < to; i++ {
			a, err := r.Answer(i)
			if err != nil {
				return err
			}
			if m := (mark{at, a.ID}); after.id == "" || m.compare(after) > 0 {
				same = append(same, marked{m, i})
			}
		}
		slices.SortFunc(same, func(a, b marked) int { return a.compare(b.mark) })
		for _, m := range same {
			behind, r.order = append(behind, m.mark), append(r.order, m.answer)
		}
	}
	if len(behind) > limit {
		r.order = r.order[:limit]
		r.Found.Next = behind[limit-1].String()
	}
	return nil
}
