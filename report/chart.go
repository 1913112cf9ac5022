package report

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Size of a chart, in the units of its drawing, and its margins. On a page it is as wide
// as its place, so that these are about pixels.
const (
	chartWidth   = 480.0
	chartHeight  = 320.0
	marginLeft   = 58.0
	marginRight  = 14.0
	marginTop    = 12.0
	marginBottom = 44.0
	letter       = 6.6 // about how wide a letter is
	legendRow    = 18.0
	seriesKinds  = 8 // colours that the style has
)

// drawing collects the elements of an SVG.
type drawing struct {
	strings.Builder
	width, height float64
}

func (d *drawing) add(format string, args ...any) { fmt.Fprintf(&d.Builder, format+"\n", args...) }

// text adds a text at a place; anchor is start, middle or end.
func (d *drawing) text(x, y float64, anchor, class, text string) {
	d.add(`<text x="%.1f" y="%.1f" text-anchor="%s" class="%s">%s</text>`, x, y, anchor, class, html.EscapeString(text))
}

// svg returns the elements as a whole image, with its own style if it is to stand alone.
func (d *drawing) svg(name string, alone bool) string {
	style := ""
	if alone {
		style = "<style>" + svgStyle + "</style>\n<rect width=\"100%\" height=\"100%\" class=\"paper-sheet\"/>\n"
	}
	return allowed(fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" "+
		"aria-label=\"%s\">\n%s%s</svg>\n",
		d.width, d.height, html.EscapeString(name), style, d.String()))
}

// allowed writes the characters that XML 1.0 forbids, even escaped, as \x07 and so on.
// Bytes that are not UTF-8 become U+FFFD.
func allowed(markup string) string {
	var b strings.Builder
	for _, r := range markup {
		switch {
		case r < ' ' && !strings.ContainsRune("\t\n\r", r):
			fmt.Fprintf(&b, `\x%02x`, r)
		case r == '\ufffe' || r == '\uffff':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// axis maps values to places.
type axis struct {
	low, high  float64
	from, to   float64 // places of low and high
	log        bool
	ticks      []float64
	tickLabels []string
}

// newAxis returns an axis for the values, which starts at 0 where that costs little.
func newAxis(values []float64, from, to float64, log bool) axis {
	a := axis{from: from, to: to, log: log, low: math.Inf(1), high: math.Inf(-1)}
	for _, v := range values {
		if a.fits(v) {
			a.low, a.high = min(a.low, v), max(a.high, v)
		}
	}
	if a.low > a.high {
		a.low, a.high = 0, 1
		a.log = false
	}
	if a.log {
		a.powers()
		return a
	}
	if a.low > 0 && a.low < a.high/2 {
		a.low = 0
	}
	if a.low == a.high {
		a.low, a.high = a.low-0.5, a.high+0.5
	}
	step := niceStep((a.high - a.low) / 5)
	a.low, a.high = math.Floor(a.low/step+1e-9)*step, math.Ceil(a.high/step-1e-9)*step
	for i := 0; ; i++ {
		v := a.low + float64(i)*step
		if v > a.high+step/2 {
			break
		}
		a.tick(v)
	}
	return a
}

// fits reports whether the axis can show a value.
func (a *axis) fits(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!a.log || v > 0)
}

func (a *axis) tick(v float64) {
	if math.Abs(v) < 1e-12*math.Max(math.Abs(a.low), math.Abs(a.high)) {
		v = 0
	}
	a.ticks = append(a.ticks, v)
	a.tickLabels = append(a.tickLabels, short(v))
}

// powers sets the ends and ticks of a logarithmic axis: powers of ten, at most about
// eight of them named.
func (a *axis) powers() {
	first, last := math.Floor(math.Log10(a.low)+1e-9), math.Ceil(math.Log10(a.high)-1e-9)
	if first == last {
		last++
	}
	a.low, a.high = math.Pow(10, first), math.Pow(10, last)
	every := math.Ceil((last - first) / 8)
	for p := first; p <= last; p += every {
		a.ticks = append(a.ticks, math.Pow(10, p))
		a.tickLabels = append(a.tickLabels, short(math.Pow(10, p)))
	}
}

// niceStep returns the least of 1, 2 or 5 times a power of ten that is at least x.
func niceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= x*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// at returns the place of a value.
func (a *axis) at(v float64) float64 {
	low, high := a.low, a.high
	if a.log {
		low, high, v = math.Log10(low), math.Log10(high), math.Log10(v)
	}
	return a.from + (v-low)/(high-low)*(a.to-a.from)
}

// frame draws the axes with their names, ticks and grid lines.
func (d *drawing) frame(x, y *axis, nameX, nameY string) {
	for i, v := range y.ticks {
		p := y.at(v)
		d.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="grid"/>`, x.from, p, x.to, p)
		d.text(x.from-6, p+4, "end", "tick", y.tickLabels[i])
	}
	for i, v := range x.ticks {
		p := x.at(v)
		d.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="axis"/>`, p, y.from, p, y.from+4)
		d.text(p, y.from+17, "middle", "tick", x.tickLabels[i])
	}
	d.add(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" class="axis"/>`, x.from, y.from, x.to, y.from)
	d.names(x, y, nameX, nameY)
}

func (d *drawing) names(x, y *axis, nameX, nameY string) {
	d.text((x.from+x.to)/2, y.from+36, "middle", "name", nameX)
	middle := (y.from + y.to) / 2
	d.add(`<text x="13" y="%.1f" text-anchor="middle" transform="rotate(-90 13 %.1f)" class="name">%s</text>`, middle,
		middle, html.EscapeString(nameY))
}

// legendHeight returns how high the legend of the names is.
func legendHeight(names []string) float64 {
	if len(names) < 2 {
		return 0
	}
	rows, x := 1.0, marginLeft
	for _, name := range names {
		w := entryWidth(name)
		if x+w > chartWidth && x > marginLeft {
			rows, x = rows+1, marginLeft
		}
		x += w
	}
	return rows*legendRow + 4
}

func entryWidth(name string) float64 { return 26 + letter*float64(len([]rune(name))) + 10 }

// legend draws names with the sign that mark draws for entry i.
func (d *drawing) legend(top float64, names []string, mark func(i int, x, y float64)) {
	if len(names) < 2 {
		return
	}
	x, y := marginLeft, top+12
	for i, name := range names {
		w := entryWidth(name)
		if x+w > chartWidth && x > marginLeft {
			x, y = marginLeft, y+legendRow
		}
		mark(i, x+9, y-4)
		d.text(x+22, y, "start", "tick", name)
		x += w
	}
}

// dot draws a sign whose shape and colour tell series apart.
func (d *drawing) dot(series int, x, y, r float64) {
	class := fmt.Sprintf("dot s%d", series%seriesKinds)
	switch series % 5 {
	case 0:
		d.add(`<circle cx="%.1f" cy="%.1f" r="%.1f" class="%s"/>`, x, y, r, class)
	case 1:
		d.add(`<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" class="%s"/>`, x-r, y-r, 2*r, 2*r, class)
	case 2:
		d.add(`<path d="M%.1f %.1fl%.1f %.1fh%.1fz" class="%s"/>`, x, y-1.3*r, 1.3*r, 2.3*r, -2.6*r, class)
	case 3:
		d.add(`<path d="M%.1f %.1fl%.1f %.1fl%.1f %.1fl%.1f %.1fz" class="%s"/>`, x, y-1.4*r, 1.4*r, 1.4*r, -1.4*r,
			1.4*r, -1.4*r, -1.4*r, class)
	default:
		d.add(`<path d="M%.1f %.1fl%.1f %.1fh%.1fz" class="%s"/>`, x, y+1.3*r, 1.3*r, -2.3*r, -2.6*r, class)
	}
}
