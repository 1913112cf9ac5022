package server

import (
	"fmt"
	"math"
	"runtime"
	"time"
)

// Limits bound what one request, and all of them together, may cost.
type Limits struct {
	Body      int64 // bytes of a request
	BatchBody int64 // bytes of a batch of graphs
	Batch     int   // graphs of a batch
	Nodes     int   // of a graph in a request
	Edges     int
	Answers   int           // of a search
	Time      time.Duration // of the solver for a request, at most
	Memory    int64         // bytes of the solver for a request
	Read      time.Duration // to receive a request; more at a rate that is not too slow
	Bodies    int64         // bytes of all bodies that are held
	Reading   int64         // bytes that may be allocated for reading all of them
	Sending   int64         // bytes of all answers that clients are receiving

	// Plain is how many requests are read, and answered without the solver, at a time, with
	// one more of a client of little use; PlainQueue is how many wait for that. Requests that
	// change something have as many permits of their own. Solver and SolverQueue are the same
	// for the exact solver; one client address may hold SolverShare of both together.
	// WriteQueue is how many changes of a collection wait.
	Plain, PlainQueue   int
	Solver, SolverQueue int
	SolverShare         int
	WriteQueue          int
}

// DefaultLimits returns limits for a machine that does little else.
func DefaultLimits() Limits {
	cores := runtime.GOMAXPROCS(0)
	return Limits{
		Body: 1 << 20, BatchBody: 64 << 20, Batch: 10_000, Nodes: 1000, Edges: 5000, Answers: 1000,
		Time: 30 * time.Second, Memory: 256 << 20,
		Read: 10 * time.Second, Bodies: 256 << 20, Reading: 512 << 20, Sending: 256 << 20,
		Plain: cores, PlainQueue: 64 * cores,
		Solver: cores, SolverQueue: 32 * cores, SolverShare: 24 * cores, WriteQueue: 64,
	}
}

// Total returns the most bytes that requests hold together, beside the collections:
// bodies and what is read of them, the solver and the edits of the requests under its permits
// and of as many that run on without one, answers that clients are receiving, and a piece
// of an answer for each connection.
func (l *Limits) Total() int64 {
	return l.Bodies + l.Reading + l.Sending + l.Memory*int64(2*l.Solver+1) + connections*piece
}

// Threads returns for how many threads goroutines should run at a time: one for each permit to read and
// to solve. If all threads of the Go runtime computed without a pause, it would look at the network every 10 ms only;
// the system shares the cores more evenly.
func (l *Limits) Threads() int { return l.Plain + 1 + l.Solver + 1 }

// leastMemory is the least memory of a request that the solver can use well.
const leastMemory = 8 << 20

// Within divides so many bytes among what [Limits.Total] counts, in the proportions that
// they have. Requests become smaller where they would not fit. It is an error if that is
// too little to work with.
func (l Limits) Within(total int64) (Limits, error) {
	const pieces = connections * piece
	factor := float64(total-pieces) / float64(l.Total()-pieces)
	if float64(l.Memory)*factor < leastMemory {
		least := pieces + float64(l.Total()-pieces)*leastMemory/float64(l.Memory)
		return l, fmt.Errorf("%d MiB for all requests together are too few: %.0f MiB are needed", total>>20,
			math.Ceil(least/(1<<20)))
	}
	for _, part := range []*int64{&l.Bodies, &l.Reading, &l.Sending, &l.Memory} {
		*part = int64(float64(*part) * factor)
	}
	l.Body = min(l.Body, l.Bodies/4, l.Reading/readingCost)
	l.BatchBody = min(l.BatchBody, l.Bodies/4)
	return l, nil
}
