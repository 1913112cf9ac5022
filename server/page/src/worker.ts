// Lays graphs out beside the page, which goes on meanwhile. For every job it says when it
// begins, for the code may take long to come, and what came out.
import { type Job, prepare } from "./layout";

addEventListener("message", async ({ data }: MessageEvent<Job>) => {
  try {
    const work = await prepare(data);
    postMessage({ begun: true });
    postMessage({ scene: work() });
  } catch (e) {
    postMessage({ failed: String(e) });
  }
});
