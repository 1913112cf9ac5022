package pipe

import "github.com/greedgraph/greed"

// operations lists the requests there are.
func (s *server) operations() map[string]handler {
	return map[string]handler{
		"hello":              s.hello,
		"distance":           op(s, s.distance),
		"explain":            op(s, s.explain),
		"matched":            op(s, s.matched),
		"mcs":                op(s, s.mcs),
		"expand":             op(s, s.expand),
		"read":               op(s, s.read),
		"collection.open":    op(s, s.openCollection),
		"collection.info":    of(s, s.infoOfCollection),
		"collection.change":  of(s, s.change),
		"collection.get":     of(s, s.getRecords),
		"collection.save":    of(s, s.saveCollection),
		"collection.attach":  of(s, s.attachModel),
		"collection.vectors": of(s, s.vectorsOf),
		"collection.search":  of(s, s.search),
		"collection.nearest": of(s, s.nearest),
		"collection.join":    of(s, s.join),
		"collection.cliffs":  of(s, s.cliffs),
		"model.load":         op(s, s.loadModel),
		"model.info":         op(s, s.infoOfModel),
		"model.file":         op(s, s.modelBytes),
		"model.embed":        op(s, s.embed),
		"model.predict":      op(s, s.predict),
		"train":              op(s, s.train),
		"free":               op(s, s.free),
	}
}

// op returns what reads the arguments of a request, checks those that all have, and carries it out.
func op[A any](s *server, do func(*request, *A) (*answer, error)) handler {
	return func(r *request) (*answer, error) {
		args := new(A)
		if usual, ok := any(args).(interface{ setDefaults() }); ok {
			usual.setDefaults()
		}
		if err := r.read(args); err != nil {
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

// of is [op] of requests about a collection, which it finds.
func of[P interface {
	*A
	name() string
}, A any](s *server, do func(*request, *greed.Collection, P) (*answer, error)) handler {
	return op(s, func(r *request, args *A) (*answer, error) {
		c, err := s.collections.get(P(args).name())
		if err != nil {
			return nil, err
		}
		r.rules, _ = c.Rules()
		return do(r, c, args)
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

// hello tells the two sides whether they fit.
func (s *server) hello(*request) (*answer, error) {
	return &answer{result: map[string]int{"protocol": Protocol, "workers": s.opt.Workers}}, nil
}
