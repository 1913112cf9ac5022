package graphtest

import (
	"fmt"
	"strings"
)

// HostileTexts makes texts of some n bytes, by format and by what is hostile about them, in
// which little text makes much work.
func HostileTexts(n int) map[string]map[string]func() string {
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
	gexf := func(body string) string { return around("<gexf><graph>", body, "</graph></gexf>") }
	mtx := func(kind string, size int, body string) string {
		return fmt.Sprintf("%%%%MatrixMarket matrix coordinate %s general\n%d %d %d\n", kind, size, size, strings.Count(body, "1\n")) + body
	}
	onnx := func(parts ...string) string { return Varint(1, 8) + Bytes(7, parts...) }
	operator := func(part string) string { return onnx(Bytes(1, Bytes(4, "A"), part)) }
	fields := func(number int, words string) string {
		var text strings.Builder
		for word := range strings.FieldsSeq(words) {
			field := word
			if number > 1 {
				field = Bytes(1, word) // the name of a value
			}
			text.WriteString(Bytes(number, field))
		}
		return text.String()
	}
	return map[string]map[string]func() string{
		"dot": {
			"defaults":        func() string { return around("graph{", count("node[k%d=1]n;"), "}") },
			"defaults, nodes": func() string { return around("graph{", count2("node[k%d=1]n%d;"), "}") },
			"defaults, own":   func() string { return around("graph{"+strings.Repeat("node[abc=1]", 100), count("n%d[x=1]"), "}") },
			"chain":           func() string { return around("graph{", strings.TrimSuffix(short("--"), "--"), "}") },
			"two nodes":       func() string { return around("graph{a", times("--b--a"), "}") },
			"names":           func() string { return around("graph{", short(" "), "}") },
			"attributes":      func() string { return around("graph{n[", times("a "), "]}") },
			"names of them":   func() string { return around("graph{n[", short(" "), "]}") },
			"depth":           func() string { return around("graph{", times("{"), "") },
			"subgraphs": func() string {
				return around("graph{"+strings.Repeat("{a ", 900), short(" ")+strings.Repeat("}--{}", 900), "}")
			},
			"product":        func() string { return around("graph{{", short(" ")+"}--{"+short(" "), "}}") },
			"joined strings": func() string { return around(`graph{"a"`, times(`+"b"`), "}") },
			"properties":     func() string { return around("graph{", count("k%d=1;"), "}") },
			"graphs":         func() string { return times("graph{}") },
			"bad graphs":     func() string { return times("graph{-}") },
			"strict":         func() string { return around("strict graph{a", times("--b--a"), "}") },
			"strict, own":    func() string { return around("strict graph{", times("a--b[x=y]"), "}") },
			"strict, many":   func() string { return around("strict graph{", times("{a b}--{a b}[x=y]"), "}") },
			"lists":          func() string { return around("graph{", strings.TrimSuffix(short(","), ","), "[x=y]}") },
			"lists, own":     func() string { return around("graph{", count2("n%d[x=1]m%d,")+"z", "[x=y]}") },
			"lists joined":   func() string { return around("graph{a,a,a", times("--b,b"), "}") },
			"keys":           func() string { return around("graph{", count("a--b[key=%d]"), "}") },
			"one key":        func() string { return around("graph{", times("a--b[key=1]"), "}") },
			"opened again":   func() string { return around("graph{", times("subgraph a{b}--c;"), "}") },
			"named, nested": func() string {
				return around("graph{"+strings.Repeat("subgraph a{", 900), short(" ")+strings.Repeat("}", 900)+"subgraph a{}--", "b}")
			},
			"named defaults": func() string { return around("graph{", count("node[a=%d]subgraph a{node[b=1]c}"), "}") },
		},
		"graphml": {
			"defaults": func() string {
				return around("<graphml>"+keys.String()+`<graph edgedefault="directed">`, count(`<node id="%d"/>`), `</graph></graphml>`)
			},
			"nodes": func() string { return ml(count(`<node id="%d"/>`)) },
			"edges": func() string { return ml(`<node id="a"/><node id="b"/>` + times(`<edge source="a"target="b"/>`)) },
			"data": func() string {
				return around(`<graphml><key id="d"/><graph edgedefault="directed"><node id="a">`, times(`<data key="d"/>`), `</node></graph></graphml>`)
			},
			"keys":       func() string { return ml(`<node id="a">` + count(`<data key="%d"/>`) + `</node>`) },
			"declared":   func() string { return around("<graphml>", count(`<key id="%d"/>`), "</graphml>") },
			"elements":   func() string { return ml(times("<a/>")) },
			"attributes": func() string { return ml(times(`<a b=""c=""d=""e=""f=""/>`)) },
			"one tag":    func() string { return ml("<a " + times(`b=""`) + "/>") },
			"text":       func() string { return ml(`<data key="k">` + times("a<b/>") + `</data>`) },
			"entities":   func() string { return ml(`<data key="k">` + times("&lt;") + `</data>`) },
			"comments":   func() string { return ml(times("<!---->")) },
			"doctype":    func() string { return ml(times("<!A>")) },
			"sections":   func() string { return ml(`<data key="k">` + times("<![CDATA[]]>") + `</data>`) },
			"graphs":     func() string { return around("<graphml>", times(`<graph edgedefault="directed"/>`), "</graphml>") },
			"undeclared": func() string { return ml(count2(`<edge source="%d" target="%d"/>`)) },
		},
		"bpmn": {
			"tasks": func() string {
				return `<definitions><process id="p">` + count(`<task id="%d"/>`) + `</process></definitions>`
			},
			"flows": func() string {
				return `<definitions><process id="p">` + count2(`<sequenceFlow sourceRef="%d" targetRef="%d"/>`) + `</process></definitions>`
			},
			"depth": func() string { return `<definitions><process id="p">` + strings.Repeat(`<subProcess id="a">`, 200) },
		},
		"pnml": {
			"places": func() string { return `<pnml><net id="n">` + count(`<place id="%d"/>`) + `</net></pnml>` },
			"arcs": func() string {
				return `<pnml><net id="n">` + count2(`<arc source="%d" target="%d"/>`) + `</net></pnml>`
			},
			"references": func() string {
				return `<pnml><net id="n"><place id="a"/>` + count(`<referencePlace id="%d" ref="a"/>`) + `</net></pnml>`
			},
			"pages": func() string { return `<pnml><net id="n">` + strings.Repeat(`<page>`, 200) },
			"chain": func() string {
				return `<pnml><net id="n">` + count2(`<referencePlace id="%d" ref="%d"/>`) + `<place id="0"/></net></pnml>`
			},
			"back": func() string {
				return `<pnml><net id="n"><place id="1"/>` + strings.Replace(count2(`<referencePlace ref="%d" id="%d"/>`), `<referencePlace ref="0" id="1"/>`, "", 1) + `</net></pnml>`
			},
		},
		"xes": {
			"activities": func() string {
				return `<log><trace>` + count(`<event><string key="concept:name" value="%d"/></event>`) + `</trace></log>`
			},
			"events": func() string {
				return `<log><trace>` + times(`<event><string key="concept:name" value="a"/></event><event><string key="concept:name" value="b"/></event>`) + `</trace></log>`
			},
			"traces": func() string { return `<log>` + times(`<trace/>`) + `</log>` },
		},
		"gxl": {
			"nodes":      func() string { return gxl(count(`<node id="%d"/>`)) },
			"attributes": func() string { return gxl(`<node id="a">` + times(`<attr name=""><int/></attr>`) + `</node>`) },
			"names":      func() string { return gxl(`<node id="a">` + count(`<attr name="%d"/>`) + `</node>`) },
		},
		"json": {
			"nodes":      func() string { return json(count(`{"id":%d},`), "") },
			"edges":      func() string { return json(`{"id":0},{"id":1}`, times(`{"source":0,"target":1},`)) },
			"attributes": func() string { return json(`{"id":0`+count(`,"%d":1`)+`}`, "") },
			"one name":   func() string { return json(`{"id":0`+times(`,"a":1`)+`}`, "") },
			"reals":      func() string { return json(`{"id":0`+times(`,"a":.5e1`)+`}`, "") },
			"numbers":    func() string { return json(`{"id":0`+times(`,"a":1.5`)+`}`, "") },
			"meta": func() string {
				return `{"graph":{` + strings.TrimSuffix(count(`"%d":1,`), ",") + `},"nodes":[],"edges":[]}`
			},
			"list": func() string {
				return `{"graph":{"a":[` + strings.TrimSuffix(times(`1,`), ",") + `]},"nodes":[],"edges":[]}`
			},
			"lists": func() string {
				return `{"graph":{"a":[` + strings.TrimSuffix(times(`[],`), ",") + `]},"nodes":[],"edges":[]}`
			},
			"depth": func() string {
				return `{"graph":{"a":` + strings.Repeat("[", min(n, 9000)) + strings.Repeat("]", min(n, 9000)) + `},"nodes":[],"edges":[]}`
			},
			"objects": func() string { return times("{}") },
			"ids": func() string {
				return json(strings.Repeat(`{"id":[[[[]]]]},`, 1)+`{"id":`+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+`}`, "")
			},
			"no ids":    func() string { return json(times("{},"), "") },
			"inside":    func() string { return json(`{"data":{"id":0`+times(`,"a":1`)+`}}`, "") },
			"positions": func() string { return json(`{"id":"a"},{"id":"b"}`, times(`{"source":0,"target":1},`)) },
			"end nodes": func() string {
				return json(`{"id":"a"},{"id":"b"}`, times(`{"source":{"id":"a"},"target":{"id":"b"}},`))
			},
			"flat":      func() string { return `[{"data":{"id":"a"}}` + times(`,{"data":{"source":"a","target":"a"}}`) + "]" },
			"adjacency": func() string { return `{"nodes":[{"id":0}],"adjacency":[[{"id":0}` + times(`,{"id":0}`) + "]]}" },
			"jgf":       func() string { return `{"graph":{"nodes":{"":{}` + count(`,"%d":{}`) + "}}}" },
			"graphs":    func() string { return `{"graphs":[{"nodes":{}}` + times(`,{"nodes":{}}`) + "]}" },
			"quotes":    func() string { return json(count(`{"id":"\"%d"},`), "") },
		},
		"ndjson": {
			"lines":     func() string { return times(`{"nodes":[],"edges":[]}` + "\n") },
			"bad lines": func() string { return times("{}\n") },
			"declared":  func() string { return times(`{"n":16000,"graph":[]}` + "\n") },
		},
		"gml": {
			"nodes":    func() string { return around("graph[", count("node[id %d]"), "]") },
			"edges":    func() string { return around("graph[node[id 0]", times("edge[source 0 target 0]"), "]") },
			"keys":     func() string { return around("graph[node[id 0", count(" k%d 1"), "]]") },
			"one key":  func() string { return around("graph[node[id 0", times(" a 1"), "]]") },
			"lists":    func() string { return around("graph[", times("a[]"), "]") },
			"depth":    func() string { return around("graph[", times("a["), "") },
			"graphs":   func() string { return times("graph[]") },
			"beside":   func() string { return around("", count("k%d 1 "), "graph[]") },
			"texts":    func() string { return around(`graph[a "`, times("&quot;"), `"]`) },
			"quotes":   func() string { return around("graph[", times(`a""`), "]") },
			"comments": func() string { return around("graph[", times("#\n"), "]") },
			"meta":     func() string { return around("graph[", count("k%d 1 "), "]") },
			"bad":      func() string { return times("graph[1]") },
		},
		"gexf": {
			"nodes": func() string { return gexf("<nodes>" + count(`<node id="%d"/>`) + "</nodes>") },
			"edges": func() string {
				return gexf(`<nodes><node id="0"/></nodes><edges>` + times(`<edge source="0" target="0"/>`) + "</edges>")
			},
			"declared": func() string {
				return gexf(`<attributes class="node">` + count(`<attribute id="%d"/>`) + "</attributes>")
			},
			"defaults": func() string {
				return gexf(`<attributes class="node">` + count(`<attribute id="%d"><default/></attribute>`) +
					`</attributes><nodes><node id="a"/><node id="b"/></nodes>`)
			},
			"values": func() string {
				return gexf(`<nodes><node id="a"><attvalues>` + count(`<attvalue for="%d" value=""/>`) + "</attvalues></node></nodes>")
			},
			"within": func() string { return gexf(strings.Repeat(`<nodes><node id="a">`, 100)) },
		},
		"pajek": {
			"vertices": func() string { return "*Vertices " + fmt.Sprint(n/2) + "\n" + strings.Repeat("%\n", n/2) },
			"listed":   func() string { return "*Vertices " + fmt.Sprint(n) + "\n" + count2("%[2]d a\n") },
			"edges":    func() string { return "*Vertices 1\n*Edges\n" + times("1 1\n") },
			"both":     func() string { return "*Vertices 1\n*Arcs\n1 1\n*Edges\n" + times("1 1\n") },
			"list":     func() string { return "*Vertices 1\n*Arcslist\n1" + times(" 1") },
			"matrix":   func() string { return "*Vertices 1\n*Matrix\n" + times("1\n") },
			"zeros":    func() string { return "*Vertices 1\n*Matrix\n1" + times(" 0") },
			"labels":   func() string { return "*Vertices 1\n*Edges\n" + times("1 1 1 l a\n") },
			"fields":   func() string { return "*Vertices 1\n*Edges\n1 1 1" + times(" l") },
			"quotes":   func() string { return "*Vertices 1\n*Edges\n1 1" + times(` ""`) },
			"sections": func() string { return "*Vertices 1\n" + times("*Arcs\n") },
			"other":    func() string { return "*Vertices 1\n" + times("*Partition\n") },
			"networks": func() string { return times("*Network\n*Vertices 1\n") },
			"relation": func() string { return "*Vertices 1\n*Arcs :1 " + times("a ") + "\n1 1\n" },
		},
		"mtx": {
			"pattern": func() string { return mtx("pattern", 1, times("1 1\n")) },
			"values":  func() string { return mtx("real", 1, times("1 1 1\n")) },
			"rows":    func() string { return mtx("pattern", n/2, "1 1\n"+strings.Repeat("%\n", n/2)) },
			"fields":  func() string { return mtx("real", 1, times("1 ")+"\n") },
		},
		"onnx": {
			"operators":  func() string { return onnx(times(Bytes(1, Bytes(4, "A")))) },
			"inputs":     func() string { return onnx(Bytes(1, Bytes(4, "A"), times(Bytes(1, "a")))) },
			"outputs":    func() string { return onnx(Bytes(1, Bytes(4, "A"), times(Bytes(2, "a")))) },
			"names":      func() string { return onnx(Bytes(1, Bytes(4, "A"), fields(1, short(" ")))) },
			"same names": func() string { return onnx(times(Bytes(1, Bytes(3, "A"), Bytes(4, "A")))) },
			"attributes": func() string { return operator(times(Bytes(5, Bytes(1, "a"), Varint(3, 1)))) },
			"numbers":    func() string { return operator(Bytes(5, Bytes(1, "a"), times(Varint(8, 1)))) },
			"floats": func() string {
				return onnx(Bytes(1, Bytes(4, "A"), Bytes(5, Bytes(1, "a"), Bytes(7, times("\x01\x02\x83\x04")))))
			},
			"weights": func() string {
				return onnx(Bytes(5, Varint(1, 1<<60), Varint(1, 1<<60), Bytes(8, "w")),
					times(Bytes(1, Bytes(4, "A"), strings.Repeat(Bytes(1, "w"), 40))))
			},
			"values":  func() string { return onnx(fields(11, short(" "))) },
			"results": func() string { return onnx(fields(12, short(" "))) },
			"dims": func() string {
				return onnx(Bytes(13, Bytes(2, Bytes(1, Bytes(2, times(Bytes(1, Varint(1, 1))))))))
			},
			"shapes": func() string { return onnx(times(Bytes(5, Varint(1, 1), Varint(1, 1)))) },
			"bodies": func() string {
				return onnx(times(Bytes(1, Bytes(4, "A"), Bytes(5, Bytes(6, Bytes(1, Bytes(4, "A")))))))
			},
			"skipped": func() string { return onnx(Bytes(99, times("a"))) },
			"fields":  func() string { return onnx(times(Varint(99, 1))) },
		},
		"edgelist": {
			"table":          func() string { return "source,target\n" + times("0,1\n") },
			"table, cells":   func() string { return "source,target\n" + times("a,") },
			"table, columns": func() string { return "source,target" + count(",c%d") + "\na,b" + times(",1") + "\n" },
			"table, labels":  func() string { return "source,target,label\n" + times("0,1,a\n") },
			"edges":          func() string { return times("0 1\n") },
			"numbers":        func() string { return count2("%d %d\n") },
			"labels":         func() string { return times("0 1 a\n") },
			"dicts":          func() string { return times("0 1 {'a': 1}\n") },
			"names":          func() string { return strings.ReplaceAll(short(" x\n"), "\n\n", "\n") },
			"comments":       func() string { return "0 1\n" + times("#\n") },
			"loops":          func() string { return times("0 0\n") },
		},
		"tve": {
			"nodes":  func() string { return "t # 0\n" + count("v %d C\n") },
			"labels": func() string { return "t # 0\n" + count("v %d %[1]d\n") },
			"edges":  func() string { return "t # 0\nv 0 C\nv 1 C\n" + times("e 0 1 x\n") },
			"slow":   func() string { return "t  # 0\n" + count("v  %d C\n") },
			"graphs": func() string { return times("t # 0\nv 0 C\n") },
			"empty":  func() string { return times("t # 0\n") },
			"bad":    func() string { return times("t #\n") },
		},
	}
}
