package dataset_test

import (
	"testing"

	"github.com/greedgraph/greed/dataset"
)

// twoPages is a net with what tools write: pages, references, an inhibitor, drawings.
const twoPages = `<?xml version="1.0"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
 <net id="n1" type="http://www.pnml.org/version-2009/grammar/ptnet">
  <name><text>Claims</text></name>
  <page id="p">
   <place id="p0"><name><text>ready</text><graphics/></name><initialMarking><text>1</text></initialMarking></place>
   <transition id="t0"><name><text>check
claim</text></name><toolspecific tool="ProM"><name><text>x</text></name></toolspecific></transition>
   <arc id="a" source="p0" target="t0"><inscription><text>2</text></inscription></arc>
   <arc id="b" source="t0" target="r2"><arctype/></arc>
  </page>
  <page id="q">
   <referencePlace id="r2" ref="r1"/><referencePlace id="r1" ref="p1"/>
   <place id="p1"/>
   <transition id="t1"><name><value>pay</value></name></transition>
   <arc id="c" source="r1" target="t1"><inscription><text>1</text></inscription></arc>
   <arc id="d" source="p0" target="t1"><type value="inhibitor"/></arc>
  </page>
 </net>
 <net id="n2"><place id="x"/></net>
</pnml>`

func TestPNML(t *testing.T) {
	list, notes := mustRead(t, twoPages, "claims.pnml", dataset.Options{})
	if contains(notes, "no attribute") { // ordinary arcs have none
		t.Errorf("notes %q", notes)
	}
	if len(list) != 2 || list[0].ID != "n1" || list[0].Name != "Claims" || list[1].ID != "n2" {
		t.Fatalf("read %+v", list)
	}
	if got, want := drawing(list[0].Graph), "place transition place transition; 0>1:2 0>3:0 1>2:0 2>3:0"; got != want {
		t.Errorf("read %s, want %s", got, want)
	}
	list, _ = mustRead(t, twoPages, "claims.pnml", dataset.Options{Rules: dataset.Rules{NodeLabel: "type,name", EdgeLabel: "type", EdgeChosen: true}})
	if got, want := drawing(list[0].Graph), "place|ready transition|check claim place|place transition|pay; 0>1:0 0>3:inhibitor 1>2:0 2>3:0"; got != want {
		t.Errorf("read %s, want %s", got, want)
	}
	// What pm4py 2.7 writes of a silent transition: its random identifier as the name, and a mark.
	const silent = `<pnml><net id="n"><transition id="c3f5"><name><text>c3f5</text></name>` +
		`<toolspecific tool="ProM" version="6.4" activity="$invisible$" localNodeID="bfdf"/></transition></net></pnml>`
	list, _ = mustRead(t, silent, "x.pnml", dataset.Options{Rules: dataset.Rules{NodeLabel: "type,name"}})
	if got, want := drawing(list[0].Graph), "transition|transition; "; got != want {
		t.Errorf("read %q, want %q", got, want)
	}
	for text, want := range map[string]string{
		`<pnml><net id="n"><referencePlace id="a" ref="b"/><referencePlace id="b" ref="a"/></net></pnml>`: `x.pnml:1: record 0 (id n): "a" refers to "b", which is neither a place nor a transition`,
		`<pnml><net id="n"><place id="a"/><referencePlace id="a" ref="a"/></net></pnml>`:                  `x.pnml:1: record 0 (id n): node "a" is given twice: every node needs an id of its own`,
		`<pnml><net id="n"><place id="a"/><arc source="a"/></net></pnml>`:                                 `x.pnml:1: record 0 (id n): element <arc> has no attribute "target"`,
	} {
		if _, _, err := readText(text, "x.pnml", dataset.Options{}); err == nil || err.Error() != want {
			t.Errorf("%s\ngives %v\nwant  %s", text, err, want)
		}
	}
}

// threeTraces is a log with what tools write: extensions, globals, life cycles.
const threeTraces = `<?xml version="1.0"?>
<log xes.version="1.0" xmlns="http://www.xes-standard.org/">
 <extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
 <global scope="event"><string key="concept:name" value="none"/></global>
 <classifier name="Activity" keys="concept:name"/>
 <string key="concept:name" value="Claims"/>
 <trace><string key="concept:name" value="1"/>
  <event><string key="concept:name" value="register"/><string key="lifecycle:transition" value="start"/></event>
  <event><string key="concept:name" value="register"/><string key="lifecycle:transition" value="complete"/><date key="time:timestamp" value="2020-01-01T00:00:00"/></event>
  <event><string key="concept:name" value="check"><string key="inner" value="x"/></string></event>
  <event><string key="concept:name" value="pay"/></event>
 </trace>
 <trace><event><string key="concept:name" value="register"/></event><event><string key="concept:name" value="check"/></event></trace>
 <trace><event><int key="cost" value="1"/></event></trace>
</log>`

func TestXES(t *testing.T) {
	list, notes := mustRead(t, threeTraces, "claims.xes", dataset.Options{})
	if len(list) != 1 || list[0].Name != "Claims" {
		t.Fatalf("read %+v", list)
	}
	if got, want := drawing(list[0].Graph), "(start) (end) register check pay; 0>2:0 2>3:0 3>1:0 3>4:0 4>1:0"; got != want {
		t.Errorf("read %s, want %s", got, want)
	}
	for _, want := range []string{
		"1 event without a concept:name was left out",
		"1 event that does not complete its activity (lifecycle:transition) was left out",
	} {
		if !contains(notes, want) {
			t.Errorf("notes %q lack %q", notes, want)
		}
	}
	list, _ = mustRead(t, threeTraces, "claims.xes", dataset.Options{Rules: dataset.Rules{NodeLabel: "count", EdgeLabel: "count"}})
	if got, want := drawing(list[0].Graph), "2 2 2 2 1; 0>2:2 2>3:2 3>1:1 3>4:1 4>1:1"; got != want {
		t.Errorf("counted %s, want %s", got, want)
	}
	// What repeats itself is a self-loop; an activity may be called as the start is.
	const twice = `<log><trace><event><string key="concept:name" value="(start)"/></event><event><string key="concept:name" value="(start)"/></event></trace></log>`
	list, _ = mustRead(t, twice, "x.xes", dataset.Options{})
	if got, want := drawing(list[0].Graph), "(start)' (end) (start); 0>2:0 2>1:0 2>2:0"; got != want {
		t.Errorf("read %s, want %s", got, want)
	}
	list, _ = mustRead(t, twice, "x.xes", dataset.Options{Rules: dataset.Rules{Simplify: true}})
	if got, want := drawing(list[0].Graph), "(start)' (end) (start)@0; 0>2:0 2>1:0"; got != want {
		t.Errorf("read %s, want %s", got, want)
	}
	list, _ = mustRead(t, `<log><trace/></log>`, "x.xes", dataset.Options{})
	if list[0].Graph.N() != 0 {
		t.Errorf("an empty log has %d nodes", list[0].Graph.N())
	}
	if _, _, err := readText(`<log><trace><event>`, "x.xes", dataset.Options{}); err == nil {
		t.Error("half a log is read")
	}
	if _, _, err := readText(threeTraces, "x.xes", dataset.Options{MaxNodes: 4}); err == nil {
		t.Error("more nodes are read than allowed")
	}
}
