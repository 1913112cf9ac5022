// The viewer of differences, with two call graphs that differ by a few functions.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { folder, greed, serve, visit } from "./service.mjs";
import { browser, done, saved } from "./steps.mjs";

const path = "github.com/someone/program/module/";

// calls is a call graph of 60 functions, of which the last is called otherwise if changed.
const calls = (id, changed) => ({
  directed: true, multigraph: false, graph: { id },
  nodes: Array.from({ length: 60 }, (_, i) => ({ id: i, label: `${path}store.function${changed && i === 59 ? "New" : i}` })),
  edges: Array.from({ length: 59 }, (_, i) => ({ source: i >> 1, target: i + 1, label: "call" })),
});

let service;
before(async () => {
  const file = join(folder, "calls.json"), index = join(folder, "calls.greed");
  writeFileSync(file, JSON.stringify([calls("same", false), calls("changed", true)]));
  execFileSync(greed, ["index", "build", file, "-o", index], { stdio: "pipe" });
  service = await serve([index]);
});

test("two graphs are seen as one, folded, searched, stepped through and saved", async () => {
  const { page, faults, context } = await visit(browser, service, "#answer=changed");
  await page.fill("#text", JSON.stringify(calls("query", false)));
  await page.click("#search");
  await done(page);
  await page.locator(".card[data-id=changed] .choose").click();
  // The comparison has names, what changed in view, and the changes as greed diff groups them.
  await page.locator("#comparison .edit").first().waitFor();
  await page.locator("#comparison .chart .spot.relabelled").first().waitFor();
  assert.deepEqual(await page.locator("#comparison .spot.relabelled text").allTextContents(), ["store.function59", "store.functionNew"]);
  const seen = await page.locator("#comparison .chart .spot.relabelled text").first().boundingBox(), pane = await page.locator("#comparison .chart").first().boundingBox();
  assert.ok(seen.height >= 9 && seen.y > pane.y && seen.y + seen.height < pane.y + pane.height && seen.x > pane.x, `${JSON.stringify(seen)} in ${JSON.stringify(pane)}`);
  assert.deepEqual(await page.locator("#comparison .summary li").allTextContents(), [`${path}store: 1 renamed (function59 → functionNew)`]);
  assert.deepEqual(await page.locator("#comparison .changes summary").allTextContents(), ["change 1, cost 1"]);
  assert.match(await page.locator("#comparison .changes .edit").textContent(), /^relabel node 59: store.function59 → store.functionNew \(same 1 predecessor\)$/);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/panel.png` });
  await page.click("#enlarge");
  const dialog = page.getByRole("dialog", { name: "Differences" });
  const [left, right] = [page.locator(".viewer .chart").first(), page.locator(".viewer .chart").last()];
  await left.locator(".spot").first().waitFor();
  // The function that changed, the one that calls it, and the others in one piece or more.
  assert.ok((await left.locator(".spot").count()) < 8);
  assert.ok((await left.locator(".spot.folded").count()) > 0);
  assert.deepEqual(await left.locator(".spot.relabelled text").allTextContents(), ["store.function59"]);
  assert.deepEqual(await right.locator(".spot.relabelled text").allTextContents(), ["store.functionNew"]);
  // Keys work as soon as it is open; the field is one key away.
  await page.keyboard.press("n");
  assert.equal(await page.locator(".viewer .position").textContent(), "1 / 1");
  await page.keyboard.press("/");
  await page.keyboard.type("np");
  assert.equal(await dialog.getByRole("searchbox", { name: "Find a name" }).inputValue(), "np");
  await dialog.getByRole("searchbox", { name: "Find a name" }).fill("");
  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Next group of edits" }).click();
  assert.equal(await page.locator(".viewer .position").textContent(), "1 / 1");
  assert.match(await page.locator(".viewer .told").textContent(), /^relabel node 59: store.function59 → store.functionNew$/);
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/whole.png` });
  // All of them, and both move together.
  await page.locator(".viewer input[type=checkbox]").uncheck();
  await page.waitForFunction(() => document.querySelector(".viewer .chart").querySelectorAll(".spot").length === 60);
  const boxes = () => Promise.all([left, right].map((chart) => chart.getAttribute("viewBox")));
  const [before] = await boxes();
  const box = await left.boundingBox();
  await page.mouse.move(box.x + 100, box.y + 100);
  await page.mouse.wheel(0, -400);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 120, { steps: 3 });
  await page.mouse.up();
  const after = await boxes();
  assert.notEqual(after[0], before);
  assert.equal(after[0], after[1]);
  await dialog.getByRole("searchbox", { name: "Find a name" }).fill("function12");
  assert.match(await page.locator(".viewer .told").textContent(), /^1 found/);
  assert.equal(await left.locator(".spot.lit text").filter({ hasText: /^store.function12$/ }).count(), 1);
  const { name, bytes } = await saved(page, dialog.getByRole("button", { name: "Save what is seen" }), "Save as SVG");
  assert.equal(name, "differences.svg");
  assert.match(bytes.toString(), /store\.functionNew/);
  assert.doesNotMatch(bytes.toString(), /class=/);
  await page.keyboard.press("Escape");
  await page.locator(".viewer").waitFor({ state: "detached" });
  assert.deepEqual(faults, []);
  await context.close();
});
