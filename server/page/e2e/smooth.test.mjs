// Nothing holds up the page: what takes long is done beside it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { engine } from "./service.mjs";
import { ask, browser, on } from "./steps.mjs";

const vancomycin = "CC1C(C(CC(O1)OC2C(C(C(OC2OC3=C4C=C5C=C3OC6=C(C=C(C=C6)C(C(C(=O)NC(C(=O)NC5C(=O)NC7C8=CC(=C(C=C8)O)C9=C(C=C(C=C9O)O)C(NC(=O)C(C(C1=CC(=C(O4)C=C1)Cl)O)NC7=O)C(=O)O)CC(=O)N)NC(=O)C(CC(C)C)NC)O)Cl)CO)O)O)(C)N)O";
const porphyrin = "c1ccc(cc1)c2c3ccc([nH]3)c(c4ccccc4)c5ccc(n5)c(c6ccccc6)c7ccc([nH]7)c(c8ccccc8)c9ccc2n9";

// A graph of 300 named nodes.
const network = (directed) => JSON.stringify({
  directed, multigraph: false, graph: {}, nodes: Array.from({ length: 300 }, (_, id) => ({ id, label: `module_${id % 40}` })),
  edges: [...Array(299).keys()].flatMap((i) => [{ source: i >> 1, target: i + 1, label: "call" }, ...(i % 2 && i > 20 ? [{ source: i - 9, target: i + 1, label: "call" }] : [])]),
});

// Of a busy machine the clock says little: what counts is the processor's time.
test("no task holds the page up for 100 ms while large graphs are drawn", { skip: engine !== "chromium" && "its driver does not tell of tasks" }, on("", async (page) => {
  const seen = {};
  for (const [name, text, nodes] of [["porphyrin", porphyrin, 48], ["vancomycin", vancomycin, 101], ["directed", network(true), 300], ["undirected", network(false), 300]]) {
    await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
    await page.fill("#text", text);
    await page.press("#text", "Tab");
    await page.waitForFunction((n) => document.querySelectorAll("#query .node").length === n, nodes);
    await page.waitForTimeout(300);
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
    const mains = new Set(traceEvents.filter((e) => e.name === "thread_name" && e.args.name === "CrRendererMain").map((e) => `${e.pid} ${e.tid}`));
    const tasks = traceEvents.filter((e) => e.name === "ThreadControllerImpl::RunTask" && e.tdur !== undefined && mains.has(`${e.pid} ${e.tid}`)).map((e) => e.tdur / 1000);
    assert.ok(tasks.length > 10, `${tasks.length} tasks`);
    seen[name] = Math.max(...tasks);
  }
  for (const [name, ms] of Object.entries(seen)) assert.ok(ms <= 100, `${name}: ${ms} ms`);
}));

test("a layout that takes too long or cannot be made is plain", on("", async (page, context) => {
  await context.route("**/molecule-*.js", (route) => route.abort());
  await ask(page, "CC(=O)O");
  await page.waitForFunction(() => document.querySelectorAll("#query .node").length === 4);
  assert.equal(await page.locator("#query .drawing.molecule").count(), 0);
}));
