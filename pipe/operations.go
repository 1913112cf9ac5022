package pipe

import (
	"errors"
	"sync"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/operation"
)

// operations lists the requests there are.
func (s *server) operations() map[string]handler {
	all := map[string]handler{
		"hello":              s.hello,
		"distances":          op(s, s.distances),
		"explain":            op(s, s.explain),
		"matched":            op(s, s.matched),
		"expand":             op(s, s.expand),
		"read":               op(s, s.read),
		"columns":            op(s, s.columns),
		"names":              op(s, s.names),
		"collection.open":    op(s, s.openCollection),
		"collection.info":    of(s, &s.collections, s.infoOfCollection),
		"collection.get":     of(s, &s.collections, s.getRecords),
		"collection.save":    of(s, &s.collections, s.saveCollection),
		"collection.attach":  of(s, &s.collections, s.attachModel),
		"collection.vectors": of(s, &s.collections, s.vectorsOf),
		"collection.search":  of(s, &s.collections, s.search),
		"collection.explain": of(s, &s.collections, s.explainAnswers),
		"model.load":         op(s, s.loadModel),
		"model.info":         of(s, &s.models, s.infoOfModel),
		"model.file":         of(s, &s.models, s.modelBytes),
		"model.embed":        of(s, &s.models, s.embed),
		"model.predict":      of(s, &s.models, s.predict),
		"train":              op(s, s.train),
		"free":               op(s, s.free),
	}
	for i := range operation.Table {
		o := &operation.Table[i]
		if name := nameOf(o); all[name] == nil {
			all[name] = s.carryOut(o)
		}
	}
	return all
}

// op returns what reads the arguments of a request, checks those that all have, and carries it out.
func op[A any](s *server, do func(*request, *A) (*answer, error)) handler {
	return func(r *request) (*answer, error) {
		args := new(A)
		if usual, ok := any(args).(interface{ setDefaults() }); ok {
			usual.setDefaults()
		}
		if err := r.decode(args); err != nil {
			return nil, err
		}
		if w, ok := any(args).(interface{ prepare(*server) error }); ok {
			if err := w.prepare(s); err != nil {
				return nil, err
			}
		}
		return do(r, args)
	}
}

// keyArgs name what is kept that a request is about.
type keyArgs struct {
	Key string `json:"key"`
}

func (a *keyArgs) name() string { return a.Key }

// of is [op] of requests about a collection or a model, which it finds.
func of[T any, P interface {
	*A
	name() string
}, A any](s *server, in *registry[T], do func(*request, T, P) (*answer, error)) handler {
	return op(s, func(r *request, args *A) (*answer, error) {
		about, err := in.get(P(args).name())
		if err != nil {
			return nil, err
		}
		if c, ok := any(about).(*greed.Collection); ok {
			r.rules, _ = c.Rules()
		}
		return do(r, about, args)
	})
}

// work says how a request is carried out.
type work struct {
	Workers  int  `json:"workers"` // 0: those of the server
	Progress bool `json:"progress"`
}

// maxWorkers bounds what a request may ask for.
const maxWorkers = 1024

func (w *work) prepare(s *server) error {
	switch {
	case w.Workers < 0:
		return wrongValue("workers: %d: want at least 1", w.Workers)
	case w.Workers == 0:
		w.Workers = s.opt.Workers
	}
	w.Workers = min(w.Workers, maxWorkers)
	return nil
}

// hello checks whether the two sides fit.
func (s *server) hello(*request) (*answer, error) {
	return &answer{result: map[string]int{"protocol": Protocol, "workers": s.opt.Workers}}, nil
}

// registry holds what lives longer than a request, under keys that the other side
// chose. A key that is not there is the error "gone": the other side knows how to
// make the thing again, which it must when it talks to another process.
type registry[T any] struct {
	mu sync.Mutex
	of map[string]T
}

func (k *registry[T]) put(key string, value T) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of == nil {
		k.of = make(map[string]T)
	}
	k.of[key] = value
}

func (k *registry[T]) get(key string) (T, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	value, ok := k.of[key]
	if !ok {
		return value, &failure{Code: "gone", Message: "nothing is stored as " + key}
	}
	return value, nil
}

func (k *registry[T]) drop(key string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.of, key)
}

// free forgets what is kept under some keys.
func (s *server) free(_ *request, args *struct {
	Keys []string `json:"keys"`
}) (*answer, error) {
	var errs []error
	for _, key := range args.Keys {
		if c, err := s.collections.get(key); err == nil {
			errs = append(errs, c.Close())
		}
		s.collections.drop(key)
		s.models.drop(key)
	}
	return new(answer), errors.Join(errs...)
}
