package dataset

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/greedgraph/greed/internal/jsonwalk"
)

// SimGNN (Bai et al., WSDM 2019) and its successors store graphs as lists of edges between
// numbers: a pair per object, with its distance, or a graph.
//
//	{"graph_1": [[0, 1]], "labels_1": ["C", "O"], "graph_2": [], "labels_2": ["C"], "ged": 2}
//	{"n": 2, "graph": [[0, 1]], "labels": ["C", "O"]}

// GivenGED is the key in [Record.Attributes] of the distance to the record before, a float64,
// if the file gives it, as the pairs of SimGNN do.
const GivenGED = "ged"

// jsonRecords decodes the object in text, which begins at a line of a file, into its graphs:
// one or, with pairs, up to two.
func (e *env) jsonRecords(file string, text []byte, line int, pairs bool) ([]Record, error) {
	read := nodeLinkReader{text: text, line: line, raw: &e.raw}
	read.raw.reset(e, line)
	top, err := read.top()
	var list []Record
	switch {
	case err != nil:
	case pairs && top["graph_1"].text != nil:
		list, err = read.pair(top)
	case pairs && top["graphs"].text != nil && top[nodesMember].text == nil:
		list, err = read.several(top["graphs"])
	default:
		list = make([]Record, 1)
		list[0], err = read.record(top)
	}
	if err != nil {
		return nil, e.bad(file, line, read.raw.id, text, err)
	}
	for i := range list {
		list[i].File = file
	}
	return list, nil
}

// pair reads both graphs of a pair.
func (r *nodeLinkReader) pair(top jsonTop) ([]Record, error) {
	ged := top["ged"]
	distance, err := strconv.ParseFloat(string(ged.text), 64)
	if err != nil && ged.text != nil {
		return nil, errAt(r.lineAt(ged.at), `JSON: "ged" is %s, expected a number`, quoted(ged.text))
	}
	var list []Record
	for _, n := range [2]string{"1", "2"} {
		if top["graph_"+n].text == nil {
			return nil, fmt.Errorf(`expected "graph_1" and "graph_2"; found no "graph_%s"`, n)
		}
		r.raw.reset(r.raw.env, r.line)
		rec, err := r.listed(top, "graph_"+n, "labels_"+n, "")
		if err != nil {
			return nil, err
		}
		list = append(list, rec)
	}
	if ged.text != nil {
		list[1].Attributes = map[string]any{GivenGED: distance}
	}
	return list, nil
}

// listed reads a graph given as a list of edges, with a list of labels or a number of nodes.
func (r *nodeLinkReader) listed(top jsonTop, edges, labels, count string) (Record, error) {
	raw := r.raw
	raw.directed = raw.env.opt.Directed || string(top["directed"].text) == "true"
	if list := top[labels]; list.text != nil && string(list.text) != "null" { // null: no labels
		err := r.elements(labels, list, func(value []byte, line int) error {
			return raw.number(line, raw.nodeAttrs.add(noAttrs, "label", jsonString(value), textKind))
		})
		if err != nil {
			return Record{}, err
		}
	}
	nodes := len(raw.nodes)
	if n := top[count]; n.text != nil {
		var err error
		nodes, err = strconv.Atoi(string(n.text))
		if err != nil || nodes < len(raw.nodes) || !raw.env.declare(nodes, len(r.text)) {
			return Record{}, errAt(r.lineAt(n.at), "JSON: %q is %s, expected the number of nodes", count,
				quoted(n.text))
		}
	}
	err := r.elements(edges, top[edges], func(value []byte, line int) error {
		var ends [2]uint32
		chain, n := noAttrs, 0
		if value[0] != '[' {
			return errAt(line, "JSON: an edge of %q is %s, expected [NODE, NODE]", edges, jsonTypeName(value))
		}
		walk := jsonwalk.Walk{Text: value}
		err := walk.Elements(func(value []byte, _ int) error {
			switch n++; n {
			case 1, 2:
				v, err := strconv.ParseUint(string(value), 10, 31)
				if err != nil || v >= uint64(len(r.text))+uint64(nodes) {
					return errAt(line, "JSON: an edge of %q has the end %s, expected the number of a node", edges,
						quoted(value))
				}
				ends[n-1] = uint32(v)
				if top[labels].text == nil && top[count].text == nil {
					nodes = max(nodes, int(v)+1)
				}
			case 3:
				chain = raw.edgeAttrs.add(noAttrs, "label", jsonString(value), textKind)
			}
			return nil
		})
		if err == nil && n != 2 && n != 3 {
			err = errAt(line, "JSON: an edge of %q has %d members, expected [NODE, NODE] or [NODE, NODE, LABEL]", edges,
				n)
		}
		if err == nil && int(max(ends[0], ends[1])) >= nodes {
			err = errAt(line, "edge %d-%d: the graph has %s", ends[0], ends[1], nodeRange(nodes))
		}
		if err != nil {
			return err
		}
		return raw.join(ends[0], ends[1], line, chain)
	})
	for err == nil && len(raw.nodes) < nodes {
		err = raw.number(r.line, noAttrs)
	}
	if err == nil {
		err = raw.env.fits(format{name: "json (lists of edges)", single: true})
	}
	if err != nil {
		return Record{}, err
	}
	if !raw.directed {
		raw.dropMirrored()
	}
	return raw.env.buildPlain(raw)
}

// elements calls visit for every value of a list.
func (r *nodeLinkReader) elements(name string, list jsonMember, visit func(value []byte, line int) error) error {
	if len(list.text) == 0 || list.text[0] != '[' {
		return errAt(r.lineAt(list.at), "JSON: expected a list %q", name)
	}
	walk := jsonwalk.Walk{Text: list.text}
	return walk.Elements(func(value []byte, at int) error { return visit(value, r.lineAt(list.at+at)) })
}

// jsonTop holds the members of an object that represent graphs.
type jsonTop map[string]jsonMember

// jsonMember is the value of a member and its offset in the text.
type jsonMember struct {
	text []byte
	at   int
}

func (r *nodeLinkReader) top() (top jsonTop, err error) {
	if err := checkJSON(r.text, r.line); err != nil {
		return top, err
	}
	if r.text[0] != '{' {
		return top, fmt.Errorf("JSON: found %s, expected an object with lists \"nodes\" and \"edges\"",
			jsonTypeName(r.text))
	}
	top = make(jsonTop)
	return top, top.read(jsonMember{r.text, 0})
}

// read takes the members of an object.
func (t jsonTop) read(object jsonMember) error {
	walk := jsonwalk.Walk{Text: object.text}
	return walk.Members(func(name, value []byte, at int) error {
		switch key := jsonString(name); key {
		case "directed", "graph", idMember, nodesMember, edgesMember, linksMember, "elements", "options", "attributes",
			namesMember,
			"graph_1", "graph_2", "labels_1", "labels_2", "ged", "n", "labels", "graphs", "adjacency", "label",
			"metadata", "hyperedges":
			t[key] = jsonMember{value, object.at + at}
		}
		return nil
	})
}

// errNoGraph is the error of an object in none of the forms.
var errNoGraph = errors.New(`expected an object with "nodes" and "edges" (or "links"), as NetworkX writes`)
