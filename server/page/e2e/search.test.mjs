// How answers come while a search runs, in which browsers differ.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { visit } from "./service.mjs";
import { aspirin, on, done, held, lines, checked, compared, distances, ask, browser, demo } from "./steps.mjs";

describe("a search", () => {
  test("pasted, shows predictions, then exact distances and marked edits", on("", async (page) => {
    await ask(page, aspirin);
    await compared(page);
    assert.equal(await page.locator(".card").count(), 12);
    // The nearest in the README: nitrogen in place of oxygen.
    const nearest = page.locator(".card", { hasText: /^rank \d+, 4000/ });
    await nearest.locator(".choose").click();
    await page.waitForFunction(() => document.querySelector("#comparison figure:last-child figcaption").textContent === "4000");
    assert.equal(await nearest.locator(".distance").textContent(), "1");
    assert.match(await nearest.locator(".note").textContent(), /^predicted \d\.\d\d$/);
    assert.equal(await page.locator("#comparison .edit").textContent(), "relabel atom 4: O → N");
    const marked = page.locator("#comparison .node.relabelled");
    assert.equal(await marked.count(), 2);
    assert.deepEqual(await marked.locator(".atom").allTextContents(), ["O", "N", "H"]);
  }));

  test("paints predictions at once and replaces them", async () => {
    const { page, faults, context } = await visit(browser, demo);
    const gate = held();
    await page.route("**/search", async (route) => {
      if (/ndjson/.test(route.request().headers().accept)) await gate.opened;
      await route.continue();
    });
    await ask(page, aspirin);
    await page.locator(".card").first().waitFor();
    assert.equal(await page.locator(".card.checked").count(), 0);
    for (const text of await distances(page)) assert.match(text, /^≈ \d/);
    for (const text of await page.locator(".card .note").allTextContents()) assert.match(text, /^predicted/);
    assert.match(await page.locator("#status").textContent(), /Predicted by a model/);
    assert.ok(await page.locator("#cancel").isVisible());
    const labels = await page.locator(".card .choose").allTextContents();
    assert.match(labels[0], /^rank 1, .*, predicted \d/);
    gate.open();
    await done(page);
    assert.equal(await page.locator(".card:not(.checked)").count(), 0);
    assert.match(await page.locator(".card .choose").first().textContent(), /^rank 1, 4000, distance 1$/);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("shows the best so far among predictions, in the order of the numbers", async () => {
    const { page, faults, context } = await visit(browser, demo);
    await lines(page, [{ candidates: 400, verified: 3, best: [
      { id: "4000", smiles: "CC(=O)NC1=C(C=CC=C1)C(O)=O", predicted: 2.7, lower: 1, upper: 1 },
      { id: "9", smiles: "CCCC", predicted: 9, lower: 2, upper: 4 },
    ] }]);
    await ask(page, aspirin);
    await page.locator("#problem:not([hidden])").waitFor();
    const shown = (await distances(page)).map((text) => Number(text.replace(/^≈ |^.*–/g, "")));
    assert.equal(shown.length, 12);
    assert.deepEqual(shown, [...shown].sort((a, b) => a - b));
    assert.equal(await page.locator(".card.checked").count(), 2);
    assert.equal(await page.locator(".card").first().locator(".distance").textContent(), "1");
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("can be cancelled, and says that nothing is proven", async () => {
    const { page, faults, context } = await visit(browser, demo);
    const gate = held();
    await page.route("**/search", async (route) => {
      if (/ndjson/.test(route.request().headers().accept)) await gate.opened;
      await route.continue().catch(() => {});
    });
    await ask(page, aspirin);
    await page.locator(".card").first().waitFor();
    await page.click("#cancel");
    assert.match(await page.locator("#status").textContent(), /^Cancelled\..*nothing of it is proven/);
    assert.ok(await page.locator("#progress").isHidden());
    assert.equal(await page.locator(".card").count(), 12);
    gate.open();
    await page.waitForTimeout(200);
    assert.equal(await page.locator(".card.checked").count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });
});
