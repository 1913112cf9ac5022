package ged

// failures remembers which rows states failed on: those that were pruned at once when a pair
// of the row was fixed. Where two parts of the graphs hardly depend on each other, a part whose
// program is weak keeps every state open until it is searched, under each choice in the other.
// Rows that failed of late are branched on first, so the weak part is searched at the top, once
// (after the weights of Boussemart and others, 2004, with the decay of solvers of clauses).
// Rows whose pairs leave the bound where it was come last, since each of them makes two states that
// are as hard as one (after the pseudo-costs of Bénichou and others, 1971).
type failures struct {
	score []float64 // by row of the problem
	unit  float64   // what the next failure counts

	closed, tries []float64 // by row: the shares of the gap that its pairs closed, and how many pairs
}

const (
	failureDecay  = 0.9 // what failures count after each pair that was searched
	failureWeight = 3
	mostFailures  = 1e100 // scores are divided by unit before it exceeds this

	// A row begins with so many tries that closed half of the gap, and keeps the least weight.
	firstTries  = 0.5
	leastWeight = 0.03
)

func (f *failures) forget(rows int) {
	for _, values := range []*[]float64{&f.score, &f.closed, &f.tries} {
		*values = resize(*values, rows)
		clear(*values)
	}
	f.unit = 1
}

// learn takes up that a pair of the row was searched, and which share of the gap it closed at once.
func (f *failures) learn(row int32, closed float64) {
	f.closed[row] += closed
	f.tries[row]++
	if f.unit /= failureDecay; f.unit > mostFailures {
		for i := range f.score {
			f.score[i] /= f.unit
		}
		f.unit = 1
	}
	if closed == 1 {
		f.score[row] += f.unit
	}
}

func (f *failures) weight(row int32) float64 {
	closed := (f.closed[row] + firstTries/2) / (f.tries[row] + firstTries)
	return (1 + failureWeight*f.score[row]/f.unit) * (leastWeight + closed)
}
