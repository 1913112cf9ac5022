package train

import (
	"sync"
	"sync/atomic"
)

// crew runs the tasks of a step on the workers. Its functions are created once, so that a
// step does not allocate.
type crew struct {
	embed, pairs, back, sum, turn, move func(task int)

	work    func(task int)
	tasks   int
	next    atomic.Int64
	workers []func()
	done    sync.WaitGroup
}

func (c *crew) hire(t *Trainer, workers int) {
	c.embed, c.pairs, c.back = t.embed, t.pairGradients, t.back
	c.sum, c.turn, c.move = t.sum, t.turn, t.move
	for range workers {
		c.workers = append(c.workers, func() {
			for i := c.take(); i < c.tasks; i = c.take() {
				c.work(i)
			}
			c.done.Done()
		})
	}
}

func (c *crew) take() int { return int(c.next.Add(1)) - 1 }

// each calls work once per task. A worker takes the next task when it has finished one.
func (c *crew) each(tasks int, work func(task int)) {
	c.work, c.tasks = work, tasks
	c.next.Store(0)
	c.done.Add(len(c.workers))
	for _, worker := range c.workers[1:] {
		go worker()
	}
	c.workers[0]()
	c.done.Wait()
}
