package pipe

import (
	"errors"
	"sync"

	"github.com/greedgraph/greed"
	"github.com/greedgraph/greed/model"
)

// registry holds what lives longer than a request, under keys that the other side
// chose. A key that is not there is the error "gone": the other side knows how to
// make the thing again, which it must when it talks to another process.
type registry struct {
	mu          sync.Mutex
	collections map[string]*greed.Collection
	models      map[string]*model.Model
}

func register[T any](k *registry, in *map[string]T, key string, value T) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if *in == nil {
		*in = make(map[string]T)
	}
	(*in)[key] = value
}

func find[T any](k *registry, in *map[string]T, key string) (T, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	value, ok := (*in)[key]
	if !ok {
		return value, &failure{Code: "gone", Message: "nothing is kept as " + key}
	}
	return value, nil
}

// free forgets what is kept under some keys.
func (s *server) free(_ *request, args *struct {
	Keys []string `json:"keys"`
}) (*answer, error) {
	s.registry.mu.Lock()
	defer s.registry.mu.Unlock()
	var errs []error
	for _, key := range args.Keys {
		if c := s.registry.collections[key]; c != nil {
			errs = append(errs, c.Close())
		}
		delete(s.registry.collections, key)
		delete(s.registry.models, key)
	}
	return new(answer), errors.Join(errs...)
}
