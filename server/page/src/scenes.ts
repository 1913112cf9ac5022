import type { Job } from "./layout";
import { plain } from "./plain";
import type { Scene } from "./scene";
import type { GraphJSON } from "./types";

// deadline is how long one layout may take, in milliseconds.
const deadline = 4000;

interface Waiting {
  job: Job;
  done: (scene: Scene | null) => void;
}

// Layouts gives jobs to a worker one by one, the last one first: it is the one in view.
// Where a layout takes too long or fails, the graph is laid out plainly.
class Layouts {
  private worker: Worker | null = null;
  private readonly waiting: Waiting[] = [];
  private current: Waiting | null = null;
  private timer = 0;

  add(job: Job): Promise<Scene | null> {
    return new Promise((done) => {
      this.waiting.push({ job, done });
      this.next();
    });
  }

  private next(): void {
    if (this.current || !(this.current = this.waiting.pop() ?? null)) return;
    this.worker ??= this.start();
    this.worker.postMessage(this.current.job);
  }

  private start(): Worker {
    const worker = new Worker(document.querySelector<HTMLMetaElement>("meta[name=worker]")!.content, { type: "module" });
    worker.addEventListener("message", ({ data }) => {
      if (data.begun) this.timer = window.setTimeout(() => this.giveUp(), deadline);
      else if (data.failed) this.giveUp();
      else this.finish(data.scene);
    });
    worker.addEventListener("error", () => this.giveUp());
    return worker;
  }

  private giveUp(): void {
    this.worker?.terminate();
    this.worker = null;
    this.finish(this.current && plain(this.current.job));
  }

  private finish(scene: Scene | null): void {
    clearTimeout(this.timer);
    this.current?.done(scene);
    this.current = null;
    this.next();
  }
}

const layouts = new Layouts();

// sceneOf lays out a molecule as such and any other graph as a network. smiles is the
// molecule as it was written, if it was.
export const sceneOf = (smiles: string | undefined, graph: GraphJSON | undefined) => layouts.add({ smiles, graph });

// sceneOn lays a graph out on a query.
export async function sceneOn(query: Scene, map: number[], smiles: string | undefined, graph: GraphJSON): Promise<Scene> {
  return (await layouts.add({ smiles, graph, on: { query, map } }))!; // there is a graph
}
