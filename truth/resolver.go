package truth

import "fmt"

// resolver finds the positions of ids.
type resolver struct{ queries, targets map[string]int }

// twice marks an id that several graphs have.
const twice = -1

func newResolver(queryIDs, targetIDs []string) resolver {
	index := func(ids []string) map[string]int {
		at := make(map[string]int, len(ids))
		for i, id := range ids {
			if _, ok := at[id]; ok {
				at[id] = twice
			} else {
				at[id] = i
			}
		}
		return at
	}
	return resolver{index(queryIDs), index(targetIDs)}
}

func (r resolver) pair(query, target string) (Pair, error) {
	q, err := find(r.queries, query, "query")
	if err != nil {
		return Pair{}, err
	}
	t, err := find(r.targets, target, "target")
	if err != nil {
		return Pair{}, err
	}
	return NewPair(q, t), nil
}

func find(at map[string]int, id, side string) (int, error) {
	i, ok := at[id]
	switch {
	case !ok:
		return 0, fmt.Errorf("there is no %s with id %q", side, id)
	case i == twice:
		return 0, fmt.Errorf("several graphs have the %[1]s id %[2]q", side, id)
	}
	return i, nil
}
