package operation

// Embed asks for the vector of a graph.
type Embed struct {
	Task string `json:"task,omitempty" enum:"ged,sed" default:"ged" doc:"Which model of the collection embeds: that of ged or that of sed"`
}

// Parse asks how graphs are read.
type Parse struct {
	Collection string `json:"collection,omitempty" doc:"Read as the graphs of this collection were"`
}

// Change asks for graphs to be kept and deleted, all at once. Each surface has its own form
// of the graphs.
type Change struct {
	Delete []string `json:"delete,omitempty" doc:"The ids of graphs to delete before others are put"`
}
