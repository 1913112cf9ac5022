package store

import (
	"sync"

	"github.com/greedgraph/greed/graph"
)

// numbered is a list of labels by their numbers in the database, from 1; number 0 is the
// wildcard. The value is immutable. Lists that continue one another share memory, so that
// adding a label takes the same time however many there are.
type numbered struct {
	labels  []graph.Label
	longest *longest
}

// longest is the longest of the lists that share memory: each is its beginning.
type longest struct {
	mu      sync.Mutex
	labels  []graph.Label
	numbers map[graph.Label]int
}

// noLabels returns the list that has only the wildcard.
func noLabels() numbered { return list([]graph.Label{graph.Wildcard}) }

// list returns a list that shares memory with no other.
func list(labels []graph.Label) numbered {
	numbers := make(map[graph.Label]int, len(labels))
	for i, l := range labels {
		numbers[l] = i
	}
	return numbered{labels, &longest{labels: labels, numbers: numbers}}
}

// len returns the number of labels, without the wildcard.
func (n numbered) len() int { return len(n.labels) - 1 }

// first returns the list of the first labels.
func (n numbered) first(count int) numbered { return numbered{n.labels[:count+1], n.longest} }

// number returns the number of a label and whether the list has it.
func (n numbered) number(l graph.Label) (int, bool) {
	n.longest.mu.Lock()
	defer n.longest.mu.Unlock()
	i, ok := n.longest.numbers[l]
	return i, ok && i < len(n.labels)
}

// add returns the list with one more label, which it must lack.
func (n numbered) add(l graph.Label) numbered {
	all, i := n.longest, len(n.labels)
	all.mu.Lock()
	defer all.mu.Unlock()
	if i < len(all.labels) && all.labels[i] != l {
		// The longest list is of a change that failed.
		return list(append(n.labels[:i:i], l))
	}
	if i == len(all.labels) {
		all.labels = append(all.labels, l)
		all.numbers[l] = i
	}
	return numbered{all.labels[:i+1], all}
}
