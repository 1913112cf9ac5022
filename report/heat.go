package report

import "html"

// Heat shows numbers by two binned values, darker where they are greater.
type Heat struct {
	Title   string     `json:"title"`
	X       string     `json:"x"` // names of the axes, with units
	Y       string     `json:"y"`
	Value   string     `json:"value"`   // what is shown
	Columns []string   `json:"columns"` // names of the bins
	Rows    []string   `json:"rows"`    // from the bottom
	Cells   []HeatCell `json:"cells"`
	// Most is the number of the darkest shade; 0 means the greatest number. Maps that are
	// compared share it.
	Most float64 `json:"most,omitempty"`
}

// HeatCell is the number of a bin and of how many things it is.
type HeatCell struct {
	Column int     `json:"column"`
	Row    int     `json:"row"`
	Value  float64 `json:"value"`
	Count  int     `json:"count"`
}

const (
	scaleGap   = 46.0 // right of the map, for the scale
	scaleWidth = 12.0
	scaleSteps = 10
	mostNamed  = 12 // bins of an axis that are named
)

// most returns the number of the darkest shade.
func (h *Heat) most() float64 {
	most := h.Most
	if most == 0 {
		for _, c := range h.Cells {
			most = max(most, c.Value)
		}
	}
	if most == 0 {
		return 1
	}
	return most
}

func (h *Heat) draw() *drawing {
	d := &drawing{width: chartWidth, height: chartHeight}
	x := axis{from: marginLeft, to: chartWidth - marginRight - scaleGap, low: 0, high: float64(max(1, len(h.Columns)))}
	y := axis{from: chartHeight - marginBottom, to: marginTop, low: 0, high: float64(max(1, len(h.Rows)))}
	name(&x, h.Columns)
	name(&y, h.Rows)
	most := h.most()
	width, height := x.at(1)-x.at(0), y.at(0)-y.at(1)
	d.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" class="empty"/>`, x.from, y.to, x.to-x.from, y.from-y.to)
	for _, c := range h.Cells {
		what := h.Y + " " + h.Rows[c.Row] + ", " + h.X + " " + h.Columns[c.Column] + ": " + h.Value + " " + short(c.Value) + ", " + short(float64(c.Count)) + " pairs"
		left, top := x.at(float64(c.Column)), y.at(float64(c.Row+1))
		d.add(`<g><title>%s</title><rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" class="sheet"/><rect x="%.2f" y="%.2f" width="%.2f" height="%.2f" class="heat" fill-opacity="%.3f"/></g>`,
			html.EscapeString(what), left, top, width, height, left, top, width, height, shade(c.Value, most))
	}
	for i, v := range x.ticks {
		d.text(x.at(v), y.from+16, "middle", "tick", x.tickLabels[i])
	}
	for i, v := range y.ticks {
		d.text(x.from-6, y.at(v)+4, "end", "tick", y.tickLabels[i])
	}
	d.names(&x, &y, h.X, h.Y)
	left := x.to + 10
	step := (y.from - y.to) / scaleSteps
	for i := range scaleSteps {
		d.add(`<rect x="%.1f" y="%.2f" width="%.1f" height="%.2f" class="heat" fill-opacity="%.3f"/>`,
			left, y.from-float64(i+1)*step, scaleWidth, step, shade((float64(i)+0.5)/scaleSteps, 1))
	}
	d.text(left+scaleWidth+4, y.from+2, "start", "tick", "0")
	d.text(left+scaleWidth+4, y.to+8, "start", "tick", short(most))
	return d
}

// shade returns how opaque a number is drawn: visible from the first.
func shade(value, most float64) float64 { return 0.05 + 0.95*min(1, max(0, value/most)) }

// name names the bins of an axis, or some of them.
func name(a *axis, bins []string) {
	step := (len(bins) + mostNamed - 1) / mostNamed
	for i := 0; i < len(bins); i += max(1, step) {
		a.ticks = append(a.ticks, float64(i)+0.5)
		a.tickLabels = append(a.tickLabels, bins[i])
	}
}
