// Lays graphs out and computes properties beside the page, which goes on meanwhile. For
// every task it says when it begins, for the code may take long to come, and what came out.
import { type Job, prepare } from "./layout";
import type { Wrapping } from "./wrapped";

// Task is a layout, boxes to wrap, or molecules as SMILES whose properties are wanted.
export type Task = Job | Wrapping | { molecules: string[] };

async function prepared(task: Task): Promise<() => unknown> {
  if ("widths" in task) {
    const { wrapped } = await import("./wrapped");
    return () => wrapped(task);
  }
  if (!("molecules" in task)) return prepare(task);
  const { propertiesOf } = await import("./properties");
  return () => propertiesOf(task.molecules);
}

addEventListener("message", async ({ data }: MessageEvent<Task>) => {
  try {
    const work = await prepared(data);
    postMessage({ begun: true });
    postMessage({ made: work() });
  } catch (e) {
    postMessage({ failed: String(e) });
  }
});
