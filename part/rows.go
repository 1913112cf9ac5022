package part

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"

	"github.com/greedgraph/greed/truth"
)

// rowOf is a row of a part.
type rowOf[T any] interface {
	*T
	at() int // its unit of work
	hash(*truth.Hash)
}

// source reads the rows of one part.
type source[T any, P rowOf[T]] struct {
	*partFile
	path string
	in   *parquet.GenericReader[T]
	buf  []T
	left []T // of buf
	read int
	unit int // of the last row
	sum  *truth.Hash
}

func newSource[T any, P rowOf[T]](path string, share Share) (s *source[T, P], err error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.file.Close())
		}
	}()
	defer recovered(&err)
	if f.Share != share {
		return nil, fmt.Errorf("%w: it is part %s now, and was %s", ErrPart, f.Share, share)
	}
	return &source[T, P]{partFile: f, path: path, in: parquet.NewGenericReader[T](f.rows), buf: make([]T, rows), sum: truth.NewHash()}, nil
}

func (s *source[T, P]) close() (err error) {
	defer recovered(&err)
	return errors.Join(s.in.Close(), s.file.Close())
}

// fill reads rows when none are left. At the end of the part there are none, and all match their checksum.
func (s *source[T, P]) fill() (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", s.path, err)
		}
	}()
	defer recovered(&err)
	for len(s.left) == 0 {
		n, err := s.in.Read(s.buf)
		s.left = s.buf[:n]
		s.read += n
		for i := range s.left {
			row := P(&s.left[i])
			row.hash(s.sum)
			at := row.at()
			if at < 0 || at >= s.Units || !s.Share.Has(at) {
				return fmt.Errorf("%w: it holds rows that belong to another part", ErrPart)
			}
			if at < s.unit {
				return fmt.Errorf("%w: damaged: its rows are out of order", ErrPart)
			}
			s.unit = at
		}
		if s.read > s.Rows {
			return s.damaged()
		}
		if errors.Is(err, io.EOF) {
			if sum := s.sum.Sum(); len(s.left) == 0 && (s.read != s.Rows || hex.EncodeToString(sum[:]) != s.Sum) {
				return s.damaged()
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrPart, err)
		}
	}
	return nil
}

func (s *source[T, P]) damaged() error {
	return fmt.Errorf("%w: damaged: its rows do not match their checksum", ErrPart)
}

// next is the unit of work of the next row.
func (s *source[T, P]) next() int { return P(&s.left[0]).at() }

// each calls use with the rows of all parts by their units of work, until it returns false. Unless the job
// is a join, every unit has one row. All files are open meanwhile, and some rows of each are in memory.
func each[T any, P rowOf[T]](ctx context.Context, p *Parts, use func(P) bool) (err error) {
	var open []*source[T, P] // those that have rows left
	defer func() {
		for _, s := range open {
			err = errors.Join(err, s.close())
		}
	}()
	for i, path := range p.files {
		s, err := newSource[T, P](path, Share{i + 1, p.Share.Of})
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		open = append(open, s)
		if err := s.fill(); err != nil {
			return err
		}
	}
	for n := 0; ; {
		open = slices.DeleteFunc(open, func(s *source[T, P]) bool {
			if len(s.left) > 0 {
				return false
			}
			err = errors.Join(err, s.close())
			return true
		})
		if err != nil {
			return err
		}
		if len(open) == 0 {
			return p.whole(n)
		}
		s := slices.MinFunc(open, func(a, b *source[T, P]) int { return cmp.Compare(a.next(), b.next()) })
		for dealt := s.next() / block; len(s.left) > 0 && s.next()/block == dealt; n++ {
			if p.Job != Join && s.next() != n {
				return fmt.Errorf("%w: number %d of %d %s is missing or occurs twice", ErrPart, n+1, p.Units, p.Job.unit())
			}
			if !use(&s.left[0]) {
				return nil
			}
			if s.left = s.left[1:]; len(s.left) > 0 {
				continue
			}
			if err := cmp.Or(ctx.Err(), s.fill()); err != nil {
				return err
			}
		}
	}
}

// whole returns an error unless n rows are those of all units. A unit of a join may have any number.
func (p *Parts) whole(n int) error {
	if p.Job != Join && n != p.Units {
		return fmt.Errorf("%w: they hold %d of %d %s", ErrPart, n, p.Units, p.Job.unit())
	}
	return nil
}
