// What three people come for, from the start to what they take away.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, greed, root, serve, visit } from "./service.mjs";
import { ask, aspirin, browser, compared, demo, done, on, saved } from "./steps.mjs";

const address = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1));
const rows = (page) => page.locator("#table tbody tr:not(.room)");

test("a chemist looks for what is like aspirin, and takes two molecules away", on("", async (page) => {
  await ask(page, aspirin);
  await done(page);
  assert.match(await page.textContent("#question"), /^Asked: the 12 nearest by GED; every edit costs 1; charges, .* are not compared\./);
  assert.match(await page.textContent("#status"), /^12 of 4,999 graphs, proven/);
  // What differs in the second, step by step.
  await page.locator(".card .choose").nth(1).click();
  await compared(page);
  const steps = await page.locator("#comparison .edit").count();
  for (let i = 0; i < steps; i++) await page.getByRole("button", { name: "Next edit" }).click();
  assert.equal(await page.locator("#comparison .position").textContent(), `${steps} / ${steps}`);
  // The light ones, as a table.
  await page.click("#as-table");
  await page.waitForFunction(() => [...document.querySelectorAll("#table tbody tr:not(.room)")].every((r) => /\d\.\d/.test(r.textContent)));
  await page.getByLabel("Filter MW").fill("<200");
  await page.waitForFunction(() => !/^12 of/.test(document.querySelector("#table .tools span").textContent));
  await rows(page).nth(0).getByRole("checkbox").check();
  await rows(page).nth(1).getByRole("checkbox").check();
  const ids = address(page).getAll("pick");
  const sdf = (await saved(page, page.locator("#table .tools > button").last(), "SDF, 2 selected")).bytes.toString();
  assert.equal(sdf.split("$$$$").length, 3);
  // A colleague opens the link, and finds the same ones ticked.
  const link = new URL(page.url()).hash;
  const other = await visit(browser, demo, link);
  await other.page.waitForFunction(() => /2 selected$/.test(document.querySelector("#table .tools span").textContent));
  assert.deepEqual(address(other.page).getAll("pick"), ids);
  assert.deepEqual(other.faults, []);
  await other.context.close();
}));

test("an engineer sees what changed between two versions of a program", async () => {
  const version = (n) => join(root, `examples/programs/truth-${n}.dot`), index = join(folder, "program.greed");
  execFileSync(greed, ["index", "build", version(2), "-o", index, "--node-label", "id"], { stdio: "pipe" });
  const service = await serve([index]);
  const { page, faults, context } = await visit(browser, service);
  await page.fill("#text", readFileSync(version(1), "utf8"));
  await page.click("#search");
  await page.locator(".card.checked .choose").click();
  await compared(page);
  // The names of 57 functions would be specks on a card: they are left out. The comparison has those of what changed,
  // and says so in groups.
  assert.equal(await page.locator(".card .drawing text:visible").count(), 0);
  await page.locator("#comparison .spot.inserted text", { hasText: /^ReadJSON$/ }).waitFor();
  assert.match(await page.locator("#comparison .summary li").first().textContent(), /^1 removed \(unusable\), 5 added/);
  assert.equal(await page.locator("#comparison .changes summary").first().textContent(), "change 1, cost 12: ReadJSON");
  await page.click("#enlarge");
  await page.locator(".viewer .spot").first().waitFor();
  // Only functions by their names, those that were added on the right alone.
  const names = (side) => page.locator(".viewer .chart").nth(side).locator(".spot.inserted text").allTextContents();
  assert.deepEqual(await names(0), []);
  for (const name of ["ReadJSON", "OpenParquet", "NewHash"]) assert.ok((await names(1)).includes(name), name);
  const told = page.locator(".viewer .told");
  await page.locator(".viewer").getByRole("button", { name: "Next group of edits" }).click();
  assert.match(await told.textContent(), /(insert|delete|relabel) (node|edge) \w/);
  await page.locator(".viewer input[type=checkbox]").uncheck();
  await page.locator(".viewer").getByRole("searchbox", { name: "Find a name" }).fill("RunFile");
  await page.waitForFunction(() => /^[1-9]\d* found/.test(document.querySelector(".viewer .told").textContent));
  const svg = (await saved(page, page.getByRole("button", { name: "Save what is seen" }), "Save as SVG")).bytes.toString();
  assert.match(svg, /ReadJSON/);
  await page.keyboard.press("Escape");
  assert.deepEqual(faults, []);
  await context.close();
});

test("the names of a process are whole, and no larger than the text around them", async () => {
  const version = (n) => join(root, `examples/programs/claims-${n}.bpmn`), index = join(folder, "claims.greed");
  execFileSync(greed, ["index", "build", version(2), "-o", index], { stdio: "pipe" });
  const { page, faults, context } = await visit(browser, await serve([index]));
  await page.fill("#text", readFileSync(version(1), "utf8"));
  await page.click("#search");
  await compared(page);
  const texts = await page.locator("#comparison .drawing text").evaluateAll((all) => all.map((t) => {
    const box = t.getBoundingClientRect(), ground = t.ownerSVGElement.getBoundingClientRect();
    return { text: t.textContent, whole: box.left >= ground.left - 1 && box.right <= ground.right + 1, letters: parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a };
  }));
  assert.ok(texts.some((t) => t.text === "reject: sendTask") && texts.some((t) => t.text === "valid: exclusiveGateway"), JSON.stringify(texts));
  for (const t of texts) assert.ok(t.whole && t.letters > 7 && t.letters < 16, JSON.stringify(t));
  assert.deepEqual(faults, []);
  await context.close();
});

test("a researcher searches for a hundred molecules, and looks at one by other costs", on("#mode=checked&k=3", async (page) => {
  const { graphs } = await (await fetch(`${demo.url}/v1/collections/demo/graphs?limit=100`)).json();
  assert.equal(graphs.length, 100);
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "hundred.smi"));
    document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer: data }));
  }, graphs.map((g) => `${g.smiles} ${g.id}`).join("\n"));
  await page.getByRole("button", { name: "Search all 100" }).click();
  await page.waitForFunction(() => /^100 of 100 queries answered/.test(document.querySelector("#status").textContent));
  const csv = (await saved(page, page.locator("#batch .tools > button").last(), "CSV")).bytes.toString().trim().split("\r\n");
  assert.equal(new Set(csv.slice(1).map((line) => line.split(",")[0])).size, 100);
  // Each is nearest to itself.
  const first = page.locator("#batch tbody tr").first();
  assert.match(await first.locator(".nearest button").first().textContent(), / 0$/);
  await first.getByRole("button", { name: graphs[0].id, exact: true }).first().click();
  await done(page);
  await page.click("#costs summary");
  await page.selectOption("#costs-name", "chem1");
  await page.waitForFunction(() => /chem1/.test(document.querySelector("#question").textContent));
  await done(page);
  assert.equal(await page.locator(".card .distance").first().textContent(), "0");
  await page.goBack();
  await page.goBack();
  await page.waitForFunction(() => /^100 of 100 queries answered/.test(document.querySelector("#status").textContent));
}));
