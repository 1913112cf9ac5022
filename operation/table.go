package operation

import (
	"context"
	"reflect"
	"time"

	greed "github.com/greedgraph/greed"
	"github.com/greedgraph/greed/dataset"
	"github.com/greedgraph/greed/edit"
	"github.com/greedgraph/greed/truth"
)

// Operation is what greed does for a request. Surfaces are loops over the [Table]: they read the graphs
// that an operation takes, plan the request, and run the plan.
type Operation struct {
	Name    string // in the pipe, and of the operation in OpenAPI
	Route   string // method and path over HTTP
	Command string // of the command line
	Summary string // in a few words
	Group   string // of operations that are described together
	About   string // more, in sentences
	Takes   Takes
	Request reflect.Type
	Result  reflect.Type
	Tools   []Tool // for assistants

	plan func(request any, l Limits, usual Usual) (*Planned, error)
}

// Takes says which graphs an operation takes.
type Takes int

const (
	// APair is a query and a target, which may be of a collection.
	APair Takes = iota
	// AQuery is a graph that is compared with those of a collection.
	AQuery
	// AGraph is a graph, which is read by the rules of a collection if the request names one.
	AGraph
	// NoGraph is a collection alone.
	NoGraph
	// Nothing but the request.
	Nothing
	// TwoCollections are a collection and, if it is named, another one.
	TwoCollections
	// Graphs are those that are put into a collection.
	Graphs
)

// InCollection reports whether an operation is about a collection.
func (t Takes) InCollection() bool { return t != APair && t != AGraph && t != Nothing }

// Tool is how assistants use an operation.
type Tool struct {
	Name, Title, About string
	Usual              map[string]any // arguments that are not given
	Hidden             []string       // members of the request that it does not offer
}

// Usual are the costs of a collection's models, or nil where there is none.
type Usual func(greed.Task) edit.Costs

// of returns the costs of a task: those of a model, or uniform ones.
func (u Usual) of(task greed.Task) edit.Costs {
	if u == nil {
		return edit.Uniform()
	}
	return u(task)
}

// Inputs are what an operation works on: graphs and collections, as a surface has read them.
type Inputs struct {
	Query, Target *dataset.Record
	Put           []dataset.Record
	// Collection and Other are those that the request names; nil: none.
	Collection, Other *greed.Collection
	// Rules are those by which the graphs were read.
	Rules dataset.Rules
	// Pairs, if not nil, are near pairs that were found before.
	Pairs []truth.Pair
	// Maps keeps the node maps of answers to a search, which a certificate of them has.
	Maps bool
	// Time is the share of this run in the time of a request, of several; 0: all.
	Time time.Duration
	// Plane is [greed.Collection.Plane], if not nil, that has been computed before.
	Plane func(context.Context, greed.Task) (*greed.Plane, error)
	// Affords says whether so many edits may be held. If it is nil, they may.
	Affords func(edits int) bool
	// Progress, if not nil, is called as work on pairs goes on, Searching as a search does.
	Progress  func(stage string, done, total int)
	Searching func(greed.Progress)
}

func (in *Inputs) plane(ctx context.Context, task greed.Task) (*greed.Plane, error) {
	if in.Plane != nil {
		return in.Plane(ctx, task)
	}
	return in.Collection.Plane(ctx, task)
}

// Planned is a request that was understood.
type Planned struct {
	// Costs are those that graphs are compared by, if the request says so or its task has usual ones.
	// What they compare becomes the labels of graphs that are read for it.
	Costs []edit.Costs
	// Time is the limit of the work, [greed.NoLimit] if there is none, and 0 if it takes so little that no
	// surface rations it.
	Time time.Duration
	// Pattern, if not nil, takes the place of a query: see [PatternRecord].
	Pattern *greed.SMARTS
	// Named labels nodes without labels by their names.
	Named bool
	// Task is that of a search.
	Task greed.Task
	// Run carries it out. What it returns is a pointer to the operation's type of results, or nil; a search that is
	// interrupted returns what it found with the error. Runs on several goroutines share memory of solvers.
	Run func(ctx context.Context, in *Inputs) (any, error)
}

// Plan understands a request, a pointer to a value of the operation's type, or returns an [Error] that
// names a field.
func (o *Operation) Plan(request any, l Limits, usual Usual) (*Planned, error) {
	if err := check(request); err != nil {
		return nil, err
	}
	return o.plan(request, l, usual)
}

// New returns a pointer to a request with its defaults.
func (o *Operation) New() any {
	request := reflect.New(o.Request).Interface()
	SetDefaults(request)
	return request
}

// planned is the pointer to a request that is understood in one step.
type planned[R any] interface {
	*R
	Plan(Limits, Usual) (*Planned, error)
}

// describe completes an operation with a request of type R, whose results have type T.
func describe[R, T any, P planned[R]](o Operation) Operation {
	o.Request, o.Result = reflect.TypeFor[R](), reflect.TypeFor[T]()
	o.plan = func(request any, l Limits, usual Usual) (*Planned, error) { return P(request.(*R)).Plan(l, usual) }
	return o
}

// Of returns the operation that a request, a pointer to a struct, is for, or nil.
func Of(request any) *Operation {
	for i := range Table {
		if reflect.TypeOf(request).Elem() == Table[i].Request {
			return &Table[i]
		}
	}
	return nil
}

// Find returns the operation of a name, or nil.
func Find(name string) *Operation {
	for i := range Table {
		if Table[i].Name == name {
			return &Table[i]
		}
	}
	return nil
}
