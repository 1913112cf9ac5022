package greed

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/greedgraph/greed/edit"
)

// NamedCosts are edit costs in an answer, in the form in which requests take them: their name, or an object
// of weights if they have none.
type NamedCosts edit.Costs

// MarshalJSON implements [json.Marshaler].
func (c NamedCosts) MarshalJSON() ([]byte, error) {
	for _, name := range edit.Names() {
		if named, _ := edit.Named(name); reflect.DeepEqual(named, edit.Costs(c)) {
			return json.Marshal(name)
		}
	}
	return json.Marshal(edit.Costs(c))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *NamedCosts) UnmarshalJSON(text []byte) error {
	var name string
	if json.Unmarshal(text, &name) != nil {
		costs, err := edit.ParseCosts(text)
		*c = NamedCosts(costs)
		return err
	}
	named, known := edit.Named(name)
	if !known {
		return fmt.Errorf("no costs are named %q", name)
	}
	*c = NamedCosts(named)
	return nil
}
