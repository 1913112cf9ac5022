package dataset

import "strings"

func bpmnFormat() format {
	return xmlFormat("bpmn", "definitions", "BPMN 2.0: a directed graph for every process, of its tasks, events, "+
		"gateways and flows", func(f xmlFile) decoder {
		f.element = "process"
		return &bpmn{f}
	})
}

// bpmn decodes BPMN 2.0 (ISO/IEC 19510). The nodes of a process are its flow nodes, including
// those of its subprocesses. The edges are its sequence flows, and one from each activity to
// each of its boundary events. Both have the attributes type and name; without a name it is
// the type. Data, lanes, message flows and the drawing are ignored.
type bpmn struct{ xmlFile }

func (d *bpmn) next() (Record, error) {
	return d.nextGraph(func(tag xmlTag, raw *rawGraph) error {
		raw.directed = true
		raw.id, raw.name = tag.attribute("id"), tag.attribute("name")
		return d.x.children(func(tag xmlTag) error { return d.part(tag, raw) })
	}, func(tag xmlTag) error {
		if tag.name != "collaboration" {
			return d.x.skip()
		}
		return d.x.children(func(tag xmlTag) error {
			if tag.name == "messageFlow" {
				d.env.notes.count(1, "message flow between processes was left out",
					"message flows between processes were left out")
			}
			return d.x.skip()
		})
	})
}

// part reads the contents of a process or subprocess.
func (d *bpmn) part(tag xmlTag, raw *rawGraph) error {
	line := d.x.line()
	switch {
	case tag.name == "sequenceFlow":
		from, to, err := d.x.ends(tag, "sourceRef", "targetRef")
		if err != nil {
			return err
		}
		if err := raw.connect(from, to, line, typed(&raw.edgeAttrs, tag.name,
			unbroken(tag.attribute("name")))); err != nil {
			return err
		}
		return d.x.skip()
	case !flowNode(tag.name):
		return d.x.skip()
	}
	id, err := d.x.needAttribute(tag, "id")
	if err != nil {
		return err
	}
	if err := raw.declare(id, line, typed(&raw.nodeAttrs, tag.name, unbroken(tag.attribute("name")))); err != nil {
		return err
	}
	if host := tag.attribute("attachedToRef"); host != "" {
		if err := raw.connect(host, id, line, typed(&raw.edgeAttrs, "attachedTo", "")); err != nil {
			return err
		}
	}
	return d.x.children(func(tag xmlTag) error { return d.part(tag, raw) })
}

// flowNode reports whether an element is a node of a process.
func flowNode(name string) bool {
	switch name {
	case "task", "callActivity", "subProcess", "adHocSubProcess", "transaction", "subChoreography", "callChoreography",
		"event":
		return true
	}
	return strings.HasSuffix(name, "Task") || strings.HasSuffix(name, "Event") || strings.HasSuffix(name, "Gateway")
}
