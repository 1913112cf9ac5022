// Graphs whose files name their nodes: people read the names.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { folder, greed, root, serve, visit } from "./service.mjs";
import { browser, done } from "./steps.mjs";

const claims = (n) => join(root, `examples/programs/claims-${n}.bpmn`);

let service;
before(async () => {
  const index = join(folder, "claims.greed");
  execFileSync(greed, ["index", "build", claims(2), "-o", index, "--node-label", "type,name", "--edge-label", "-"], { stdio: "pipe" });
  service = await serve([index]);
});

test("edits, hovers and the viewer call nodes by their names", async () => {
  const { page, faults, context } = await visit(browser, service);
  await page.fill("#text", readFileSync(claims(1), "utf8"));
  await page.click("#search");
  await done(page);
  const read = async () => {
    await page.locator(".card .choose").click();
    await page.locator("#comparison .changes .edit").first().waitFor();
    return page.locator("#comparison .changes .edit .said").evaluateAll((all) => all.map((e) => e.title));
  };
  const edits = await read();
  assert.deepEqual(edits.filter((e) => /check|approve/.test(e)).sort(), [
    "insert edge approve→reject", "insert edge valid→approve", "insert node approve (userTask|approve sum)", "move edge valid→pay to approve→pay",
    "relabel node check: userTask|check claim → serviceTask|check claim (same 1 predecessor, same 1 successor)",
  ]);
  await page.locator("#comparison .chart").first().locator(".spot.relabelled rect").hover();
  assert.match(await page.locator("#comparison .differences .told").textContent(), /^check: userTask\|check claim → check: serviceTask\|check claim/);
  await page.click("#enlarge");
  await page.locator(".viewer .chart .spot").first().waitFor();
  assert.equal(await page.locator(".viewer .chart").first().locator(".spot.relabelled title").textContent(), "check: userTask|check claim");
  await page.locator(".viewer").getByRole("searchbox", { name: "Find a name" }).fill("check:");
  assert.match(await page.locator(".viewer .told").textContent(), /^1 found/);
  await page.keyboard.press("Escape");
  // The address has them, too.
  await page.reload();
  await done(page);
  assert.deepEqual(await read(), edits);
  assert.deepEqual(faults, []);
  await context.close();
});

test("names that are the labels are those of a pasted graph, too", async () => {
  const graph = (n) => join(root, `examples/programs/truth-${n}.dot`), index = join(folder, "truth.greed");
  execFileSync(greed, ["index", "build", graph(2), "-o", index, "--node-label", "id"], { stdio: "pipe" });
  const service = await serve([index]);
  const { page, faults, context } = await visit(browser, service);
  await page.fill("#text", readFileSync(graph(1), "utf8"));
  await page.click("#search");
  await page.locator(".card.checked").waitFor();
  // As docs/programs.md has it; open where the clock ran out.
  await done(page);
  assert.match(await page.locator(".card .distance").textContent(), /26$/);
  assert.ok(await page.locator("#question").textContent().then((t) => !/No graph here has \d/.test(t)));
  assert.deepEqual(faults, []);
  await context.close();
});

test("a table of names is searched by, and names the answers", async () => {
  const table = join(folder, "names.csv");
  writeFileSync(table, "name,cas,smiles\nAspirin,50-78-2,OC(=O)c1ccccc1OC(C)=O\nN-acetylanthranilic acid,89-52-1,CC(=O)Nc1ccccc1C(O)=O\n");
  const service = await serve(["--demo", "--names", table]);
  const { page, faults, context } = await visit(browser, service);
  await page.fill("#text", "aspirin");
  await page.press("#text", "Enter");
  await page.locator(".card.checked").first().waitFor();
  assert.equal(await page.locator("#query-name").textContent(), "Read as Aspirin, CAS 50-78-2");
  await done(page);
  assert.match(await page.locator(".card[data-id='4000'] .id").textContent(), /N-acetylanthranilic acid, CAS 89-52-1/);
  await page.fill("#text", "n-acetylanthranilic acid");
  await page.click("#search");
  await page.waitForFunction(() => /89-52-1$/.test(document.getElementById("query-name").textContent));
  assert.deepEqual(faults, []);
  await context.close();
});
