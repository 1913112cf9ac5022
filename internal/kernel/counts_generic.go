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

func fewEditsGeneric(over, under, use []uint8, most uint8) (lanes uint64) {
	var a, b [4]*[CountLane]uint8
	for g := range a {
		a[g], b[g] = (*[CountLane]uint8)(over[g*CountLane:]), (*[CountLane]uint8)(under[g*CountLane:])
	}
	for v := range CountLane {
		nodes := max(a[0][v]&use[0], a[1][v]&use[1], b[0][v]&use[4], b[1][v]&use[5])
		ends := (int(a[3][v]&use[3])+1)/2 + (int(b[3][v]&use[7])+1)/2
		edges := max(int(a[2][v]&use[2]), int(b[2][v]&use[6]), min(255, ends))
		if min(255, int(nodes)+edges) <= int(most) {
			lanes |= 1 << uint(v)
		}
	}
	return lanes
}
