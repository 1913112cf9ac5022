package dataset_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/internal/processor"
)

// What reading may allocate, in all and not at a time: so much a byte of text, so
// much a record, and so much for buffers.
const (
	costPerByte   = 50
	costPerRecord = 2 << 10
	costOfBuffers = 3 << 20
)

// cost is what reading took.
type cost struct {
	bytes, records int
	allocated      uint64
	time           time.Duration // of the processor
	err            error
}

func (c cost) tooMuch() bool {
	return c.allocated > uint64(costPerByte*c.bytes+costPerRecord*c.records+costOfBuffers)
}

func (c cost) String() string {
	s := fmt.Sprintf("%d bytes, %d records, %.1f bytes allocated and %.0f ns a byte", c.bytes, c.records, c.perByte(), float64(c.time)/float64(c.bytes))
	if c.err != nil {
		s += ", " + c.err.Error()[:min(100, len(c.err.Error()))]
	}
	return s
}

// perByte is what was allocated besides that for records and buffers.
func (c cost) perByte() float64 {
	return max(0, float64(c.allocated)-float64(costPerRecord*c.records+costOfBuffers)) / float64(c.bytes)
}

// measure reads all that open gives, bad records too.
func measure(bytes int, open func() (*dataset.Reader, error)) (c cost) {
	c.bytes = bytes
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := processor.Time()
	r, err := open()
	for err == nil {
		c.records++
		_, err = r.Next()
		var bad *dataset.BadRecord
		if errors.As(err, &bad) && !errors.Is(err, dataset.ErrEmpty) { // which tells of the first bad one
			c.err, err = err, nil
		}
	}
	if r != nil {
		r.Close()
	}
	if err != io.EOF {
		c.err = err
	}
	c.time = processor.Time() - start
	runtime.ReadMemStats(&after)
	c.allocated = after.TotalAlloc - before.TotalAlloc
	return c
}

// hostileGraphs makes texts of some n bytes in which little text makes much work.
func hostileGraphs(n int) map[string]map[string]string {
	times := func(s string) string { return strings.Repeat(s, max(1, n/len(s))) }
	// count fills a text with pieces that hold a number.
	count := func(format string) string {
		var s strings.Builder
		for i := 0; s.Len() < n; i++ {
			fmt.Fprintf(&s, format, i)
		}
		return s.String()
	}
	count2 := func(format string) string {
		var s strings.Builder
		for i := 0; s.Len() < n; i++ {
			fmt.Fprintf(&s, format, i, i+1)
		}
		return s.String()
	}
	around := func(before, text, after string) string { return before + text + after }
	short := func(separator string) string { // the shortest names there are
		var s strings.Builder
		const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		for i := 0; s.Len() < n; i++ {
			for k := i; ; k /= len(letters) {
				s.WriteByte(letters[k%len(letters)])
				if k < len(letters) {
					break
				}
			}
			s.WriteString(separator)
		}
		return s.String()
	}
	ml := func(body string) string {
		return around(`<graphml><graph edgedefault="directed">`, body, `</graph></graphml>`)
	}
	var keys, declared strings.Builder
	for i := range 255 {
		fmt.Fprintf(&keys, `<key id="k%d" for="node"><default>x</default></key>`, i)
		fmt.Fprintf(&declared, `<attribute id="k%d" title="k%d" type="string"><default>x</default></attribute>`, i, i)
	}
	gexf := func(body string) string { return around(`<gexf><graph>`, body, `</graph></gexf>`) }
	gxl := func(body string) string { return around(`<gxl><graph>`, body, `</graph></gxl>`) }
	json := func(nodes, edges string) string {
		return `{"nodes": [` + strings.TrimSuffix(nodes, ",") + `], "edges": [` + strings.TrimSuffix(edges, ",") + `]}`
	}
	return map[string]map[string]string{
		"dot": {
			"defaults":        around("graph{", count("node[k%d=1]n;"), "}"),
			"defaults, nodes": around("graph{", count2("node[k%d=1]n%d;"), "}"),
			"defaults, own":   around("graph{"+strings.Repeat("node[abc=1]", 100), count("n%d[x=1]"), "}"),
			"chain":           around("graph{", strings.TrimSuffix(short("--"), "--"), "}"),
			"two nodes":       around("graph{a", times("--b--a"), "}"),
			"names":           around("graph{", short(" "), "}"),
			"attributes":      around("graph{n[", times("a "), "]}"),
			"names of them":   around("graph{n[", short(" "), "]}"),
			"depth":           around("graph{", times("{"), ""),
			"subgraphs":       around("graph{"+strings.Repeat("{a ", 900), short(" ")+strings.Repeat("}--{}", 900), "}"),
			"product":         around("graph{{", short(" ")+"}--{"+short(" "), "}}"),
			"joined strings":  around(`graph{"a"`, times(`+"b"`), "}"),
			"properties":      around("graph{", count("k%d=1;"), "}"),
			"graphs":          times("graph{}"),
			"bad graphs":      times("graph{-}"),
			"strict":          around("strict graph{a", times("--b--a"), "}"),
		},
		"graphml": {
			"defaults":   around("<graphml>"+keys.String()+`<graph edgedefault="directed">`, count(`<node id="%d"/>`), `</graph></graphml>`),
			"nodes":      ml(count(`<node id="%d"/>`)),
			"edges":      ml(`<node id="a"/><node id="b"/>` + times(`<edge source="a"target="b"/>`)),
			"data":       around(`<graphml><key id="d"/><graph edgedefault="directed"><node id="a">`, times(`<data key="d"/>`), `</node></graph></graphml>`),
			"keys":       ml(`<node id="a">` + count(`<data key="%d"/>`) + `</node>`),
			"declared":   around("<graphml>", count(`<key id="%d"/>`), "</graphml>"),
			"elements":   ml(times("<a/>")),
			"attributes": ml(times(`<a b=""c=""d=""e=""f=""/>`)),
			"one tag":    ml("<a " + times(`b=""`) + "/>"),
			"text":       ml(`<data key="k">` + times("a<b/>") + `</data>`),
			"entities":   ml(`<data key="k">` + times("&lt;") + `</data>`),
			"comments":   ml(times("<!---->")),
			"doctype":    ml(times("<!A>")),
			"sections":   ml(`<data key="k">` + times("<![CDATA[]]>") + `</data>`),
			"graphs":     around("<graphml>", times(`<graph edgedefault="directed"/>`), "</graphml>"),
			"undeclared": ml(count2(`<edge source="%d" target="%d"/>`)),
		},
		"gexf": {
			"defaults": gexf(`<attributes class="node">` + declared.String() + `</attributes><nodes>` + count(`<node id="%d"/>`) + `</nodes>`),
			"nodes":    gexf(`<nodes>` + count(`<node id="%d" label="x%[1]d"/>`) + `</nodes>`),
			"values":   gexf(`<nodes><node id="0"><attvalues>` + times(`<attvalue for="a"/>`) + `</attvalues></node></nodes>`),
			"declared": gexf(`<attributes class="node">` + count(`<attribute id="%d"/>`) + `</attributes>`),
		},
		"bpmn": {
			"tasks": `<definitions><process id="p">` + count(`<task id="%d"/>`) + `</process></definitions>`,
			"flows": `<definitions><process id="p">` + count2(`<sequenceFlow sourceRef="%d" targetRef="%d"/>`) + `</process></definitions>`,
			"depth": `<definitions><process id="p">` + strings.Repeat(`<subProcess id="a">`, 200),
		},
		"pnml": {
			"places":     `<pnml><net id="n">` + count(`<place id="%d"/>`) + `</net></pnml>`,
			"arcs":       `<pnml><net id="n">` + count2(`<arc source="%d" target="%d"/>`) + `</net></pnml>`,
			"references": `<pnml><net id="n"><place id="a"/>` + count(`<referencePlace id="%d" ref="a"/>`) + `</net></pnml>`,
			"pages":      `<pnml><net id="n">` + strings.Repeat(`<page>`, 200),
			"chain":      `<pnml><net id="n">` + count2(`<referencePlace id="%d" ref="%d"/>`) + `<place id="0"/></net></pnml>`,
			"back":       `<pnml><net id="n"><place id="1"/>` + strings.Replace(count2(`<referencePlace ref="%d" id="%d"/>`), `<referencePlace ref="0" id="1"/>`, "", 1) + `</net></pnml>`,
		},
		"xes": {
			"activities": `<log><trace>` + count(`<event><string key="concept:name" value="%d"/></event>`) + `</trace></log>`,
			"events":     `<log><trace>` + times(`<event><string key="concept:name" value="a"/></event><event><string key="concept:name" value="b"/></event>`) + `</trace></log>`,
			"traces":     `<log>` + times(`<trace/>`) + `</log>`,
		},
		"gml": {
			"nodes":      "graph [" + count("node[id %d]") + "]",
			"edges":      "graph [node[id 0]node[id 1]" + times("edge[source 0 target 1]") + "]",
			"attributes": "graph [node[id 0 " + times("a 1 ") + "]]",
			"names":      "graph [node[id 0 " + short(" 1 ") + "]]",
			"properties": "graph [" + count("k%d 1 ") + "]",
			"lists":      "graph [" + times("a[]") + "]",
			"graphs":     times("graph[]"),
		},
		"pajek": {
			"nodes":    "*Vertices " + fmt.Sprint(n/4) + "\n" + strings.Replace(count("%d a\n"), "0 a\n", "", 1),
			"unlisted": "*Vertices " + fmt.Sprint(n) + "\n%" + times("x"),
			"edges":    "*Vertices 2\n*Edges\n" + times("1 2\n"),
			"list":     "*Vertices 2\n*Edgeslist\n1" + times(" 2"),
			"labels":   "*Vertices 2\n*Edges\n" + times("1 2 l a\n"),
			"fields":   "*Vertices 2\n*Edges\n1 2 1" + times(" l a"),
			"graphs":   times("*Vertices 1\n"),
			"objects":  times("*Vector\n"),
		},
		"gxl": {
			"nodes":      gxl(count(`<node id="%d"/>`)),
			"attributes": gxl(`<node id="a">` + times(`<attr name=""><int/></attr>`) + `</node>`),
			"names":      gxl(`<node id="a">` + count(`<attr name="%d"/>`) + `</node>`),
		},
		"json": {
			"nodes":      json(count(`{"id":%d},`), ""),
			"edges":      json(`{"id":0},{"id":1}`, times(`{"source":0,"target":1},`)),
			"attributes": json(`{"id":0`+count(`,"%d":1`)+`}`, ""),
			"one name":   json(`{"id":0`+times(`,"a":1`)+`}`, ""),
			"reals":      json(`{"id":0`+times(`,"a":.5e1`)+`}`, ""),
			"numbers":    json(`{"id":0`+times(`,"a":1.5`)+`}`, ""),
			"meta":       `{"graph":{` + strings.TrimSuffix(count(`"%d":1,`), ",") + `},"nodes":[],"edges":[]}`,
			"list":       `{"graph":{"a":[` + strings.TrimSuffix(times(`1,`), ",") + `]},"nodes":[],"edges":[]}`,
			"lists":      `{"graph":{"a":[` + strings.TrimSuffix(times(`[],`), ",") + `]},"nodes":[],"edges":[]}`,
			"depth":      `{"graph":{"a":` + strings.Repeat("[", min(n, 9000)) + strings.Repeat("]", min(n, 9000)) + `},"nodes":[],"edges":[]}`,
			"objects":    times("{}"),
			"ids":        json(strings.Repeat(`{"id":[[[[]]]]},`, 1)+`{"id":`+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+`}`, ""),
			"no ids":     json(times("{},"), ""),
			"listed":     `{"labels":[` + strings.TrimSuffix(times("1,"), ",") + `],"graph":[]}`,
			"list edges": `{"n":2,"graph":[` + strings.TrimSuffix(times("[0,1],"), ",") + `]}`,
			"pairs":      times(`{"graph_1":[],"graph_2":[],"ged":0}`),
			"inside":     json(`{"data":{"id":0`+times(`,"a":1`)+`}}`, ""),
			"quotes":     json(count(`{"id":"\"%d"},`), ""),
		},
		"ndjson": {"lines": times(`{"nodes":[],"edges":[]}` + "\n"), "bad lines": times("{}\n"), "declared": times(`{"n":16000,"graph":[]}` + "\n")},
		"edgelist": {
			"edges":    times("0 1\n"),
			"numbers":  count2("%d %d\n"),
			"labels":   times("0 1 a\n"),
			"dicts":    times("0 1 {'a': 1}\n"),
			"names":    strings.ReplaceAll(short(" x\n"), "\n\n", "\n"),
			"comments": "0 1\n" + times("#\n"),
			"loops":    times("0 0\n"),
		},
		"tve": {
			"nodes":  "t # 0\n" + count("v %d C\n"),
			"labels": "t # 0\n" + count("v %d %[1]d\n"),
			"edges":  "t # 0\nv 0 C\nv 1 C\n" + times("e 0 1 x\n"),
			"slow":   "t  # 0\n" + count("v  %d C\n"),
			"graphs": times("t # 0\nv 0 C\n"),
			"empty":  times("t # 0\n"),
			"bad":    times("t #\n"),
		},
	}
}

// TestCost holds reading to what it may allocate, and to processor time in proportion,
// for texts of 256 KiB, or as many bytes as GREED_COST says, in which little makes much
// work. With -v it prints the table of docs/inputs.md.
func TestCost(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates more than what is read")
	}
	size := 1 << 18
	if text := os.Getenv("GREED_COST"); text != "" {
		var err error
		if size, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	// A byte takes less than a microsecond; in quadratic time it would take many times this.
	const patience = 10 * time.Microsecond
	texts := hostileGraphs(size)
	for _, format := range slices.Sorted(maps.Keys(texts)) {
		worst, slowest := cost{bytes: 1}, cost{bytes: 1}
		for _, name := range slices.Sorted(maps.Keys(texts[format])) {
			for _, opt := range []dataset.Options{{}, {Rules: dataset.Rules{Simplify: true}}} {
				text := texts[format][name]
				opt.Format = format
				c := measure(len(text), func() (*dataset.Reader, error) { return dataset.NewReader(strings.NewReader(text), "x", opt) })
				if c.tooMuch() || c.time > patience*time.Duration(c.bytes) {
					t.Errorf("%s, %s: %v", format, name, c)
				}
				if testing.Verbose() && !opt.Simplify {
					t.Logf("%-10s %-16s %v", format, name, c)
				}
				if c.perByte() > worst.perByte() {
					worst = c
				}
				if float64(c.time)/float64(c.bytes) > float64(slowest.time)/float64(slowest.bytes) {
					slowest = c
				}
			}
		}
		t.Logf("| `%s` | %.0f | %.0f |", format, worst.perByte(), float64(slowest.time)/float64(slowest.bytes))
	}
}

// TestCostOfTUDataset does so for a folder.
func TestCostOfTUDataset(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates more than what is read")
	}
	const lines = 200_000
	rows := strings.Repeat("1\n", lines)
	var graphs strings.Builder
	for i := range lines {
		fmt.Fprintln(&graphs, i+1)
	}
	for name, files := range map[string]map[string]string{
		"nodes":      {"X_A.txt": "", "X_graph_indicator.txt": rows},
		"edges":      {"X_A.txt": strings.Repeat("1,2\n", lines), "X_graph_indicator.txt": "1\n1\n"},
		"labels":     {"X_A.txt": "", "X_graph_indicator.txt": rows, "X_node_labels.txt": rows},
		"attributes": {"X_A.txt": "", "X_graph_indicator.txt": "1\n", "X_node_attributes.txt": strings.Repeat("0,", lines) + "\n"},
		"graphs":     {"X_A.txt": "", "X_graph_indicator.txt": graphs.String()},
		"empty":      {"X_A.txt": "", "X_graph_indicator.txt": "1000000000\n", "X_graph_labels.txt": rows},
	} {
		dir := t.TempDir()
		size := 0
		for file, text := range files {
			size += len(text)
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		c := measure(size, func() (*dataset.Reader, error) { return dataset.Open(dir, dataset.Options{Format: "tudataset"}) })
		t.Logf("%s: %v", name, c)
		if c.tooMuch() || c.time > 10*time.Second {
			t.Errorf("%s: %v", name, c)
		}
	}
}
