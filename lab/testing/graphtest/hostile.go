package graphtest

import (
	"fmt"
	"strings"
)

// HostileTexts makes texts of some n bytes, by format and by what is hostile about them, in
// which little text makes much work.
func HostileTexts(n int) map[string]map[string]string {
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
	var keys strings.Builder
	for i := range 255 {
		fmt.Fprintf(&keys, `<key id="k%d" for="node"><default>x</default></key>`, i)
	}
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
			"strict, own":     around("strict graph{", times("a--b[x=y]"), "}"),
			"strict, many":    around("strict graph{", times("{a b}--{a b}[x=y]"), "}"),
			"lists":           around("graph{", strings.TrimSuffix(short(","), ","), "[x=y]}"),
			"lists, own":      around("graph{", count2("n%d[x=1]m%d,")+"z", "[x=y]}"),
			"lists joined":    around("graph{a,a,a", times("--b,b"), "}"),
			"keys":            around("graph{", count("a--b[key=%d]"), "}"),
			"one key":         around("graph{", times("a--b[key=1]"), "}"),
			"opened again":    around("graph{", times("subgraph a{b}--c;"), "}"),
			"named, nested":   around("graph{"+strings.Repeat("subgraph a{", 900), short(" ")+strings.Repeat("}", 900)+"subgraph a{}--", "b}"),
			"named defaults":  around("graph{", count("node[a=%d]subgraph a{node[b=1]c}"), "}"),
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
			"positions":  json(`{"id":"a"},{"id":"b"}`, times(`{"source":0,"target":1},`)),
			"end nodes":  json(`{"id":"a"},{"id":"b"}`, times(`{"source":{"id":"a"},"target":{"id":"b"}},`)),
			"flat":       `[{"data":{"id":"a"}}` + times(`,{"data":{"source":"a","target":"a"}}`) + "]",
			"adjacency":  `{"nodes":[{"id":0}],"adjacency":[[{"id":0}` + times(`,{"id":0}`) + "]]}",
			"jgf":        `{"graph":{"nodes":{"":{}` + count(`,"%d":{}`) + "}}}",
			"graphs":     `{"graphs":[{"nodes":{}}` + times(`,{"nodes":{}}`) + "]}",
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
