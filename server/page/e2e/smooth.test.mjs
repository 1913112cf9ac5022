// Nothing holds up the page: what takes long is done beside it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { engine, folder, greed, serve, visit } from "./service.mjs";
import { ask, browser, demo, done, on } from "./steps.mjs";

const vancomycin = "CC1C(C(CC(O1)OC2C(C(C(OC2OC3=C4C=C5C=C3OC6=C(C=C(C=C6)C(C(C(=O)NC(C(=O)NC5C(=O)NC7C8=CC(=C(C=C8)O)C9=C(C=C(C=C9O)O)C(NC(=O)C(C(C1=CC(=C(O4)C=C1)Cl)O)NC7=O)C(=O)O)CC(=O)N)NC(=O)C(CC(C)C)NC)O)Cl)CO)O)O)(C)N)O";
const porphyrin = "c1ccc(cc1)c2c3ccc([nH]3)c(c4ccccc4)c5ccc(n5)c(c6ccccc6)c7ccc([nH]7)c(c8ccccc8)c9ccc2n9";

// A graph of 300 named nodes.
const network = (directed) => JSON.stringify({
  directed, multigraph: false, graph: {}, nodes: Array.from({ length: 300 }, (_, id) => ({ id, label: `module_${id % 40}` })),
  edges: [...Array(299).keys()].flatMap((i) => [{ source: i >> 1, target: i + 1, label: "call" }, ...(i % 2 && i > 20 ? [{ source: i - 9, target: i + 1, label: "call" }] : [])]),
});

// Of two drawings of 300 nodes each has some 3,100 elements.
const most = 4000;

// smooth does something and observes that no task of the page inserts more elements than one large
// drawing has, and that the code for layouts is loaded by the worker alone. How long a task takes
// depends on both; in Chromium the longest is printed, in the processor's time.
async function smooth(t, name, page, work) {
  await page.evaluate(() => {
    window.inserted = [0];
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => inserted.push(0); // the next task
    window.observer = new MutationObserver((list) => {
      if (inserted.at(-1) === 0) port2.postMessage(null);
      for (const { addedNodes } of list) for (const e of addedNodes) inserted[inserted.length - 1] += 1 + (e.querySelectorAll?.("*").length ?? 0);
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  const traced = engine === "chromium";
  if (traced) await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  await work();
  await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => setTimeout(shown))));
  if (traced) t.diagnostic(`${name}: ${longest(JSON.parse((await browser.stopTracing()).toString())).toFixed(0)} ms`);
  const { greatest, loaded } = await page.evaluate(() => {
    observer.disconnect();
    return { greatest: Math.max(...inserted), loaded: performance.getEntriesByType("resource").map((e) => e.name) };
  });
  assert.ok(greatest > 0 && greatest <= most, `${name}: ${greatest} elements in one task`);
  assert.deepEqual(loaded.filter((to) => /\/(network|molecule|openchemlib)-/.test(to)), []);
}

// put gives the page a query.
const put = (page, query) => page.evaluate((query) => {
  const text = document.getElementById("text");
  text.value = query;
  text.dispatchEvent(new Event("change"));
}, query);

// longest returns the longest task of a trace of the page, in milliseconds.
function longest({ traceEvents }) {
  const mains = new Set(traceEvents.filter((e) => e.name === "thread_name" && e.args.name === "CrRendererMain").map((e) => `${e.pid} ${e.tid}`));
  const tasks = traceEvents.filter((e) => e.name === "ThreadControllerImpl::RunTask" && e.tdur !== undefined && mains.has(`${e.pid} ${e.tid}`));
  return Math.max(...tasks.map((e) => e.tdur / 1000));
}

test("no task holds the page up while large graphs are drawn", (t) => on("", async (page) => {
  for (const [name, text, nodes] of [["porphyrin", porphyrin, 48], ["vancomycin", vancomycin, 101], ["directed", network(true), 300], ["undirected", network(false), 300]]) {
    await smooth(t, name, page, async () => {
      await put(page, text);
      await page.waitForFunction((n) => document.querySelectorAll("#query .node").length === n, nodes);
    });
  }
})());

// Of the molecules that come with the program one in fifty, or all with GREED_SWEEP=long.
test("nor while any molecule of the demonstration is drawn", (t) => on("", async (page) => {
  const molecules = [];
  for (let cursor = ""; cursor !== undefined;) {
    const part = await fetch(`${demo.url}/v1/collections/demo/graphs?limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`).then((r) => r.json());
    molecules.push(...part.graphs.map((g) => g.smiles));
    cursor = part.next;
  }
  assert.equal(molecules.length, 4999);
  const some = process.env.GREED_SWEEP === "long" ? molecules : molecules.filter((_, i) => i % 50 === 0);
  const draw = (list) => page.evaluate(async (all) => {
    const text = document.getElementById("text"), drawing = document.querySelector("#query .drawing");
    for (const smiles of all) {
      if (text.value === smiles) continue;
      const drawn = new Promise((done) => new MutationObserver((_, o) => (o.disconnect(), done())).observe(drawing, { childList: true }));
      text.value = smiles;
      text.dispatchEvent(new Event("change"));
      await drawn;
    }
  }, list);
  for (let i = 0; i < some.length; i += 25) await smooth(t, some[i], page, () => draw(some.slice(i, i + 25)));
})());

test("nor while two graphs of 300 nodes are compared and seen over the whole window", async (t) => {
  const index = join(folder, "large.greed"), file = join(folder, "large.json");
  writeFileSync(file, network(true).replaceAll("module_39", "module_new"));
  execFileSync(greed, ["index", "build", file, "-o", index], { stdio: "pipe" });
  const service = await serve([index]);
  const { page, faults, context } = await visit(browser, service);
  await put(page, network(true));
  await page.waitForFunction(() => document.querySelectorAll("#query .node").length === 300);
  await smooth(t, "the search", page, async () => {
    await page.click("#search");
    await done(page);
    await page.locator("#comparison .edit").first().waitFor();
  });
  await smooth(t, "the whole window", page, async () => {
    await page.click("#enlarge");
    await page.locator(".viewer .chart").first().locator(".spot").first().waitFor();
  });
  await smooth(t, "all nodes", page, async () => {
    await page.locator(".viewer input[type=checkbox]").uncheck();
    await page.waitForFunction(() => document.querySelector(".viewer .chart").querySelectorAll(".spot").length === 300);
  });
  assert.deepEqual(faults, []);
  await context.close();
});

test("a layout that takes too long or cannot be made is plain", on("", async (page, context) => {
  await context.route("**/molecule-*.js", (route) => route.abort());
  await ask(page, "CC(=O)O");
  await page.waitForFunction(() => document.querySelectorAll("#query .node").length === 4);
  assert.equal(await page.locator("#query .drawing.molecule").count(), 0);
}));
