package train

import "sync"

// crew runs the parts of a step on the workers. All its functions are made
// once, so that a step allocates nothing.
type crew struct {
	embed, pairs, back, turn func(part int)

	work   func(part int)
	shares []func()
	done   sync.WaitGroup
}

func (c *crew) hire(t *Trainer, workers int) {
	c.embed, c.pairs, c.back = t.embed, t.pairGradients, t.back
	c.turn = t.turn
	for w := range workers {
		c.shares = append(c.shares, func() {
			for i := w; i < parts; i += workers {
				c.work(i)
			}
			c.done.Done()
		})
	}
}

// each calls work for every part.
func (c *crew) each(work func(part int)) {
	c.work = work
	c.done.Add(len(c.shares))
	for _, share := range c.shares[1:] {
		go share()
	}
	c.shares[0]()
	c.done.Wait()
}
