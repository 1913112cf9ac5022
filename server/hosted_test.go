package server

import "testing"

// TestChangesDoNotWaitForMaps: while a map is made, a change is noted at once.
func TestChangesDoNotWaitForMaps(t *testing.T) {
	s := &hosted{maps: map[string]*projection{"ged": {}}}
	s.making.Lock()
	noted := make(chan struct{})
	go func() {
		s.changed()
		close(noted)
	}()
	<-noted
	if p, changes := s.cachedMap(0); p != nil || changes != 1 {
		t.Errorf("a map of the collection before is kept after %d changes", changes)
	}
	s.making.Unlock()
}
