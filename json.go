package greed

import (
	"encoding/json"
	"math"

	"github.com/greedgraph/greed/chem/transform"
	"github.com/greedgraph/greed/edit"
)

// FoundJSON is the JSON of [Found].
type FoundJSON struct {
	Question  Question   `json:"question" doc:"How the search was understood"`
	Unmatched *Unmatched `json:"unmatched,omitempty" doc:"Labels of the query that no graph of the collection has"`
	Task      Task       `json:"task" enum:"ged,sed"`
	Mode      Mode       `json:"mode" enum:"proven,checked,predicted" doc:"The mode that was asked for"`
	Status    Status     `json:"status" enum:"proven,open,checked,predicted" doc:"What the answers are: proven, complete and exact; open, stopped before all was proven; checked, candidates of a model; predicted, by vectors alone"`
	// Certified is true exactly where the status is proven.
	Certified bool         `json:"certified" doc:"The status is proven"`
	Verdict   string       `json:"verdict" doc:"What the answers are worth, in a sentence"`
	K         int          `json:"k,omitempty" doc:"How many answers were asked for at most"`
	Radius    *float64     `json:"radius,omitempty" doc:"The greatest distance that was asked for"`
	Model     bool         `json:"model" doc:"Candidates were ordered or found by a model's vectors"`
	Costs     edit.Costs   `json:"costs"`
	Warnings  []string     `json:"warnings,omitempty"`
	Answers   []AnswerJSON `json:"answers" doc:"Nearest first"`
	// Unexplained is written where edits were asked for.
	Unexplained int        `json:"unexplained,omitempty" doc:"How many answers, of which edits were asked for, lack them because the time or the memory for the request did not suffice"`
	Total       int        `json:"total,omitempty" doc:"Of answers given in parts, how many there are in all"`
	Next        string     `json:"next,omitempty" doc:"The cursor of the part behind, if there is one"`
	Open        *Undecided `json:"open,omitempty" doc:"What may still change"`
	Tied        *Tied      `json:"tied,omitempty" doc:"Graphs as far away as the last of k answers, which come after it in the order of equals"`
	Stats       Stats      `json:"stats"`
	Seconds     Seconds    `json:"seconds"`
}

// AnswerJSON is the JSON of [Answer]. An answer that was only predicted has no
// lower, upper, ged, sed and nged.
type AnswerJSON struct {
	ID         string         `json:"id"`
	Name       string         `json:"name,omitempty" doc:"Absent where it is the id"`
	SMILES     string         `json:"smiles,omitempty"`
	Position   int            `json:"position" doc:"The number of the graph in the collection"`
	Attributes map[string]any `json:"attributes,omitempty" doc:"The attributes that the request names"`
	Predicted  *float64       `json:"predicted,omitempty" doc:"What the model predicts"`
	Lower      *float64       `json:"lower,omitempty" doc:"The distance is this or more"`
	Upper      *float64       `json:"upper,omitempty" doc:"The distance is this or less"`
	Exact      bool           `json:"exact" doc:"The bounds meet"`
	GED        *float64       `json:"ged,omitempty" doc:"The distance, where it is known exactly"`
	SED        *float64       `json:"sed,omitempty" doc:"The distance, where it is known exactly"`
	// NGED is the upper bound of the GED divided by (n₁+n₂)/2.
	NGED            *float64                   `json:"nged,omitempty" doc:"The upper bound of the GED, divided by the mean number of nodes"`
	Similarity      float64                    `json:"similarity" doc:"Of the upper bound, or of the prediction where nothing else is known"`
	Map             edit.NodeMap               `json:"map,omitzero" doc:"For every query node the node of the graph found, or -1"`
	Nodes           []string                   `json:"nodes,omitempty" doc:"The names of the nodes of the graph found, where they have any; with the map"`
	Edits           []edit.Operation           `json:"edits,omitzero" doc:"What turns the query into the graph found, or into a part of it"`
	Transformations []transform.Transformation `json:"transformations,omitzero" doc:"What differs between two molecules, as fragments that are exchanged; for sed also what the molecule found has beyond the query"`
}

// JSON returns the form that is written as JSON.
func (f Found) JSON() FoundJSON {
	j := FoundJSON{
		Question: f.Question, Unmatched: f.Unmatched,
		Task: f.Task, Mode: f.Mode, Status: f.Status, Certified: f.Certified(), Verdict: f.Verdict(), K: f.K, Model: f.Model, Costs: f.Costs,
		Warnings: f.Warnings, Answers: make([]AnswerJSON, len(f.Answers)), Stats: f.Stats, Seconds: f.Seconds, Total: f.Total, Next: f.Next, Unexplained: f.Unexplained,
	}
	if f.bounded() {
		j.Radius = &f.Radius
	}
	if f.Open.Missing > 0 || f.Open.Inexact > 0 {
		j.Open = &f.Open
	}
	if f.Tied != (Tied{}) {
		j.Tied = &f.Tied
	}
	for i, a := range f.Answers {
		j.Answers[i] = a.JSON()
	}
	return j
}

// MarshalJSON implements [json.Marshaler].
func (f Found) MarshalJSON() ([]byte, error) { return json.Marshal(f.JSON()) }

// UnmarshalJSON implements [json.Unmarshaler].
func (f *Found) UnmarshalJSON(data []byte) error {
	var j FoundJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*f = Found{
		Question: j.Question, Unmatched: j.Unmatched,
		Task: j.Task, Mode: j.Mode, Status: j.Status, K: j.K, Radius: math.Inf(1), Model: j.Model, Costs: j.Costs,
		Warnings: j.Warnings, Answers: make([]Answer, len(j.Answers)), Stats: j.Stats, Seconds: j.Seconds, Total: j.Total, Next: j.Next, Unexplained: j.Unexplained,
	}
	if j.Radius != nil {
		f.Radius = *j.Radius
	}
	if j.Open != nil {
		f.Open = *j.Open
	}
	if j.Tied != nil {
		f.Tied = *j.Tied
	}
	for i := range j.Answers {
		f.Answers[i].take(&j.Answers[i])
		f.Answers[i].task = j.Task
	}
	return nil
}

// JSON returns the form that is written as JSON.
func (a Answer) JSON() AnswerJSON {
	j := AnswerJSON{
		ID: a.ID, Name: a.Name, SMILES: a.SMILES, Position: a.Position, Attributes: a.Attributes, Predicted: a.predicted, Similarity: a.Similarity, Map: a.Map, Nodes: a.Nodes, Edits: a.Edits, Transformations: a.Transformations,
	}
	if j.Name == j.ID {
		j.Name = "" // it says nothing more
	}
	if !a.bounded {
		return j
	}
	j.Lower, j.Upper = &a.lower, &a.upper
	if a.task == GED {
		j.NGED = &a.nged
	}
	if j.Exact = a.lower == a.upper; j.Exact && a.task == GED {
		j.GED = &a.upper
	} else if j.Exact {
		j.SED = &a.upper
	}
	return j
}

// MarshalJSON implements [json.Marshaler].
func (a Answer) MarshalJSON() ([]byte, error) { return json.Marshal(a.JSON()) }

// UnmarshalJSON implements [json.Unmarshaler].
func (a *Answer) UnmarshalJSON(data []byte) error {
	var j AnswerJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	a.take(&j)
	return nil
}

func (a *Answer) take(j *AnswerJSON) {
	*a = Answer{
		ID: j.ID, Name: j.Name, SMILES: j.SMILES, Position: j.Position, Attributes: j.Attributes, Similarity: j.Similarity, Map: j.Map, Nodes: j.Nodes, Edits: j.Edits, Transformations: j.Transformations, predicted: j.Predicted,
	}
	if j.SED != nil {
		a.task = SED
	}
	if j.Lower != nil && j.Upper != nil {
		a.bounded, a.lower, a.upper = true, *j.Lower, *j.Upper
	}
	a.nged, _ = value(j.NGED)
}
