package eval

import (
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Size of a heat map and width of its scale.
const (
	mapWidth   = 18 * vg.Centimeter
	mapHeight  = 12 * vg.Centimeter
	scaleWidth = 2 * vg.Centimeter
	scaleGap   = 0.5 * vg.Centimeter
)

// shades is the number of colours of a heat map.
const shades = 256

// WriteHeatMap draws the RMSE of every cell, distances across and query sizes
// upwards, with a scale. Cells without pairs are grey. The format is "png" or
// "svg"; any other is an error.
func (g *Grid) WriteHeatMap(w io.Writer, format string) error {
	switch format {
	case "png":
		c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(mapWidth, mapHeight), vgimg.UseDPI(150))}
		g.draw(draw.New(c))
		_, err := c.WriteTo(w)
		return err
	case "svg":
		c := vgsvg.New(mapWidth, mapHeight)
		g.draw(draw.New(c))
		_, err := c.WriteTo(w)
		return err
	}
	return fmt.Errorf("eval: heat maps are drawn as png or svg, not %q", format)
}

func (g *Grid) draw(c draw.Canvas) {
	colours := palette.Reverse(moreland.BlackBody()) // from white for no error
	colours.SetMin(0)
	colours.SetMax(max(g.worst(), 1e-6)) // a scale from 0 to 0 cannot be drawn

	heat := plotter.NewHeatMap(heatGrid{g}, colours.Palette(shades))
	heat.Min, heat.Max = 0, colours.Max()
	heat.NaN = color.Gray{Y: 0xdd}
	p := plot.New()
	p.Title.Text = "RMSE by distance and size of query"
	p.X.Label.Text = "distance"
	p.Y.Label.Text = "nodes of the query"
	p.Add(heat)
	p.X.Padding, p.Y.Padding = 0, 0
	p.X.Tick.Marker, p.Y.Tick.Marker = g.Distances.ticks(), g.Sizes.ticks()

	scale := plot.New()
	scale.Add(colourScale{colours.Palette(shades).Colors(), colours.Max()})
	scale.HideX()
	scale.Y.Padding = 0
	scale.Title.Text = " "
	scale.X.Label.Text = " "

	p.Draw(draw.Crop(c, 0, -scaleWidth-scaleGap, 0, 0))
	scale.Draw(draw.Crop(c, mapWidth-scaleWidth, 0, 0, 0))
}

// colourScale is a bar of colours from 0 to max upwards. It is made of areas:
// the one of the plotting package is a picture, one pixel wide, which viewers of
// SVG do not stretch.
type colourScale struct {
	colours []color.Color
	max     float64
}

// Plot draws every colour from its place to the top, below those that follow.
func (s colourScale) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	for i, colour := range s.colours {
		bottom := y(s.max * float64(i) / float64(len(s.colours)))
		c.FillPolygon(colour, []vg.Point{
			{X: c.Min.X, Y: bottom}, {X: c.Max.X, Y: bottom}, {X: c.Max.X, Y: c.Max.Y}, {X: c.Min.X, Y: c.Max.Y},
		})
	}
}

// DataRange returns the ends of the axes.
func (s colourScale) DataRange() (left, right, bottom, top float64) { return 0, 1, 0, s.max }

// mostTicks is how many bins of an axis are named.
const mostTicks = 13

// ticks names bins by their lowest value, at their middles.
func (a Axis) ticks() plot.ConstantTicks {
	var ticks plot.ConstantTicks
	step := (a.Bins + mostTicks - 1) / mostTicks
	for i := 0; i < a.Bins; i += step {
		ticks = append(ticks, plot.Tick{Value: a.Middle(i), Label: fmt.Sprintf("%.6g", a.Start+float64(i)*a.Width)})
	}
	return ticks
}

// worst returns the largest RMSE of a cell.
func (g *Grid) worst() float64 {
	worst := 0.0
	for _, row := range g.Cells {
		for _, cell := range row {
			if cell.Pairs > 0 {
				worst = max(worst, float64(cell.RMSE))
			}
		}
	}
	return worst
}

// heatGrid is a Grid as the plotting package wants it.
type heatGrid struct{ *Grid }

// Dims returns the numbers of columns and rows.
func (h heatGrid) Dims() (columns, rows int) { return h.Distances.Bins, h.Sizes.Bins }

// Z returns the RMSE of a cell.
func (h heatGrid) Z(column, row int) float64 { return float64(h.Cells[row][column].RMSE) }

// X returns the middle of a column.
func (h heatGrid) X(column int) float64 { return h.Distances.Middle(column) }

// Y returns the middle of a row.
func (h heatGrid) Y(row int) float64 { return h.Sizes.Middle(row) }
