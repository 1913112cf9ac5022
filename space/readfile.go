package space

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/greedgraph/greed/graph"
	"github.com/greedgraph/greed/internal/varint"
)

// ReadFile reads what [Space.Write] wrote. The error wraps [ErrFile], [ErrVersion] or [ErrDamaged], is one of the
// system, or the context's.
func ReadFile(ctx context.Context, path string) (*Space, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := decode(ctx, data)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return s, err
}

func decode(ctx context.Context, data []byte) (*Space, error) {
	body, found := bytes.CutPrefix(data, []byte(magic))
	if !found {
		return nil, ErrFile
	}
	if version, _ := binary.Uvarint(body); version != FileVersion {
		return nil, fmt.Errorf("%w (%d, and this program reads %d): build it anew", ErrVersion, version, FileVersion)
	}
	end := len(data) - sha256.Size
	if len(body) < sha256.Size {
		return nil, fmt.Errorf("%w: it is cut short", ErrDamaged)
	}
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:], data[end:]) {
		return nil, fmt.Errorf("%w: it differs from what was written", ErrDamaged)
	}
	d := &decoder{Space: &Space{vocab: graph.NewVocabulary()}, ctx: ctx}
	d.Rest = data[len(magic):end]
	d.Number(FileVersion)
	d.space()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case d.Err != nil || len(d.Rest) > 0:
		return nil, fmt.Errorf("%w: what it holds is no space", ErrDamaged)
	}
	return d.Space, nil
}

// decoder reads the contents of a file. What no writer makes ends it.
type decoder struct {
	varint.Reader
	*Space
	ctx     context.Context
	builder *graph.Builder
}

// errContents is the error of contents that no writer makes.
var errContents = errors.New("wrong contents")

// check fails unless what was read may be.
func (d *decoder) check(ok bool) {
	if !ok {
		d.Fail(errContents)
	}
}

// each calls read for as many things as a number says.
func (d *decoder) each(read func(i int)) {
	for i := range d.Count() {
		if d.Err != nil {
			return
		}
		if i%4096 == 4095 {
			d.check(d.ctx.Err() == nil)
		}
		read(i)
	}
}

func (d *decoder) numbers(most int) (list []int) {
	d.each(func(int) { list = append(list, d.Number(most)) })
	return list
}

// flag reports whether a bit is set.
func flag(b byte, i int) bool { return b&(1<<i) != 0 }

func (d *decoder) space() {
	d.tag = d.Text()
	d.each(func(i int) { d.check(d.vocab.Node(d.Text()) == graph.Label(i+1)) })
	d.each(func(i int) { d.check(d.vocab.Edge(d.Text()) == graph.Label(i+1)) })
	d.builder = graph.NewBuilder(d.vocab, false).Simple()
	d.each(func(i int) { d.parts = append(d.parts, d.part(i)) })
	d.each(func(int) { d.Reactions = append(d.Reactions, d.reaction()) })
	d.check(len(d.Reactions) > 0)
}

func (d *decoder) part(index int) *part {
	p := &part{text: d.Text(), index: index}
	flags := d.Byte()
	p.opens, p.loose, p.face = flag(flags, 0), flag(flags, 1), d.Number(math.MaxInt)
	d.each(func(int) { d.builder.AddNodeLabel(graph.Label(d.Number(d.vocab.Nodes() - 1))) })
	n := d.builder.N()
	d.each(func(int) {
		from, to, label := d.Number(n), d.Number(n), graph.Label(d.Number(d.vocab.Edges()-1))
		if err := d.builder.AddEdgeLabel(from, to, label); err != nil {
			d.Fail(err)
		}
	})
	var err error
	if p.graph, err = d.builder.Build(); err != nil || tooLarge(p.graph) {
		d.Fail(cmp.Or(err, errContents))
	}
	d.each(func(i int) {
		port := port{number: d.Number(maxPort), symbol: d.Byte()}
		flags := d.Byte()
		port.open, port.folds = flag(flags, 0), flag(flags, 1)
		beside, label := d.Number(n), d.Number(d.vocab.Edges()) // 0: it folds
		d.check(port.number > 0 && (i == 0 || port.number > p.ports[i-1].number) &&
			port.folds == (beside == 0) && port.folds == (label == 0))
		if !port.folds {
			port.beside, port.label = int32(beside-1), graph.Label(label-1)
		}
		p.ports = append(p.ports, port)
	})
	return p
}

func (d *decoder) reaction() (r Reaction) {
	r.ID, r.Open = d.Text(), d.numbers(maxPort)
	d.each(func(int) {
		c := Component{Number: d.Number(math.MaxInt), ports: d.numbers(maxPort)}
		d.each(func(int) {
			x := Synthon{ID: d.Text(), SMILES: d.Text(), Line: d.Number(math.MaxInt)}
			at := d.Number(len(d.parts))
			if d.check(at < len(d.parts)); d.Err == nil {
				x.part = d.parts[at]
				d.check(slices.EqualFunc(x.part.ports, c.ports, func(p port, n int) bool { return p.number == n }))
			}
			c.Synthons = append(c.Synthons, x)
		})
		d.check(len(c.Synthons) > 0)
		r.Components = append(r.Components, c)
	})
	n := len(r.Components)
	d.check(n > 0 && n <= maxComponents)
	d.each(func(int) {
		j := join{number: d.Number(maxPort), at: [2]int{d.Number(n), d.Number(n)}}
		j.loose = flag(d.Byte(), 0)
		d.check(j.at[0] != j.at[1])
		for _, at := range j.at {
			if d.check(at < n); d.Err == nil {
				d.check(slices.Contains(r.Components[at].ports, j.number))
			}
		}
		r.joins = append(r.joins, j)
	})
	return r
}
