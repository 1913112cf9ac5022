package dataset

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

func xesFormat() format {
	f := xmlFormat("xes", "log", "XES: the directly-follows graph of an event log",
		func(f xmlFile) decoder { return &xes{xmlFile: f} })
	isLog := f.sniff
	f.sniff = func(head []byte) bool {
		return isLog(head) && (bytes.Contains(head, []byte("xes")) || bytes.Contains(head, []byte("<trace")))
	}
	return f
}

// xes decodes XES (IEEE 1849) as the directly-follows graph of the log. Its nodes are the
// activities, given by the concept:name of events, with the attributes name and count, and
// one node each for the start and the end of traces. An edge leads from each activity to the
// next, with the attribute count. Of events with a lifecycle:transition, only completions
// count. A log may have any size, because only the graph is held in memory.
type xes struct {
	xmlFile
	seen   map[string]uint32 // activities, by their numbers
	names  []string
	counts []int
	edges  map[[2]uint32]int
	order  [][2]uint32
	begun  bool
}

// The nodes for the start and the end of traces.
const (
	traceStart = iota
	traceEnd
)

func (d *xes) next() (Record, error) {
	if d.over {
		return Record{}, io.EOF
	}
	d.over = true
	d.raw.reset(d.env, 1)
	rec, err := d.read()
	if err != nil {
		d.x.broken = true // there is no record behind
		return d.xmlFile.bad(err)
	}
	rec.File = d.x.in.name
	return rec, nil
}

// read reads the whole log.
func (d *xes) read() (Record, error) {
	if err := d.log(); err != nil {
		return Record{}, err
	}
	if err := d.write(); err != nil {
		return Record{}, err
	}
	return d.env.build(&d.raw)
}

// log reads the root element, one trace at a time.
func (d *xes) log() error {
	d.seen, d.edges = make(map[string]uint32), make(map[[2]uint32]int)
	d.names, d.counts = []string{"(start)", "(end)"}, []int{0, 0}
	for {
		what, tag, _, err := d.x.token()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case what != xmlStart:
			continue
		}
		if !d.begun {
			d.begun, d.raw.line = true, d.x.line()
			continue
		}
		switch tag.name {
		case "trace":
			err = d.trace()
		case "string":
			if tag.attribute("key") == "concept:name" {
				d.raw.name = tag.attribute("value")
			}
			err = d.x.skip()
		default:
			err = d.x.skip()
		}
		if err != nil {
			return err
		}
		d.x.mark()
	}
}

func (d *xes) trace() error {
	last := uint32(traceStart)
	met := false
	err := d.x.children(func(tag xmlTag) error {
		if tag.name != "event" {
			return d.x.skip()
		}
		name, counts, err := d.event()
		if err != nil || !counts {
			return err
		}
		met = true
		now, err := d.activity(name)
		if err != nil {
			return err
		}
		d.follow(last, now)
		last = now
		return d.raw.tick()
	})
	if err == nil && met {
		d.counts[traceStart]++
		d.counts[traceEnd]++
		d.follow(last, traceEnd)
	}
	return err
}

// event reads an event to its end and returns its activity, if it counts.
func (d *xes) event() (name string, counts bool, err error) {
	state, named := "", false
	err = d.x.children(func(tag xmlTag) error {
		switch tag.attribute("key") {
		case "concept:name":
			name, named = unbroken(tag.attribute("value")), true
		case "lifecycle:transition":
			state = tag.attribute("value")
		}
		return d.x.skip()
	})
	switch {
	case err != nil:
		return "", false, err
	case !named:
		d.env.notes.count(1, "event without a concept:name was left out", "events without a concept:name were left out")
		return "", false, nil
	case state != "" && !strings.EqualFold(state, "complete"):
		d.env.notes.count(1, "event that does not complete its activity (lifecycle:transition) was left out",
			"events that do not complete their activity (lifecycle:transition) were left out")
		return "", false, nil
	}
	return name, true, nil
}

// activity returns the number of an activity and counts it.
func (d *xes) activity(name string) (uint32, error) {
	i, ok := d.seen[name]
	if !ok {
		if most := d.env.opt.MaxNodes; most > 0 && len(d.names) >= most {
			return 0, errAt(d.x.line(), "%w: more than %d nodes", ErrRecordTooLarge, most)
		}
		i = uint32(len(d.names))
		name = strings.Clone(name)
		d.seen[name] = i
		d.names, d.counts = add(d.names, name), add(d.counts, 0)
	}
	d.counts[i]++
	return i, nil
}

func (d *xes) follow(from, to uint32) {
	e := [2]uint32{from, to}
	if d.edges[e] == 0 {
		d.order = add(d.order, e)
	}
	d.edges[e]++
}

// write makes a graph of the counts.
func (d *xes) write() error {
	raw := &d.raw
	raw.directed = true
	if len(d.order) == 0 {
		return nil
	}
	// An activity may have the same name as the start.
	for _, i := range []int{traceStart, traceEnd} {
		for _, taken := d.seen[d.names[i]]; taken; _, taken = d.seen[d.names[i]] {
			d.names[i] += "'"
		}
	}
	for i, name := range d.names {
		chain := raw.nodeAttrs.add(noAttrs, "name", name, textKind)
		if err := raw.declare(name, raw.line, raw.nodeAttrs.add(chain, "count", strconv.Itoa(d.counts[i]),
			integerKind)); err != nil {
			return err
		}
	}
	for _, e := range d.order {
		if err := raw.join(e[0], e[1], raw.line, raw.edgeAttrs.add(noAttrs, "count", strconv.Itoa(d.edges[e]),
			integerKind)); err != nil {
			return err
		}
	}
	return nil
}
