package kernel

func compareCountsGeneric(over, under, q, low, high []uint8, widths []int) {
	at := 0
	for g, w := range widths {
		a := over[g*CountLane:][:CountLane]
		b := under[g*CountLane:][:CountLane]
		clear(a)
		clear(b)
		for i := at; i < at+w; i++ {
			x := int(q[i])
			from, to := low[i*CountLane:][:CountLane], high[i*CountLane:][:CountLane]
			for v := range CountLane {
				a[v] = uint8(min(255, int(a[v])+max(0, x-int(to[v]))))
				b[v] = uint8(min(255, int(b[v])+max(0, int(from[v])-x)))
			}
		}
		at += w
	}
}
