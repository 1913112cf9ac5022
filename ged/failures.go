package ged

// failures remembers which rows states failed on: those that were pruned at once when a pair
// of the row was fixed. Where two parts of the graphs hardly depend on each other, a part whose
// program is weak keeps every state open until it is searched, under each choice in the other.
// Rows that failed of late are branched on first, so the weak part is searched at the top, once
// (after the weights of Boussemart and others, 2004, with the decay of solvers of clauses).
type failures struct {
	score []float64 // by row of the problem
	unit  float64   // what the next failure counts
}

const (
	failureDecay  = 0.9 // what failures count after each pair that was searched
	failureWeight = 3
	mostFailures  = 1e100 // scores are divided by unit before it exceeds this
)

func (f *failures) forget(rows int) {
	f.score = resize(f.score, rows)
	clear(f.score)
	f.unit = 1
}

// learn takes up that a pair of the row was searched, and whether it failed.
func (f *failures) learn(row int32, failed bool) {
	if f.unit /= failureDecay; f.unit > mostFailures {
		for i := range f.score {
			f.score[i] /= f.unit
		}
		f.unit = 1
	}
	if failed {
		f.score[row] += f.unit
	}
}

func (f *failures) weight(row int32) float64 { return 1 + failureWeight*f.score[row]/f.unit }
