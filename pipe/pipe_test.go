package pipe

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// client speaks to a server in the same process, one request at a time unless a
// test does otherwise.
type client struct {
	t      *testing.T
	in     *io.PipeWriter
	out    *bufio.Reader
	ended  chan error
	number uint32
}

func newClient(t *testing.T) *client {
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	c := &client{t: t, in: in, out: bufio.NewReader(out), ended: make(chan error, 1)}
	go func() {
		c.ended <- Serve(context.Background(), requests, answers, Options{Workers: 2})
		answers.Close()
	}()
	t.Cleanup(func() { in.Close() })
	return c
}

// numbers is an array to send: of int32, float64 or bytes.
type numbers struct {
	name   string
	values any
	shape  []int
}

func (c *client) send(op string, args any, list ...numbers) uint32 {
	c.t.Helper()
	a := new(answer)
	for _, x := range list {
		switch v := x.values.(type) {
		case []int32:
			add(a, x.name, v, x.shape...)
		case []float64:
			add(a, x.name, v, x.shape...)
		case []byte:
			add(a, x.name, v, x.shape...)
		}
	}
	text, err := json.Marshal(map[string]any{"op": op, "args": args, "arrays": a.list})
	if err != nil {
		c.t.Fatal(err)
	}
	c.number++
	c.write(c.number, kindRequest, text, a.data)
	return c.number
}

func (c *client) write(id, kind uint32, text, data []byte) {
	c.t.Helper()
	w := frameWriter{w: c.in}
	if err := w.write(frame{id, kind, text, data}); err != nil {
		c.t.Fatal(err)
	}
}

// reply is an answer as the other side sees it.
type reply struct {
	Result json.RawMessage `json:"result"`
	Error  *failure        `json:"error"`
	Arrays []arrayInfo     `json:"arrays"`
	arrays arrays
}

// receive returns the next frame that is no log.
func (c *client) receive() (f frame, r reply) {
	c.t.Helper()
	for {
		var head [headBytes]byte
		if _, err := io.ReadFull(c.out, head[:]); err != nil {
			c.t.Fatal(err)
		}
		f.id, f.kind = binary.LittleEndian.Uint32(head[0:]), binary.LittleEndian.Uint32(head[4:])
		f.text = make([]byte, binary.LittleEndian.Uint64(head[8:]))
		f.data = make([]byte, binary.LittleEndian.Uint64(head[16:]))
		for _, part := range [][]byte{f.text, f.data} {
			if _, err := io.ReadFull(c.out, part); err != nil {
				c.t.Fatal(err)
			}
		}
		if f.kind == kindLog {
			continue
		}
		if err := json.Unmarshal(f.text, &r); err != nil {
			c.t.Fatal(err)
		}
		all, err := cutArrays(r.Arrays, f.data)
		if err != nil {
			c.t.Fatal(err)
		}
		r.arrays = all
		return f, r
	}
}

// ask returns the answer of a request that must succeed.
func (c *client) ask(op string, args any, list ...numbers) reply {
	c.t.Helper()
	r := c.try(op, args, list...)
	if r.Error != nil {
		c.t.Fatalf("%s: %s: %s", op, r.Error.Code, r.Error.Message)
	}
	return r
}

func (c *client) try(op string, args any, list ...numbers) reply {
	c.t.Helper()
	id := c.send(op, args, list...)
	for {
		if f, r := c.receive(); f.kind == kindAnswer && f.id == id {
			return r
		}
	}
}

func (r reply) floats(t *testing.T, name string) []float64 {
	t.Helper()
	x, ok := r.arrays[name]
	if !ok || x.typ != "f8" {
		t.Fatalf("no array %s of numbers", name)
	}
	out := make([]float64, len(x.data)/8)
	for i := range out {
		out[i] = math.Float64frombits(binary.LittleEndian.Uint64(x.data[8*i:]))
	}
	return out
}

func molecules(smiles ...string) map[string]any { return map[string]any{"smiles": smiles} }

// hard is a pair that takes longer than any test waits.
func hard() map[string]any {
	ring := strings.Repeat("C1CC(C)CC(O)C1CC", 12)
	other := strings.Repeat("C1CC(N)CCC1CO", 12)
	return map[string]any{"task": "ged", "mode": "pairs", "queries": molecules(ring), "targets": molecules(other)}
}

func TestHello(t *testing.T) {
	r := newClient(t).ask("hello", struct{}{})
	if want := fmt.Sprintf(`{"protocol":%d,"workers":2}`, Protocol); string(r.Result) != want {
		t.Errorf("hello answers %s, want %s", r.Result, want)
	}
}

func TestCancelEndsOneRequest(t *testing.T) {
	c := newClient(t)
	id := c.send("distances", hard())
	other := c.ask("distances", map[string]any{"task": "ged", "mode": "pairs", "queries": molecules("CCO"), "targets": molecules("CCN")})
	if d := other.floats(t, "upper"); len(d) != 1 || d[0] != 1 {
		t.Errorf("beside a long request the distance is %v, want 1", d)
	}
	c.write(id, kindCancel, nil, nil)
	f, r := c.receive()
	if f.id != id || r.Error == nil || r.Error.Code != "cancelled" {
		t.Errorf("request %d is answered with %+v, want %d cancelled", f.id, r.Error, id)
	}
	c.ask("hello", struct{}{})
}

func TestEndOfInputEndsTheServer(t *testing.T) {
	c := newClient(t)
	c.send("distances", hard())
	c.ask("distances", map[string]any{"task": "ged", "mode": "pairs", "queries": molecules("CCO"), "targets": molecules("CCN")}) // in the middle of it
	c.in.Close()
	if err := <-c.ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

func TestBrokenStreams(t *testing.T) {
	for name, in := range map[string]string{
		"a text":            "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"half a head":       "\x01\x00\x00",
		"no end":            string(make([]byte, 8)) + "\x05" + string(make([]byte, 15)) + "{}",
		"much is announced": string(make([]byte, 8)) + "\x00\x00\x00\x00\x03" + string(make([]byte, 11)),
	} {
		if err := Serve(context.Background(), strings.NewReader(in), io.Discard, Options{}); !errors.Is(err, errFrame) {
			t.Errorf("%s: error %v, want a broken frame", name, err)
		}
	}
}

func TestRequestsThatAreNone(t *testing.T) {
	c := newClient(t)
	for _, test := range []struct {
		op   string
		args any
		want string
		list []numbers
	}{
		{op: "dance", want: "unknown operation"},
		{op: "distances", args: 7, want: "arguments"},
		{op: "distances", args: map[string]any{"mode": "round"}, want: "unknown mode"},
		{op: "distances", args: map[string]any{"mode": "pairs", "queries": molecules("C")}, want: "cannot be paired"},
		{op: "distances", args: map[string]any{"mode": "self", "task": "x"}, want: "want ged or sed"},
		{op: "distances", args: map[string]any{"mode": "self", "foo": 1}, want: "foo: there is no such member"},
		{op: "distances", args: map[string]any{"mode": "self", "workers": 1.5}, want: "workers: a number 1.5, want a whole number such as 3"},
		{op: "distances", args: map[string]any{"mode": "self", "workers": -1}, want: "workers: -1"},
		{op: "distances", args: map[string]any{"mode": "self", "time_limit": "soon"}, want: "time_limit"},
		{op: "distances", args: map[string]any{"mode": "self", "task": "mcs", "costs": "chem1"}, want: "costs"},
		{op: "collection.open", args: map[string]any{"key": "k", "graphs": records("C", "C")}, want: "ids must differ"},
		{op: "distances", args: map[string]any{"mode": "self", "queries": molecules(strings.Repeat("C", 99_999) + "?")}, want: "(100003 bytes)"}, // with its quotes and a colon
		{op: "matched", args: map[string]any{"nodes": []int{1, 1}}, want: "array query.ends is missing"},
		{op: "expand", args: map[string]any{"graphs": map[string]any{}}, list: oneGraph("sizes"), want: "array graphs.sizes is missing"},
		{op: "expand", args: map[string]any{"graphs": map[string]any{}}, list: oneGraph("labels"), want: "array graphs.labels is missing"},
		{op: "expand", args: map[string]any{"graphs": map[string]any{}}, list: oneGraph("ends"), want: "array graphs.ends is missing"},
		{op: "expand", args: map[string]any{"graphs": map[string]any{}}, list: oneGraph("edges"), want: "array graphs.edges is missing"},
		{
			op: "matched", args: map[string]any{"nodes": []int{1, 1}}, want: "edge 0-7",
			list: append(free(1, 1, 1), numbers{"query.ends", []int32{0, 7}, []int{1, 2}}),
		},
	} {
		r := c.try(test.op, test.args, test.list...)
		if r.Error == nil || r.Error.Code == "internal" || !strings.Contains(r.Error.Message, test.want) {
			t.Errorf("%s %v: %+v, want an error with %q", test.op, test.args, r.Error, test.want)
		}
	}
}

// TestWildcardsInArrays: -1 is a label that fits any, in requests and in answers, of nodes and of edges.
func TestWildcardsInArrays(t *testing.T) {
	r := newClient(t).ask("expand", map[string]any{"graphs": map[string]any{"nodes": []string{"C"}, "edges": []string{"x"}}},
		numbers{"graphs.kinds", []byte{1}, []int{1}}, numbers{"graphs.sizes", []int32{3, 2, 0}, []int{1, 3}}, numbers{"graphs.labels", []int32{0, -1, 0}, []int{3}},
		numbers{"graphs.ends", []int32{0, 1, 1, 2}, []int{2, 2}}, numbers{"graphs.edges", []int32{-1, 0}, []int{2}})
	for name, want := range map[string][]int32{"graphs.labels": {0, -1, 0}, "graphs.edges": {-1, 0}} {
		if got, err := r.arrays.ints(name, 1); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %v, want %v", name, got, err, want)
		}
	}
	for _, label := range []int32{-2, 1} {
		r := newClient(t).try("expand", map[string]any{"graphs": map[string]any{"nodes": []string{"C"}}},
			numbers{"graphs.kinds", []byte{1}, []int{1}}, numbers{"graphs.sizes", []int32{1, 0, 0}, []int{1, 3}}, numbers{"graphs.labels", []int32{label}, []int{1}},
			numbers{"graphs.ends", []int32{}, []int{0, 2}}, numbers{"graphs.edges", []int32{}, []int{0}})
		if r.Error == nil || !strings.Contains(r.Error.Message, "there is no label") {
			t.Errorf("label %d: %+v", label, r.Error)
		}
	}
}

// oneGraph returns the arrays of a graph of one node without a label, all but one of them.
func oneGraph(without string) (list []numbers) {
	for name, a := range map[string]numbers{
		"kinds": {"", []byte{1}, []int{1}}, "sizes": {"", []int32{1, 0, 0}, []int{1, 3}}, "labels": {"", []int32{-1}, []int{1}},
		"ends": {"", []int32{}, []int{0, 2}}, "edges": {"", []int32{}, []int{0}},
	} {
		if name != without {
			a.name = "graphs." + name
			list = append(list, a)
		}
	}
	return list
}

// free returns the target's ends and the costs of a pair of n and m nodes and of e edges and none, which are 0.
func free(n, m, e int) []numbers {
	return []numbers{
		{"target.ends", []int32{}, []int{0, 2}},
		{"node.substitute", make([]float64, n*m), []int{n, m}}, {"node.delete", make([]float64, n), []int{n}}, {"node.insert", make([]float64, m), []int{m}},
		{"edge.substitute", []float64{}, []int{e, 0}}, {"edge.delete", make([]float64, e), []int{e}}, {"edge.insert", []float64{}, []int{0}},
	}
}
