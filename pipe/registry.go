package pipe

import (
	"errors"
	"sync"
)

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
