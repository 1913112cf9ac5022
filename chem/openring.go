package chem

// openRing is a ring bond whose other end has not been read.
type openRing struct {
	number, atom, at int32
	bond             byte // its symbol, 0 if none
	open             bool
}

// openRings are the open rings of a SMILES, by number. Numbers of up to two digits are in an
// array, others, of which there can be as many as atoms, in a map.
type openRings struct {
	short [100]openRing
	long  map[int32]openRing
	count int
}

// take closes the open ring with a number and returns it, and whether there was one.
func (o *openRings) take(number int32) (openRing, bool) {
	if int(number) < len(o.short) {
		r := o.short[number]
		if r.open {
			o.short[number].open = false
			o.count--
		}
		return r, r.open
	}
	r, ok := o.long[number]
	if ok {
		delete(o.long, number)
		o.count--
	}
	return r, ok
}

// put opens a ring whose number is not open.
func (o *openRings) put(r openRing) {
	r.open = true
	o.count++
	if int(r.number) < len(o.short) {
		o.short[r.number] = r
		return
	}
	if o.long == nil {
		o.long = make(map[int32]openRing)
	}
	o.long[r.number] = r
}

// first returns the open ring that was opened first.
func (o *openRings) first() (first openRing) {
	earlier := func(r openRing) {
		if r.open && (!first.open || r.at < first.at) {
			first = r
		}
	}
	for _, r := range o.short {
		earlier(r)
	}
	for _, r := range o.long {
		earlier(r)
	}
	return first
}

// reset closes all rings.
func (o *openRings) reset() {
	if o.count == 0 {
		return
	}
	clear(o.short[:])
	clear(o.long)
	o.count = 0
}
