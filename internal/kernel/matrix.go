package kernel

import "fmt"

// Matrix is a view of rows: row r starts at Data[r*Stride].
type Matrix struct {
	Data   []float32
	Stride int
}

// row returns the first width values of row r.
func (m Matrix) row(r, width int) []float32 {
	at := r * m.Stride
	return m.Data[at : at+width : at+width]
}

// rows returns how many whole rows of the given width the view holds.
func (m Matrix) rows(width int) int {
	if len(m.Data) < width || m.Stride < 1 {
		return 0
	}
	return (len(m.Data)-width)/m.Stride + 1
}

// check panics unless the view has at least the given rows of the given width.
func (m Matrix) check(name string, rows, width int) {
	if rows <= 0 && len(m.Data) == 0 {
		return
	}
	if m.Stride < width || m.Stride < 1 {
		panic(fmt.Sprintf("kernel: %s has stride %d, want at least %d", name, m.Stride, max(width, 1)))
	}
	if len(m.Data) < (rows-1)*m.Stride+width {
		panic(fmt.Sprintf("kernel: %s has %d values, want %d rows of %d with stride %d", name, len(m.Data), rows, width,
			m.Stride))
	}
}

func checkWidth(width int) {
	if width < 0 || width%Lane != 0 {
		panic(fmt.Sprintf("kernel: width %d is not a multiple of %d", width, Lane))
	}
}

func checkLength(name string, have, want int) {
	if have != want {
		panic(fmt.Sprintf("kernel: %s has %d values, want %d", name, have, want))
	}
}
