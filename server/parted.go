package server

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"sort"
	"strconv"
	"strings"
)

// Parted requests the answers within a radius part by part.
type Parted struct {
	Limit  int    `json:"limit,omitempty" query:"limit" minimum:"1" doc:"${parted_limit}"`
	Cursor string `json:"cursor,omitempty" query:"cursor" minLength:"1" doc:"${parted_cursor}"`
}

// mark is a position among answers: behind a graph, at a distance, or at a prediction if
// nothing else is known. The zero mark is before all answers.
type mark struct {
	distance float64
	position int
	id       string
}

func (m mark) String() string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%v %d %s", m.distance, m.position, m.id))
}

// readMark reads what String wrote.
func readMark(cursor string) (m mark, err error) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		distance, rest, _ := strings.Cut(string(text), " ")
		position, id, _ := strings.Cut(rest, " ")
		m.id = id
		if m.distance, err = strconv.ParseFloat(distance, 64); err == nil {
			m.position, err = strconv.Atoi(position)
		}
	}
	if err != nil || m.distance < 0 || m.distance != m.distance || m.id == "" {
		return mark{}, problem(http.StatusUnprocessableEntity, "the cursor is not one that was given as next")
	}
	return m, nil
}

// inParts reads which part of the answers a request wants.
func (s *Server) inParts(j *job) (err error) {
	switch {
	case j.Limit == 0 && j.Cursor == "":
		return nil
	case j.Limit == 0:
		return problem(http.StatusUnprocessableEntity, "a cursor goes with limit")
	case j.Limit > s.opt.Limits.Answers:
		return problem(http.StatusUnprocessableEntity, "limit is %d; a part has at most %d answers", j.Limit,
			s.opt.Limits.Answers)
	case j.opt.Radius == nil || j.opt.K > 0:
		return problem(http.StatusUnprocessableEntity, "limit divides all answers within a radius into parts: give a "+
			"radius, and no k")
	case j.format != typeJSON && j.format != typeNDJSON:
		return problem(http.StatusNotAcceptable, "parts of the answers come as %s or %s, which have a place for the "+
			"cursor", typeJSON, typeNDJSON)
	case j.Cursor != "":
		j.after, err = readMark(j.Cursor)
	}
	return err
}

// cut keeps only the answers of a part: the first behind a mark.
func (r *result) cut(after mark, limit int) error {
	from, err := r.behind(after)
	if err != nil {
		return err
	}
	r.Found.Total = new(r.Len())
	r.from, r.to = from, min(from+limit, r.Len())
	if r.to == r.Len() {
		return nil
	}
	last, err := r.Answer(r.to - 1)
	r.Found.Next = mark{r.At(r.to - 1), last.Position, last.ID}.String()
	return err
}

// behind returns the first answer behind a mark. If the graph there has gone or moved, this
// is the first at its distance: some come twice, but none is lost.
func (r *result) behind(after mark) (int, error) {
	if after.id == "" {
		return 0, nil
	}
	from := sort.Search(r.Len(), func(i int) bool { return r.At(i) >= after.distance })
	for i := from; i < r.Len() && r.At(i) == after.distance; i++ {
		a, err := r.Answer(i)
		if err != nil || a.ID == after.id && a.Position == after.position {
			return i + 1, err
		}
	}
	return from, nil
}
