package report

import (
	"fmt"
	"html"
)

// Bars compares numbers of groups, such as the times of systems on each collection.
type Bars struct {
	Title  string      `json:"title"`
	Value  string      `json:"value"`         // what is shown, with its unit
	Log    bool        `json:"log,omitempty"` // logarithmic: values of 0 or less are left out
	Groups []string    `json:"groups"`
	Series []BarSeries `json:"series"`
}

// BarSeries is the bars of one colour.
type BarSeries struct {
	Name string `json:"name"`
	Bars []Bar  `json:"bars"`
}

// Bar is the number of a group.
type Bar struct {
	Group int     `json:"group"`
	Value float64 `json:"value"`
}

const (
	barHeight = 13.0
	barGap    = 9.0 // between groups
)

func (b *Bars) draw() *drawing {
	widest := 4
	for _, g := range b.Groups {
		widest = max(widest, len([]rune(g)))
	}
	left := min(16+letter*float64(widest), chartWidth/2.5)
	var values []float64
	var names []string
	present := make([]int, len(b.Groups)) // bars of each group
	for _, s := range b.Series {
		names = append(names, s.Name)
		for _, bar := range s.Bars {
			values = append(values, bar.Value)
			present[bar.Group]++
		}
	}
	bottom := marginTop
	for _, n := range present {
		bottom += barHeight*float64(max(1, n)) + barGap
	}
	d := &drawing{width: chartWidth, height: bottom + marginBottom + legendHeight(names)}
	if !b.Log {
		values = append(values, 0)
	}
	x := newAxis(values, left, chartWidth-marginRight-38, b.Log)
	for i, v := range x.ticks {
		d.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="grid"/>`, x.at(v), marginTop-4, x.at(v), bottom)
		d.text(x.at(v), bottom+16, "middle", "tick", x.tickLabels[i])
	}
	d.text((x.from+x.to)/2, bottom+34, "middle", "name", b.Value)
	top := marginTop
	for g, group := range b.Groups {
		height := barHeight * float64(max(1, present[g]))
		d.text(left-8, top+height/2+4, "end", "tick", clip(group, int((left-8)/letter)))
		for i, s := range b.Series {
			for _, bar := range s.Bars {
				if bar.Group == g && x.fits(bar.Value) {
					d.bar(&x, top, i, fmt.Sprintf("%s, %s: %s", group, s.Name, short(bar.Value)), bar.Value)
					top += barHeight
				}
			}
		}
		if present[g] == 0 {
			top += barHeight
		}
		top += barGap
	}
	d.legend(bottom+marginBottom, names, func(i int, x, y float64) {
		d.add(`<rect x="%.1f" y="%.1f" width="16" height="9" class="bar s%d"/>`, x-8, y-4.5, i%seriesKinds)
	})
	return d
}

func (d *drawing) bar(x *axis, top float64, series int, what string, value float64) {
	from := x.from
	if !x.log {
		from = x.at(max(0, x.low))
	}
	to := x.at(value)
	d.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" class="bar s%d"><title>%s</title></rect>`,
		min(from, to), top+1, max(1, max(from, to)-min(from, to)), barHeight-2, series%seriesKinds, html.EscapeString(what))
	d.text(max(from, to)+4, top+barHeight-3, "start", "small", short(value))
}

// clip shortens a text to n letters.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n || n < 2 {
		return s
	}
	return string(r[:n-1]) + "…"
}
