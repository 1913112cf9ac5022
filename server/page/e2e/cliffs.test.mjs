// The near pairs of a collection, and a collection that is made on the page.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { engine, folder, greed, root, serve, visit } from "./service.mjs";
import { browser, demo, give, on } from "./steps.mjs";

const table = join(root, "examples/molecules/benzoic.csv");
const rows = (page) => page.locator("#cliffs tbody tr");
const paired = (page) => page.waitForFunction(() => /^\d+ pairs? of \d/.test(document.querySelector("#status").textContent));
const totals = (page) => page.locator("#cliffs .tools button[aria-pressed]").allTextContents();

test("near pairs are shown with what they mean for an attribute, as the service says it", async () => {
  const index = join(folder, "benzoic.index");
  execFileSync(greed, ["index", "build", table, "-o", index], { stdio: "pipe" });
  const service = await serve([index]);
  const { page, faults, context } = await visit(browser, service);
  await page.getByRole("button", { name: "Cliffs" }).click();
  await paired(page);
  const told = await (await fetch(`${service.url}/v1/collections/benzoic/cliffs`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ attribute: "logP", radius: 2 }),
  })).json();
  assert.ok(told.pairs.length > 10 && told.transformations.length > 3, JSON.stringify(told.total));
  assert.match(await page.textContent("#question"), /all pairs within 2 by GED, by the change of "logP"/);
  assert.deepEqual(await totals(page), [`Pairs ${told.total.pairs}`, `Transformations ${told.total.transformations}`, `Duplicates ${told.total.duplicates}`]);
  await page.waitForFunction((n) => document.querySelectorAll("#cliffs tbody tr").length === n, told.pairs.length);
  const choices = await page.getByLabel("compared by").locator("option").allTextContents();
  assert.deepEqual(choices, [...new Set(choices)]);
  // In the service's order first, and drawn; then in that of a column.
  const pair = ({ query, target }) => `${query} → ${target}`;
  assert.equal(await rows(page).first().locator(".link").textContent(), pair(told.pairs[0]));
  await rows(page).first().locator(".structure .drawing line").first().waitFor();
  await page.locator("#cliffs").getByRole("button", { name: "change" }).click();
  const least = Math.min(...told.pairs.map((p) => p.change ?? Infinity));
  await page.waitForFunction((least) => document.querySelector("#cliffs tbody tr td:nth-child(7)")?.textContent === String(Math.round(least * 100) / 100), least);
  // A transformation leads to its pairs, and a pair to its comparison.
  await page.getByRole("button", { name: /^Transformations/ }).click();
  const [effect] = told.transformations;
  await rows(page).first().locator(".link").click();
  assert.equal(await page.getByRole("searchbox", { name: "Find an id or a change" }).inputValue(), effect.text);
  const among = told.pairs.filter((p) => p.transformations?.some((t) => t.text.includes(effect.text))).length;
  await page.waitForFunction((n) => document.querySelectorAll("#cliffs tbody tr").length === n, among);
  await rows(page).first().locator(".link").click();
  await page.locator("dialog .edit").first().waitFor();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  if (engine === "chromium") { // Firefox's driver tells of no downloads
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as CSV" }).click()]);
    assert.equal(readFileSync(await file.path(), "utf8").trim().split("\r\n").length, among + 1);
  }
  // The address has it, another distance is another question, and going back is the one before.
  const link = new URL(page.url()).hash;
  assert.equal(new URLSearchParams(link.slice(1)).get("cliffs"), "logP");
  await give(page, page.getByRole("spinbutton", { name: "Pairs within" }), "1");
  await page.waitForFunction(() => /within 1 by GED/.test(document.querySelector("#question").textContent));
  await page.goBack();
  await page.waitForFunction(() => /within 2 by GED/.test(document.querySelector("#question").textContent));
  // A search takes their place.
  await page.fill("#text", "OC(=O)c1ccccc1");
  await page.press("#text", "Enter");
  await page.locator(".card").first().waitFor();
  assert.equal(await page.locator("#cliffs").isVisible(), false);
  assert.equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).has("cliffs"), false);
  assert.deepEqual(faults, []);
  await context.close();
});

test("near pairs of a collection without numbers are counted, and can be cancelled", on("", async (page) => {
  await page.route("**/cliffs", () => {}); // never answered
  await page.getByRole("button", { name: "Cliffs" }).click();
  await page.click("#cancel");
  assert.match(await page.textContent("#status"), /^Cancelled/);
  await page.unroute("**/cliffs");
  await give(page, page.getByRole("spinbutton", { name: "Pairs within" }), "0");
  await paired(page);
  assert.match((await totals(page))[2], /^Duplicates [1-9]/);
  assert.equal(await rows(page).first().textContent(), "There are none.");
}));

test("a collection is made of a file by who may write, and gets more graphs", async () => {
  const where = join(folder, "made"), secret = join(folder, "write-token");
  mkdirSync(where);
  writeFileSync(secret, "let me\n");
  const service = await serve(["--demo", "--root", where, "--write-token-file", secret]);
  const { page, faults, context } = await visit(browser, service);
  await page.getByRole("button", { name: "New …" }).click();
  const dialog = page.locator("dialog"), failed = dialog.getByRole("alert");
  await dialog.getByLabel("Name").fill("steps");
  await dialog.getByLabel("Graphs of a file").setInputFiles({ name: "bad.smi", mimeType: "text/plain", buffer: Buffer.from("CCO ethanol\nC1CC broken\n") });
  await dialog.getByRole("button", { name: "Create" }).click();
  await dialog.getByLabel("A token that may write").fill("let me");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.waitForFunction(() => /line 2/.test(document.querySelector("dialog [role=alert]").textContent));
  assert.match(await failed.textContent(), /^steps is there, without graphs\. /);
  await dialog.getByLabel("Graphs of a file").setInputFiles(table);
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.waitForFunction(() => document.querySelector("#size")?.textContent === "22 graphs");
  assert.equal(await page.locator("#collection").inputValue(), "steps");
  await page.fill("#text", "OC(=O)c1ccccc1");
  await page.press("#text", "Enter");
  await page.locator(".card.checked").first().waitFor();
  assert.match(await page.locator(".card").first().textContent(), /benzoic.*logP/s);
  // One that is empty says so, and takes a file's.
  await page.getByRole("button", { name: "New …" }).click();
  await dialog.getByLabel("Name").fill("later");
  await dialog.getByRole("checkbox", { name: "tautomers as one molecule" }).check();
  assert.equal(await dialog.getByRole("checkbox", { name: "predict distances" }).isDisabled(), true);
  await dialog.getByRole("checkbox", { name: "charges", exact: true }).check();
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("button", { name: "Add a file …" }).click();
  await dialog.getByLabel("Graphs of a file").setInputFiles({ name: "one.smi", mimeType: "text/plain", buffer: Buffer.from("CC[O-] ethanolate\nO=c1cccc[nH]1 pyridone\n") });
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await page.waitForFunction(() => document.querySelector("#size")?.textContent === "2 graphs");
  const later = await (await fetch(`${service.url}/v1/collections/later`)).json();
  assert.deepEqual([later.compared, later.forms], [["charges"], ["tautomers"]]);
  await page.fill("#text", "Oc1ccccn1");
  await page.press("#text", "Enter");
  await page.locator(".card.checked[data-id=pyridone]").waitFor();
  assert.match(await page.locator(".card[data-id=pyridone] .distance").textContent(), /0$/);
  assert.match(await page.textContent("#question"), /tautomers as one molecule/);
  await page.locator("#costs summary").click();
  assert.match(await page.textContent("#compares"), /standard forms: tautomers as one molecule/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("where no collection can be made, none is offered", on("", async (page) => {
  await page.waitForFunction(() => /graphs/.test(document.querySelector("#size").textContent));
  assert.equal(await page.locator("#create").isVisible(), false);
  assert.equal((await fetch(`${demo.url}/v1/collections`)).headers.get("greed-creates"), "false");
}));
