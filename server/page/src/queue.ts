// Queue runs few tasks at a time, the one asked for last first: it is the one in
// view.
export class Queue {
  private readonly waiting: (() => Promise<void>)[] = [];
  private running = 0;

  constructor(private readonly most: number) {}

  add(task: () => Promise<void>): void {
    this.waiting.push(task);
    void this.next();
  }

  clear(): void {
    this.waiting.length = 0;
  }

  private async next(): Promise<void> {
    if (this.running >= this.most) return;
    const task = this.waiting.pop();
    if (!task) return;
    this.running++;
    try {
      await task();
    } finally {
      this.running--;
      void this.next();
    }
  }
}
