// Patterns: what is given as a SMARTS.
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import { test } from "node:test";
import { aspirin, ask, demo, done, held, on } from "./steps.mjs";

const pattern = "[F,Cl,Br]c:c-C(=O)[OH]";
const status = (page) => page.locator("#status").textContent();
const address = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1));
const found = async (smarts) => (await fetch(`${demo.url}/v1/collections/demo/search?smarts=${encodeURIComponent(smarts)}&limit=1`)).json();

test("a SMARTS is searched for, shown as it is written, and its matches are marked", on("", async (page) => {
  await page.focus("#tab-text");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.id), "tab-smarts");
  await ask(page, pattern);
  await done(page);
  const { total } = await found(pattern);
  assert.match(await status(page), new RegExp(`^${total} of 4,999 graphs contain it, proven`));
  assert.equal(address(page).get("smarts"), pattern);
  assert.equal(await page.locator("#query-name").textContent(), "Read as a pattern");
  assert.deepEqual(await page.locator("#query .node .atom").allTextContents(), ["[F,Cl,Br]", "c", "c", "O", "[OH]"]);
  // Of what is asked for only one thing goes with a pattern.
  assert.deepEqual(await page.locator("[name=find]:enabled").evaluateAll((all) => all.map((e) => [e.value, e.checked])), [["contains", true]]);
  // What the pattern has of a molecule is drawn fully, the rest is faint.
  const card = page.locator(".card").first();
  await card.locator(".node.rest").first().waitFor({ state: "attached" });
  const [nodes, rest] = [await card.locator(".node").count(), await card.locator(".node.rest").count()];
  assert.equal(nodes - rest, 6);
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.map((v) => `${v.id} ${v.nodes[0].html}`), []);
  // A link keeps it, and so does the way back.
  await page.reload();
  await done(page);
  assert.equal(await page.inputValue("#text"), pattern);
  assert.equal(await page.getAttribute("#tab-smarts", "aria-selected"), "true");
  await page.getByRole("button", { name: "Aspirin" }).click();
  await done(page);
  assert.equal(await page.inputValue("#text"), aspirin);
  assert.equal(await page.locator("[name=find]:enabled").count(), 5);
  await page.goBack();
  await page.waitForFunction((p) => document.getElementById("text").value === p, pattern);
  await done(page);
  assert.match(await status(page), new RegExp(`^${total} of`));
}));

test("a text that is a SMARTS is searched for as one only if someone says so", on("", async (page) => {
  const gate = held();
  await page.route("**/v1/collections", async (route) => {
    await gate.opened;
    await route.continue();
  });
  await page.reload();
  await ask(page, "[#6]~[#7;R]");
  gate.open();
  const way = page.getByRole("button", { name: "Take it as a SMARTS pattern" });
  await way.waitFor();
  assert.equal(await page.getAttribute("#tab-smarts", "aria-selected"), "false");
  assert.equal(await page.locator(".card").count(), 0);
  await way.click();
  await done(page);
  assert.equal(address(page).get("smarts"), "[#6]~[#7;R]");
  assert.equal(await page.getAttribute("#tab-smarts", "aria-selected"), "true");
  assert.match(await status(page), /graphs contain it; the first 1,000 are listed, proven/);
  // The same text is a pattern here and a molecule there.
  await ask(page, "CC");
  await page.waitForFunction(() => location.hash.includes("smarts=CC"));
  await done(page);
  await page.click("#tab-text");
  await page.click("#search");
  await page.waitForFunction(() => location.hash.includes("smiles=CC"));
  await done(page);
  assert.equal(await page.locator("#query-name").textContent(), "Read as a molecule");
}));

test("a pattern of any atoms is drawn as molecules are, and one that is wrong is marked", on("#smarts=*1~*~*~*~*~*1", async (page) => {
  await done(page);
  await page.locator(".card .drawing.molecule .node:not(.rest)").first().waitFor({ state: "attached" });
  assert.equal(await page.locator("#query .drawing.molecule .node").count(), 6);
  await ask(page, "C[O;H");
  await page.locator("#text-error:not(:empty)").waitFor();
  assert.match(await page.locator("#text-error").textContent(), /^SMARTS, column 6: found the end/);
  assert.equal(await page.locator("#text-error mark").textContent(), "⎵");
  assert.equal(await page.locator(".card").count(), 0);
  await ask(page, "[Xe]C");
  await page.locator("#nothing").waitFor();
  assert.match(await page.locator("#nothing").textContent(), /^Nothing contains it/);
  assert.equal(await page.locator("#nothing button").count(), 0);
}));
