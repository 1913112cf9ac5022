import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ask, aspirin, on, compared, lines } from "./steps.mjs";

describe("a comparison", () => {
  const hash = `#task=ged&k=12&smiles=${encodeURIComponent(aspirin)}&answer=4145`;

  test("steps through the edit path with buttons", on(hash, async (page) => {
    await compared(page);
    const position = page.locator("#comparison .position"), left = page.locator("#comparison figure").first();
    assert.equal(await position.textContent(), "0 / 3");
    assert.equal(await left.locator(".edge").count(), 13);
    assert.equal(await left.locator(".edge.deleted").count(), 1);
    await page.getByRole("button", { name: "Next edit" }).click();
    assert.equal(await position.textContent(), "1 / 3");
    assert.equal(await left.locator(".edge").count(), 12);
    await page.getByRole("button", { name: "Next edit" }).click();
    await page.getByRole("button", { name: "Next edit" }).click();
    assert.equal(await left.locator("figcaption").textContent(), "after 3 of 3 edits");
    assert.ok(await page.getByRole("button", { name: "Next edit" }).isDisabled());
    // The last graph is the one found: as many atoms and bonds, as labelled.
    const right = page.locator("#comparison figure").last();
    assert.equal(await left.locator(".edge").count(), await right.locator(".edge").count());
    const labels = async (side) => (await side.locator(".node title").allTextContents()).map((t) => t.replace(/^\d+: /, "")).sort();
    assert.deepEqual(await labels(left), await labels(right));
    const bonds = async (side) => side.locator(".edge .line").count();
    assert.equal(await bonds(left), await bonds(right));
  }));

  test("names nodes by their numbers in the query", on(hash, async (page) => {
    await compared(page);
    const edits = await page.locator("#comparison .edit").allTextContents();
    assert.deepEqual(edits.slice(0, 2), ["delete single bond C2–O4", "relabel bond C2–O3: double → single"]);
    assert.match(edits[2], /^insert single bond C\d–O3$|^insert single bond O3–C\d$/);
  }));

  test("names a node as it is by then", on("", async (page) => {
    // The oxygen becomes carbon before the bond to it is relabelled.
    const edits = [
      { op: "substitute node", query: [2], target: [2], from: "O", to: "C", cost: 1 },
      { op: "substitute edge", query: [1, 2], target: [1, 2], from: "2", to: "1", cost: 1 },
    ];
    const nodes = ["C", "C", "C"].map((label, id) => ({ id, label })), edges = [[0, 1], [1, 2]].map(([source, target]) => ({ source, target, label: "1" }));
    await page.route("**/v1/parse", (route) =>
      route.request().postDataJSON().id === ".." ? route.fulfill({ json: { smiles: "CCC", graph: { directed: false, nodes, edges } } }) : route.fallback());
    const answers = [{ id: "..", smiles: "CCC", lower: 2, upper: 2, exact: true, map: [0, 1, 2], edits }];
    await lines(page, [{ found: { task: "ged", status: "proven", verdict: "proven", answers, seconds: { embed: 0, scan: 0, check: 0 } } }]);
    await ask(page, "CC=O");
    await compared(page);
    assert.deepEqual(await page.locator("#comparison .edit").allTextContents(), ["relabel atom 3: O → C", "relabel bond C2–C3: double → single"]);
  }));

  test("lights matched nodes together", on(hash, async (page) => {
    await compared(page);
    await page.locator("#comparison figure").first().locator("[data-node='0']").hover();
    assert.equal(await page.locator("#comparison .lit").count(), 2);
    assert.match(await page.locator(".told").textContent(), /^Atom 1 \(C\) ↔ Atom \d+ \(C\) of the graph found$/);
  }));

  test("marks the query while a card is pointed at", on(hash, async (page) => {
    await compared(page);
    await page.locator(".card.selected").hover();
    await page.locator("#query .edge.deleted").waitFor();
    assert.equal(await page.locator("#query .edge.relabelled").count(), 1);
    await page.mouse.move(5, 5);
    await page.waitForFunction(() => !document.querySelector("#query .deleted"));
  }));
});

describe("by keyboard alone", () => {
  test("search, choose an answer, step", on("", async (page) => {
    await page.keyboard.press("Tab"); // the link that skips
    assert.equal(await page.evaluate(() => document.activeElement.id), "skip");
    while ((await page.evaluate(() => document.activeElement.id)) !== "text") await page.keyboard.press("Tab");
    await page.keyboard.type(aspirin);
    await page.keyboard.press("Enter");
    await compared(page);
    let tabs = 0;
    for (; !(await page.evaluate(() => document.activeElement.classList.contains("choose"))); tabs++) await page.keyboard.press("Tab");
    assert.ok(tabs <= 8, `${tabs} times Tab from the query to the first answer`);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.locator(".card:nth-child(2).selected").waitFor();
    await page.waitForFunction(() => {
      const [target, answer] = ["#comparison figure:last-child figcaption", ".card:nth-child(2) .id"].map((which) => document.querySelector(which).textContent);
      return target === answer && document.querySelector("#comparison .position").textContent.startsWith("0 /");
    });
    while (!(await page.evaluate(() => document.activeElement.classList.contains("step") && !document.activeElement.disabled))) await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    assert.match(await page.locator("#comparison .position").textContent(), /^1 \//);
    while ((await page.evaluate(() => document.activeElement.tagName)) !== "svg") await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("#comparison .lit").count() > 0, true);
  }));
});
