package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/greedgraph/greed/pipe"
)

// piped is the program behind Python.
type piped struct {
	in     io.Writer
	out    io.Reader
	number uint32
}

func newPiped(t *testing.T) *piped {
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	go func() {
		_ = pipe.Serve(t.Context(), requests, answers, pipe.Options{Workers: 1})
		answers.Close()
	}()
	t.Cleanup(func() { in.Close() })
	return &piped{in: in, out: out}
}

// numbers is an array of a frame.
type numbers struct {
	name, typ string // u1, i4
	shape     []int
	items     []int32
}

// ask returns the result of a request and its arrays, one after the other. A frame is four
// numbers, a text and arrays.
func (p *piped) ask(op string, args any, arrays ...numbers) (result json.RawMessage, data map[string][]byte, err error) {
	type info struct {
		Name  string `json:"name"`
		Type  string `json:"type"`
		Shape []int  `json:"shape"`
	}
	var infos []info
	var raw []byte
	padded := func(n int) int { return (n + 7) &^ 7 }
	for _, a := range arrays {
		infos = append(infos, info{a.name, a.typ, a.shape})
		for _, x := range a.items {
			if a.typ == "u1" {
				raw = append(raw, byte(x))
			} else {
				raw = binary.LittleEndian.AppendUint32(raw, uint32(x))
			}
		}
		raw = append(raw, make([]byte, padded(len(raw))-len(raw))...)
	}
	text, err := json.Marshal(object{"op": op, "args": args, "arrays": infos})
	if err != nil {
		return nil, nil, err
	}
	p.number++
	frame := binary.LittleEndian.AppendUint32(nil, p.number)
	frame = binary.LittleEndian.AppendUint32(frame, 0) // a request
	frame = binary.LittleEndian.AppendUint64(frame, uint64(len(text)))
	frame = binary.LittleEndian.AppendUint64(frame, uint64(len(raw)))
	if _, err := p.in.Write(append(append(frame, text...), raw...)); err != nil {
		return nil, nil, err
	}
	for {
		var head [24]byte
		if _, err := io.ReadFull(p.out, head[:]); err != nil {
			return nil, nil, err
		}
		text, raw := make([]byte, binary.LittleEndian.Uint64(head[8:])), make([]byte, binary.LittleEndian.Uint64(head[16:]))
		for _, b := range [][]byte{text, raw} {
			if _, err := io.ReadFull(p.out, b); err != nil {
				return nil, nil, err
			}
		}
		if binary.LittleEndian.Uint32(head[4:]) != 2 { // no answer
			continue
		}
		var reply struct {
			Result json.RawMessage `json:"result"`
			Error  json.RawMessage `json:"error"`
			Arrays []info          `json:"arrays"`
		}
		if err := json.Unmarshal(text, &reply); err != nil {
			return nil, nil, err
		}
		if len(reply.Error) > 0 {
			return nil, nil, fmt.Errorf("%s", reply.Error)
		}
		data = make(map[string][]byte)
		for _, a := range reply.Arrays {
			size := map[string]int{"u1": 1, "i4": 4, "f8": 8}[a.Type]
			for _, n := range a.Shape {
				size *= n
			}
			data[a.Name], raw = raw[:size], raw[padded(size):]
		}
		return reply.Result, data, nil
	}
}
