import type { Task } from "./worker";

// usual is how long one task may take, in milliseconds.
const usual = 4000;

interface Waiting {
  task: Task;
  done: (made: unknown) => void;
  deadline: number;
}

// Beside gives tasks to a worker one by one, the last one first: it is the one in view.
// Where one takes too long or fails, nothing is made.
class Beside {
  private worker: Worker | null = null;
  private readonly waiting: Waiting[] = [];
  private current: Waiting | null = null;
  private timer = 0;

  // add gives a task that may take so long once it has begun.
  add(task: Task, deadline = usual): Promise<unknown> {
    return new Promise((done) => {
      this.waiting.push({ task, done, deadline });
      this.next();
    });
  }

  private next(): void {
    if (this.current || !(this.current = this.waiting.pop() ?? null)) return;
    this.worker ??= this.start();
    this.worker.postMessage(this.current.task);
  }

  private start(): Worker {
    const worker = new Worker(document.querySelector<HTMLMetaElement>("meta[name=worker]")!.content, { type: "module" });
    worker.addEventListener("message", ({ data }) => {
      if (data.begun) this.timer = window.setTimeout(() => this.giveUp(), this.current?.deadline ?? usual);
      else if (data.failed) this.giveUp();
      else this.finish(data.made);
    });
    worker.addEventListener("error", () => this.giveUp());
    return worker;
  }

  private giveUp(): void {
    this.worker?.terminate();
    this.worker = null;
    this.finish(undefined);
  }

  private finish(made: unknown): void {
    clearTimeout(this.timer);
    const { current } = this;
    this.current = null;
    current?.done(made);
    this.next();
  }
}

export const beside = new Beside();
