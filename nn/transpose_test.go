package nn

import "testing"

func TestTranspose(t *testing.T) {
	for _, shape := range [][2]int{{1, 1}, {7, 5}, {8, 3}, {16, 16}, {19, 8}, {64, 33}} {
		rows, cols := shape[0], shape[1]
		src, dst := make([]float32, rows*cols), make([]float32, rows*cols)
		for i := range src {
			src[i] = float32(i)
		}
		Transpose(dst, src, rows, cols)
		for i := range rows {
			for j := range cols {
				if dst[j*rows+i] != src[i*cols+j] {
					t.Fatalf("%d×%d: element %d, %d is %v", rows, cols, j, i, dst[j*rows+i])
				}
			}
		}
	}
}
