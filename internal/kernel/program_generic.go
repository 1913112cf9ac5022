package kernel

// cells is one value of the cells of a group.
type cells = [CellLane]float32

func stepProgramGeneric(p *Program, keep, pace, long float32) {
	back, quarter := 1-keep, pace/4
	moved := &p.Moved
	// turn moves the dual value at k, under load.
	turn := func(k int, load *cells) {
		dual, dual0 := (*cells)(p.Dual[k:]), (*cells)(p.Dual0[k:])
		last, width := (*cells)(p.Last[k:]), (*cells)(p.Width[k:])
		for v, old := range dual {
			w := max(0, old+long*width[v]*load[v])
			moved[2][v] += (w - old) * (w - old) / width[v]
			last[v] = w
			dual[v] = keep*(w+w-old) + back*dual0[v]
		}
	}
	for i, g := range p.Groups {
		at := i * CellLane
		x, x0, far := (*cells)(p.X[at:]), (*cells)(p.X0[at:]), (*cells)(p.Far[at:])
		step := (*cells)(p.Step[at:])
		first := int(g.Dual)
		end := first + int(g.Rows+g.Cols)*CellLane
		var slope cells
		for v := range slope {
			slope[v] = p.Node[at+v] - p.Dual[p.Row[at+v]] - p.Dual[p.Col[at+v]]
		}
		for k := first; k < end; k += CellLane {
			for v, y := range (*cells)(p.Dual[k:]) {
				slope[v] += y
			}
		}
		for v, old := range x {
			to := min(1, max(0, old+pace*step[v]*slope[v]))
			far[v] = to + to - old
			moved[0][v] += (far[v] - old) * (far[v] - old) / step[v]
			x[v] = keep*far[v] + back*x0[v]
		}
	}
	list := p.Cells
	for i, count := range p.Counts {
		load := cells{-1, -1, -1, -1, -1, -1, -1, -1}
		for range count {
			for v, cell := range list[:CellLane] {
				load[v] += p.Far[cell]
			}
			list = list[CellLane:]
		}
		turn(i*CellLane, &load)
	}
	for i, g := range p.Groups {
		first := int(g.Dual)
		var minus cells
		for v, far := range p.Far[i*CellLane : (i+1)*CellLane] {
			minus[v] = -far
		}
		columns := p.columns[:int(g.Cols)*CellLane]
		for f := 0; f < len(columns); f += CellLane {
			*(*cells)(columns[f:]) = minus
		}
		pair := int(g.Pair)
		for e := range int(g.Rows) {
			load := minus
			for f := 0; f < len(columns); f += CellLane {
				y, y0 := (*cells)(p.Y[pair:]), (*cells)(p.Y0[pair:])
				weight, sum := (*cells)(p.Weight[pair:]), (*cells)(p.Sum[pair:])
				reverse, column := (*[CellLane]int32)(p.Reverse[pair:]), (*cells)(columns[f:])
				for v, old := range y {
					to := min(1, max(0, old+quarter*(weight[v]-(sum[v]+p.Sum[reverse[v]]))))
					far := to + to - old
					moved[1][v] += (far - old) * (far - old)
					load[v] += far
					column[v] += far
					y[v] = keep*far + back*y0[v]
				}
				pair += CellLane
			}
			turn(first+e*CellLane, &load)
		}
		for f := 0; f < len(columns); f += CellLane {
			turn(first+int(g.Rows)*CellLane+f, (*cells)(columns[f:]))
		}
	}
	p.sums(p.Next, p.Dual)
}
