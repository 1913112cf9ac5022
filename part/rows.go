package part

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/greedgraph/greed/truth/parquetfile"
)

// rowOf is a row of a part.
type rowOf[T any] interface {
	*T
	at() int // its unit of work
}

// source reads the rows of one part.
type source[T any, P rowOf[T]] struct {
	*partFile
	path string
	in   *parquetfile.Reader[T]
	row  P   // the next; nil: none is left
	read int // rows
	unit int // of the last row
}

func newSource[T any, P rowOf[T]](path string, share Share) (s *source[T, P], err error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	s = &source[T, P]{partFile: f, path: path}
	if f.Share != share {
		err = fmt.Errorf("it is part %s now, and was %s", f.Share, share)
	} else {
		s.in, err = parquetfile.NewReader[T](f.rows)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPart, errors.Join(err, f.file.Close()))
	}
	return s, nil
}

func (s *source[T, P]) close() error { return errors.Join(s.in.Close(), s.file.Close()) }

// next reads the next row.
func (s *source[T, P]) next() error {
	row, err := s.in.Next()
	switch s.row = row; {
	case err == io.EOF && s.read == s.Rows:
		return nil
	case err == io.EOF:
		err = fmt.Errorf("it has %d rows, its header says %d", s.read, s.Rows)
	case err == nil:
		s.read++
		before := s.unit
		if s.unit = s.row.at(); s.unit < 0 || s.unit >= s.Units || !s.Share.Has(s.unit) {
			err = errors.New("it holds rows that belong to another part")
		} else if s.unit < before {
			err = errors.New("damaged: its rows are out of order")
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w: %w", s.path, ErrPart, err)
	}
	return nil
}

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
		if err := s.next(); err != nil {
			return err
		}
	}
	for n := 0; ; {
		open = slices.DeleteFunc(open, func(s *source[T, P]) bool {
			if s.row != nil {
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
		s := slices.MinFunc(open, func(a, b *source[T, P]) int { return cmp.Compare(a.unit, b.unit) })
		for dealt := s.unit / block; s.row != nil && s.unit/block == dealt; n++ {
			if p.Job != Join && s.unit != n {
				return fmt.Errorf("%w: number %d of %d %s is missing or occurs twice", ErrPart, n+1, p.Units,
					p.Job.unit())
			}
			if !use(s.row) {
				return nil
			}
			if n%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if err := s.next(); err != nil {
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
