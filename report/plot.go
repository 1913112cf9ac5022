package report

import (
	"fmt"
	"strings"
)

// Plot shows points, or lines through points, over two axes.
type Plot struct {
	Title string `json:"title"`
	X     string `json:"x"` // names of the axes, with units
	Y     string `json:"y"`
	LogX  bool   `json:"log_x,omitempty"` // logarithmic: values of 0 or less are left out
	LogY  bool   `json:"log_y,omitempty"`
	// Identity draws the line where both values are equal.
	Identity bool     `json:"identity,omitempty"`
	Series   []Series `json:"series"`
	Note     string   `json:"note,omitempty"`
}

// Series is points of one colour and shape.
type Series struct {
	Name   string  `json:"name"`
	Points []Point `json:"points"`
	Cloud  bool    `json:"cloud,omitempty"`  // many points, with no line through them
	Dashed bool    `json:"dashed,omitempty"` // as published, not measured here
}

// Point is a place in a plot.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

func (p *Plot) draw() *drawing {
	var xs, ys []float64
	var names []string
	for _, s := range p.Series {
		names = append(names, s.Name)
		for _, at := range s.Points {
			xs, ys = append(xs, at.X), append(ys, at.Y)
		}
	}
	d := &drawing{width: chartWidth, height: chartHeight + legendHeight(names)}
	x := newAxis(xs, marginLeft, chartWidth-marginRight, p.LogX)
	y := newAxis(ys, chartHeight-marginBottom, marginTop, p.LogY)
	d.frame(&x, &y, p.X, p.Y)
	if p.Identity {
		low, high := max(x.low, y.low), min(x.high, y.high)
		if low < high {
			d.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="identity"/>`, x.at(low), y.at(low), x.at(high),
				y.at(high))
		}
	}
	for i, s := range p.Series {
		d.series(i, s, &x, &y)
	}
	d.legend(chartHeight, names, func(i int, x, y float64) {
		if !p.Series[i].Cloud {
			d.add(`<path d="M%.1f %.1fh20" class="line s%d%s"/>`, x-10, y, i%seriesKinds, dashes(p.Series[i]))
		}
		d.dot(i, x, y, 3.5)
	})
	return d
}

func (d *drawing) series(i int, s Series, x, y *axis) {
	radius := 3.5
	var path strings.Builder
	if s.Cloud {
		radius = 2
		d.add(`<g class="cloud">`)
	}
	for _, p := range s.Points {
		if !x.fits(p.X) || !y.fits(p.Y) {
			continue
		}
		px, py := x.at(p.X), y.at(p.Y)
		if s.Cloud {
			d.dot(i, px, py, radius)
			continue
		}
		fmt.Fprintf(&path, "%s%.1f %.1f", map[bool]string{true: "M", false: "L"}[path.Len() == 0], px, py)
	}
	if s.Cloud {
		d.add(`</g>`)
		return
	}
	d.add(`<path d="%s" class="line s%d%s"/>`, path.String(), i%seriesKinds, dashes(s))
	if len(s.Points) > mostDots {
		return
	}
	for _, p := range s.Points {
		if x.fits(p.X) && y.fits(p.Y) {
			d.dot(i, x.at(p.X), y.at(p.Y), radius)
		}
	}
}

// mostDots is the most points of a line that are marked.
const mostDots = 40

func dashes(s Series) string {
	if s.Dashed {
		return " dashed"
	}
	return ""
}
