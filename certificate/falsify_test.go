package certificate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/greedgraph/greed/certificate"
	"github.com/greedgraph/greed/certificate/verify"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/lab/testing/gedtest"
	"github.com/greedgraph/greed/lab/testing/sweep"
)

// certified returns a random true certificate: of a pair, of a lower bound alone, of either with fixed pairs, or of a set.
func certified(t testing.TB, r *rand.Rand) []byte {
	graphs := 1
	if r.IntN(3) == 0 {
		graphs = 2 + r.IntN(2)
	}
	x := ask(t, r, graphs)
	if graphs == 1 {
		if r.IntN(2) == 0 {
			x.fix(t, r)
		}
		x.claims[0].Lower = x.truth[0]
		if r.IntN(3) > 0 {
			x.claims[0].Map = x.best[0]
		}
		return x.write(t, nil)
	}
	set := &certificate.Set{}
	if r.IntN(2) == 0 {
		set.Radius = slices.Min(x.truth)
	} else {
		set.Nearest = 1
	}
	for i := range x.claims {
		c := &x.claims[i]
		if set.Nearest == 0 {
			c.Answer = x.truth[i] <= set.Radius+1e-9
		} else {
			c.Answer = x.truth[i] == slices.Min(x.truth) && slices.Index(x.truth, x.truth[i]) == i
		}
		if c.Answer {
			c.Map = x.best[i]
		}
	}
	return x.write(t, set)
}

// divided returns a certificate of a cycle and two shorter ones, whose proof has cases:
// all their nodes look alike.
func divided(t testing.TB, r *rand.Rand) []byte {
	vocab, directed := graph.NewVocabulary(), r.IntN(2) == 0
	cycles := func(lengths ...int) *graph.Graph {
		b, n := graph.NewBuilder(vocab, directed), 0
		for _, length := range lengths {
			for range length {
				b.AddNode("C")
			}
			for k := range length {
				if err := b.AddEdge(n+k, n+(k+1)%length, "-"); err != nil {
					t.Fatal(err)
				}
			}
			n += length
		}
		return b.MustBuild()
	}
	x := &question{task: edit.GED, costs: edit.Uniform(), q: cycles(6)}
	g := cycles(3, 3)
	p, err := edit.Price(x.task, x.costs, x.q, g)
	if err != nil {
		t.Fatal(err)
	}
	d, m := gedtest.BruteForce(p, x.q, g)
	x.claims = []certificate.Claim{{ID: "t", Query: x.q, QueryID: "q", Target: g, Lower: d, Map: m}}
	text := x.write(t, nil)
	if r.IntN(2) == 0 {
		return text
	}
	return rewrite(t, text, func(h *verify.Header, pairs []verify.Pair) []verify.Pair {
		pair := &pairs[0]
		p := verify.NewProblem(h, pair.Query, &pair.Target, pair.Grain)
		start, err := p.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		pair.Proof = branched(p, start, p.Need(pair.Lower))
		return pairs
	})
}

// branched returns a proof that uses no shares: its cases are within each other.
func branched(p *verify.Problem, s *verify.Fixed, need int64) *verify.Case {
	if bound, _ := p.Bound(s, p.Divide(func(_, _ int, w int64) int64 { return w / 2 })); bound < need {
		return nil
	}
	c := &verify.Case{Row: slices.Index(s.Of, verify.Free), Cases: map[int]*verify.Case{}}
	for w := verify.Deleted; w < p.M; w++ {
		if w == verify.Deleted || s.Taken[w] == verify.Free {
			s.Set(c.Row, w)
			if below := branched(p, s, need); below != nil {
				c.Cases[w] = below
			}
			s.Set(c.Row, verify.Free)
		}
	}
	return c
}

// holds returns an error unless all that an accepted certificate holds was read, and is true:
// by all node maps, and by the bytes.
func holds(text []byte, h *verify.Header, pairs []verify.Pair) error {
	lines := strings.SplitAfter(string(text), "\n")
	if len(lines) != len(pairs)+2 || lines[len(lines)-1] != "" || len(pairs) != h.Pairs {
		return fmt.Errorf("%d lines, %d pairs", len(lines), len(pairs))
	}
	for i, line := range lines[:len(lines)-1] {
		var v any = new(verify.Header)
		if i > 0 {
			v = new(verify.Pair)
		}
		if err := json.Unmarshal([]byte(line), v); err != nil {
			return err
		}
		if again, err := json.Marshal(v); err != nil || string(again)+"\n" != line {
			return fmt.Errorf("line %d is accepted in another form (%w)", i, err)
		}
		if i > 0 && !reflect.DeepEqual(stated(v.(*verify.Pair)), stated(&pairs[i-1])) {
			return fmt.Errorf("line %d is not what was returned", i)
		}
	}
	for _, labels := range [][]string{h.Nodes.Labels, h.Edges.Labels} {
		if sorted := slices.Sorted(slices.Values(labels)); len(slices.Compact(sorted)) != len(labels) {
			return errors.New("labels are the same")
		}
	}
	nearest, farthest := int64(1)<<62, int64(-1) // of the others, and of the answers
	for _, p := range pairs {
		q := p.Query
		if h.Query != nil {
			if q != nil {
				return errors.New("there are two queries")
			}
			q = h.Query
		}
		d := least(h, q, &p.Target, p.Fixed)
		switch {
		case p.Map != nil && !keeps(p.Map, p.Fixed):
			return fmt.Errorf("the map %v does not have the pairs %v", p.Map, p.Fixed)
		case h.Query != nil && p.Fixed != nil:
			return errors.New("a set with fixed pairs")
		case p.Lower < 0 || p.Lower > d || p.Map != nil && p.Upper < d || p.Map == nil && p.Upper != 0:
			return fmt.Errorf("[%d, %d] of %d", p.Lower, p.Upper, d)
		case p.Answer && h.Query == nil:
			return errors.New("an answer to nothing")
		case p.Answer:
			farthest = max(farthest, d)
		default:
			nearest = min(nearest, d)
		}
		if h.Radius != nil && p.Answer != (d <= *h.Radius) {
			return fmt.Errorf("%d within %d", d, *h.Radius)
		}
	}
	if h.Nearest != 0 && nearest < farthest {
		return fmt.Errorf("a graph at %d is nearer than an answer at %d", nearest, farthest)
	}
	return nil
}

// stated is a pair without its proof, whose shares are not kept.
func stated(p *verify.Pair) verify.Pair {
	c := *p
	c.Proof = nil
	return c
}

// classes has a byte of each class that certificates distinguish, and some that no certificate has.
var classes = []byte("0179-,:.eE\"\\[]{} \t\n\r+tfnu_aCZ*<&/\x00\x1f\x7f\x80\xc3\xff")

// TestEveryByte replaces, removes, doubles and inserts bytes of each class at each place of certificates,
// and cuts them there. What is then accepted is true, all of it.
func TestEveryByte(t *testing.T) {
	r := rand.New(rand.NewPCG(56, 3))
	files := sweep.Trials(24) // the fourth takes a minute
	refusals, accepted := 0, 0
	try := func(text []byte) {
		h, pairs, err := verify.Read(bytes.NewReader(text), func() {})
		if err != nil {
			if !errors.Is(err, verify.ErrRefused) {
				t.Fatalf("%v\n%s", err, text)
			}
			refusals++
			return
		}
		accepted++
		if err := holds(text, h, pairs); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	for file := range files {
		text := certified(t, r)
		if file == 3 {
			text = divided(t, r)
		}
		for at := range text {
			for _, b := range classes {
				if text[at] == b {
					continue
				}
				other := bytes.Clone(text)
				other[at] = b
				try(other)
				try(slices.Insert(bytes.Clone(text), at, b))
			}
			refused(t, "cut short", text[:at])
			try(slices.Insert(bytes.Clone(text), at, text[at]))
			try(slices.Delete(bytes.Clone(text), at, at+1))
		}
		for _, b := range classes {
			refused(t, "something follows", append(bytes.Clone(text), b))
		}
		refused(t, "a line follows", append(bytes.Clone(text), text...))
	}
	if refusals < 1000 || accepted < 10 {
		t.Errorf("%d refused and %d accepted", refusals, accepted)
	}
	t.Logf("%d refused, %d accepted, which are true", refusals, accepted)
}

// node is a JSON value whose members keep their order.
type node struct {
	names  []string // of the values, for an object
	values []*node
	text   string // of a number, a string or a word
	kind   byte   // { [ or 0
}

func parse(t testing.TB, text []byte) *node {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value func() *node
	value = func() *node {
		token, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		delim, ok := token.(json.Delim)
		if !ok {
			text, err := json.Marshal(token)
			if err != nil {
				t.Fatal(err)
			}
			return &node{text: string(text)}
		}
		n := &node{kind: byte(delim)}
		for d.More() {
			if n.kind == '{' {
				name, err := d.Token()
				if err != nil {
					t.Fatal(err)
				}
				n.names = append(n.names, name.(string))
			}
			n.values = append(n.values, value())
		}
		if _, err := d.Token(); err != nil {
			t.Fatal(err)
		}
		return n
	}
	return value()
}

func (n *node) write(b *bytes.Buffer) {
	switch n.kind {
	case 0:
		b.WriteString(n.text)
	case '[':
		b.WriteByte('[')
		for i, v := range n.values {
			if i > 0 {
				b.WriteByte(',')
			}
			v.write(b)
		}
		b.WriteByte(']')
	default:
		b.WriteByte('{')
		for i, v := range n.values {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(b, "%q:", n.names[i])
			v.write(b)
		}
		b.WriteByte('}')
	}
}

// each calls f for a value and all that is in it.
func (n *node) each(f func(*node)) {
	f(n)
	for _, v := range n.values {
		v.each(f)
	}
}

// falsified calls f with every change of a certificate's fields: of each value, member and element.
func falsified(t testing.TB, text []byte, f func(what string, text []byte)) {
	var lines []*node
	for line := range bytes.Lines(text) {
		lines = append(lines, parse(t, line))
	}
	emit := func(what string) {
		var b bytes.Buffer
		for _, line := range lines {
			line.write(&b)
			b.WriteByte('\n')
		}
		if !bytes.Equal(b.Bytes(), text) {
			f(what, b.Bytes())
		}
	}
	values := []string{
		"0", "1", "2", "-1", "true", "-2", "7", "256", "null", "1025", "1073741825", "9223372036854775807", "{}",
		"9223372036854775808", "1.5", "false", "[0]", "[]", "[[0,1,0]]", "[[0,0]]", "[[-1,0]]", "[[-1,-1]]", "[[0,-1],[1,0]]", `""`, `{"row":1}`, `"q"`, `"C"`, `"ged"`,
		`{"id":"q","nodes":[],"edges":[]}`, `"sed"`, `{"shares":[1]}`,
	}
	names := []string{
		"greed_certificate", "task", "directed", "unit", "scale", "nodes", "edges", "query", "pairs", "radius", "nearest",
		"labels", "delete", "insert", "substitute", "id", "target", "answer", "fixed", "lower", "upper", "map", "grain", "proof", "shares", "row",
		"cases", "-1", "0", "1", "5", "other",
	}
	for _, line := range lines {
		line.each(func(n *node) {
			kept := *n
			for _, value := range values {
				*n = node{text: value}
				emit("another value")
			}
			*n = kept
			if n.kind == 0 && n.text[0] != '"' {
				for _, change := range []string{n.text + "0", "-" + n.text, "1" + n.text, n.text + ".0"} {
					*n = node{text: change}
					emit("another number")
				}
				*n = kept
			}
			for i := range kept.values {
				change := func(what string, edit func(names []string, values []*node) ([]string, []*node)) {
					n.names, n.values = edit(slices.Clone(kept.names), slices.Clone(kept.values))
					emit(what)
					*n = kept
				}
				change("one less", func(names []string, values []*node) ([]string, []*node) {
					if names != nil {
						names = slices.Delete(names, i, i+1)
					}
					return names, slices.Delete(values, i, i+1)
				})
				change("one twice", func(names []string, values []*node) ([]string, []*node) {
					if names != nil {
						names = slices.Insert(names, i, names[i])
					}
					return names, slices.Insert(values, i, values[i])
				})
				change("exchanged", func(names []string, values []*node) ([]string, []*node) {
					j := (i + 1) % len(values)
					if values[i], values[j] = values[j], values[i]; names != nil {
						names[i], names[j] = names[j], names[i]
					}
					return names, values
				})
				for _, other := range names {
					if kept.kind == '{' {
						change("another name", func(names []string, values []*node) ([]string, []*node) {
							names[i] = other
							return names, values
						})
					}
				}
			}
			for i, value := range values {
				added := &node{text: value}
				switch {
				case kept.kind == '[':
					*n = node{kind: '[', values: append(slices.Clone(kept.values), added)}
					emit("one more")
				case kept.kind == '{' && i%4 == 0:
					for _, name := range names {
						for at := range len(kept.values) + 1 {
							*n = node{
								kind:   '{',
								names:  slices.Insert(slices.Clone(kept.names), at, name),
								values: slices.Insert(slices.Clone(kept.values), at, added),
							}
							emit("one member more")
						}
					}
				}
				*n = kept
			}
		})
	}
	for i := range lines {
		kept := lines
		lines = slices.Delete(slices.Clone(kept), i, i+1)
		emit("a line less")
		lines = slices.Insert(slices.Clone(kept), i, kept[i])
		emit("a line twice")
		lines = kept
	}
}

// TestEveryField changes each field of certificates to each kind of value, leaves it out, gives it twice,
// and adds each where it does not belong. What is then accepted is true, all of it.
func TestEveryField(t *testing.T) {
	r := rand.New(rand.NewPCG(56, 4))
	files := sweep.Trials(24) // the fourth takes a minute
	refusals, accepted := 0, 0
	for file := range files {
		text := certified(t, r)
		if file == 3 {
			text = divided(t, r)
		}
		falsified(t, text, func(what string, text []byte) {
			h, pairs, err := verify.Read(bytes.NewReader(text), func() {})
			if err != nil {
				refusals++
				return
			}
			accepted++
			if err := holds(text, h, pairs); err != nil {
				t.Fatalf("%s: %v\n%s", what, err, text)
			}
		})
	}
	if refusals < 1000 || accepted < 10 {
		t.Errorf("%d refused and %d accepted", refusals, accepted)
	}
	t.Logf("%d refused, %d accepted, which are true", refusals, accepted)
}

// TestIdleProof adds to proofs what proves nothing more, of each kind, and has it refused.
func TestIdleProof(t *testing.T) {
	r := rand.New(rand.NewPCG(56, 5))
	seen := make(map[string]int)
	for trial := range trials() / 4 {
		text := certified(t, r)
		if trial%8 == 0 {
			text = divided(t, r)
		}
		_, pairs := accepted(t, text)
		for at := range pairs {
			change := func(what string, f func(p *verify.Pair, c *verify.Case) bool) {
				fits := false
				other := rewrite(t, text, func(_ *verify.Header, pairs []verify.Pair) []verify.Pair {
					p := &pairs[at]
					if p.Proof != nil {
						fits = f(p, p.Proof)
					}
					return pairs
				})
				if fits {
					seen[what]++
					refused(t, what, other)
				}
			}
			any := func(c *verify.Case) (*verify.Case, bool) { // one that is divided
				if r.IntN(2) == 0 {
					for _, below := range c.Cases {
						if len(below.Cases) > 0 {
							return below, true
						}
					}
				}
				return c, len(c.Cases) > 0
			}
			change("a share more", func(_ *verify.Pair, c *verify.Case) bool {
				c.Shares = append(c.Shares, 0)
				return true
			})
			change("a case of no node", func(p *verify.Pair, c *verify.Case) bool {
				c, divided := any(c)
				if divided {
					c.Cases[[]int{-2, len(p.Target.Nodes)}[r.IntN(2)]] = &verify.Case{Row: 1}
				}
				return divided
			})
			change("a case that is null", func(_ *verify.Pair, c *verify.Case) bool {
				c, divided := any(c)
				if divided {
					for w := range c.Cases {
						c.Cases[w] = nil
						break
					}
				}
				return divided
			})
			change("a case of a node that is taken", func(p *verify.Pair, c *verify.Case) bool {
				for w, below := range c.Cases {
					if w >= 0 && len(below.Cases) > 0 && below.Cases[w] == nil {
						below.Cases[w] = &verify.Case{}
						return true
					}
				}
				return false
			})
			change("a division of what is closed", func(_ *verify.Pair, c *verify.Case) bool {
				closed := len(c.Shares) > 0 && c.Row == 0 && len(c.Cases) == 0
				c.Cases = map[int]*verify.Case{-1: {}}
				return closed
			})
		}
		// a pair that needs no proof
		refusedProof := func(p *verify.Pair) bool { return p.Lower > 0 && p.Proof == nil }
		if i := slices.IndexFunc(pairs, func(p verify.Pair) bool { return refusedProof(&p) }); i >= 0 {
			seen["an empty proof"]++
			refused(t, "an empty proof", rewrite(t, text, func(_ *verify.Header, pairs []verify.Pair) []verify.Pair {
				pairs[i].Proof = &verify.Case{}
				return pairs
			}))
		}
	}
	t.Log(seen)
	if len(seen) < 6 {
		t.Errorf("not all kinds were tried: %v", seen)
	}
}

// TestSecondChecker has both checkers judge true and falsified certificates, in which bytes or fields
// are changed. They agree on each.
func TestSecondChecker(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil || exec.Command(python, "-c", "import sys; sys.exit(sys.version_info < (3, 10))").Run() != nil {
		t.Skip("there is no Python 3.10")
	}
	checker, err := filepath.Abs("check.py")
	if err != nil {
		t.Fatal(err)
	}
	r, dir := rand.New(rand.NewPCG(56, 6)), t.TempDir()
	honest := sweep.Trials(1000) // with ten falsified files each
	var names []string
	proven := make(map[string]bool)
	add := func(text []byte) {
		name := fmt.Sprintf("%d.json", len(names))
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := verify.Read(bytes.NewReader(text), func() {})
		names, proven[name] = append(names, name), err == nil
	}
	fields := 0
	for trial := range honest {
		text := certified(t, r)
		if trial%40 == 0 {
			text = divided(t, r)
		}
		accepted(t, text)
		add(text)
		for range 5 { // bytes
			other := bytes.Clone(text)
			at, b := r.IntN(len(text)), classes[r.IntN(len(classes))]
			switch r.IntN(4) {
			case 0:
				other = slices.Insert(other, at, b)
			case 1:
				other = slices.Delete(other, at, at+1)
			case 2:
				other[at] = "0123456789"[r.IntN(10)]
			default:
				other[at] = b
			}
			add(other)
		}
		// of all changes of fields some, drawn so that those that are accepted occur
		var few, good [][]byte
		count := 0
		falsified(t, text, func(_ string, other []byte) {
			if count++; r.IntN(count) < 3 && count%50 == 0 || len(few) < 3 {
				few = append(few, other)
			}
			if r.IntN(40) == 0 {
				if _, _, err := verify.Read(bytes.NewReader(other), func() {}); err == nil {
					good = append(good, other)
				}
			}
		})
		fields += count
		for i := range 5 {
			list := few
			if i >= 3 && len(good) > 0 {
				list = good
			}
			add(list[r.IntN(len(list))])
		}
	}
	command := exec.Command(python, append([]string{checker}, names...)...)
	command.Dir, command.Stderr = dir, os.Stderr
	out, err := command.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatal(err)
	}
	verdicts := make(map[string]string)
	for line := range strings.Lines(string(out)) {
		name, verdict, _ := strings.Cut(line, ": ")
		verdicts[name] = verdict
	}
	good := 0
	for _, name := range names {
		verdict, ok := verdicts[name]
		if !ok {
			t.Errorf("%s: no verdict", name)
		}
		if also := !strings.HasPrefix(verdict, "refused: "); also != proven[name] {
			text, err := os.ReadFile(filepath.Join(dir, name))
			t.Fatalf("proven: %v; the second says %s%s (%v)", proven[name], verdict, text, err)
		}
		if proven[name] {
			good++
		}
	}
	t.Logf("%d files, of which %d proven", len(names), good)
	if good < honest*11/10 {
		t.Errorf("only %d of %d are proven", good, len(names))
	}
}

// TestCases: what is in certificates that were accepted once is refused.
func TestCases(t *testing.T) {
	const header = `{"greed_certificate":1,"task":"ged","directed":false,"unit":1,"scale":1,"nodes":{"labels":["C","N"],` +
		`"delete":[1,1],"insert":[1,1],"substitute":[[0,1],[1,0]]},"edges":{"labels":[],"delete":[],"insert":[],"substitute":[]},`
	const pair = `{"query":{"id":"q","nodes":[0],"edges":[]},"target":{"id":"t","nodes":[1],"edges":[]},"lower":1,"upper":1,"map":[0],"grain":2}`
	accepted(t, []byte(header+"\"pairs\":1}\n"+pair+"\n"))
	for what, text := range map[string]string{
		"a query of its own in a set": header + `"query":{"id":"q","nodes":[0],"edges":[]},"pairs":1,"radius":0}` + "\n" +
			`{"query":{"id":"other","nodes":[1,1,1],"edges":[]},"target":{"id":"t","nodes":[0],"edges":[]},"answer":true,"lower":0,"map":[0],"grain":2}` + "\n",
		"a brace and more":             header + "\"pairs\":1}\n" + pair + "\n}\n" + pair + "\n",
		"an upper bound without a map": header + "\"pairs\":1}\n" + strings.Replace(pair, `"upper":1,"map":[0]`, `"upper":7,"map":null`, 1) + "\n",
		"labels that are the same":     strings.Replace(header, `["C","N"]`, `["C","C"]`, 1) + "\"pairs\":1}\n" + pair + "\n",
		"no pairs":                     header + "\"pairs\":0}\n",
		"null for a list":              header + "\"pairs\":1}\n" + strings.Replace(pair, `"edges":[]`, `"edges":null`, 1) + "\n",
		"two lines in one":             header + "\"pairs\":2}\n" + pair + pair + "\n",
		"an empty line":                header + "\"pairs\":1}\n\n" + pair + "\n",
		"no line feed at the end":      header + "\"pairs\":1}\n" + pair,
		"an answer without a set":      header + "\"pairs\":1}\n" + strings.Replace(pair, `"lower"`, `"answer":true,"lower"`, 1) + "\n",
	} {
		refused(t, what, []byte(text))
	}
}

// TestLabelsOfOneText: labels that a certificate could not tell apart get different names.
func TestLabelsOfOneText(t *testing.T) {
	vocab := graph.NewVocabulary()
	b := graph.NewBuilder(vocab, false)
	for _, text := range []string{"\xff", "\xfe", "*", "* (2)"} {
		b.AddNode(text)
	}
	b.AddNodeLabel(graph.Wildcard)
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []*certificate.Set{nil, {Radius: 0}} {
		m := edit.NodeMap{0, 1, 2, 3, 4}
		claims := []certificate.Claim{{ID: "t", Query: g, Target: g, Map: m, Answer: set != nil}}
		var out bytes.Buffer
		if err := certificate.Write(t.Context(), &out, edit.GED, edit.Uniform(), claims, set, 1); err != nil {
			t.Fatal(err)
		}
		if h, pairs := accepted(t, out.Bytes()); len(h.Nodes.Labels) != 5 || pairs[0].Upper != 0 {
			t.Errorf("%q, %d", h.Nodes.Labels, pairs[0].Upper)
		}
	}
	claims := []certificate.Claim{{ID: "\xff", Query: g, Target: g, Lower: 0}, {ID: "\xfe", Query: g, Target: g, Lower: 0}}
	err = certificate.Write(t.Context(), &bytes.Buffer{}, edit.GED, edit.Uniform(), claims, &certificate.Set{Radius: 1}, 1)
	if !errors.Is(err, certificate.ErrGraphs) {
		t.Errorf("two ids that JSON does not tell apart: %v", err)
	}
}
