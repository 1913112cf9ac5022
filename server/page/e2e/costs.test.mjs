// What edits cost, chosen on the page.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aspirin, checked, done, on } from "./steps.mjs";

const hash = `#find=similar&k=3&smiles=${encodeURIComponent(aspirin)}`;
const question = (page) => page.textContent("#question");
const address = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1));

describe("costs", () => {
  test("are presets, sliders and a switch, and stand in the address and the question", on(hash, async (page) => {
    await done(page);
    assert.match(await question(page), /every edit costs 1/);
    await page.click("#costs summary");
    assert.equal(await page.locator("#costs-said").textContent(), "as the model's (uniform)");
    await page.selectOption("#costs-name", "chem1");
    await page.waitForFunction(() => /chem1/.test(document.querySelector("#question").textContent));
    await done(page);
    assert.equal(address(page).get("costs"), "chem1");
    assert.ok(await page.locator("#mode").isHidden()); // the model knows its own costs only
    const insert = page.getByRole("slider", { name: "insert a node" });
    assert.equal(await insert.inputValue(), "4");
    await insert.focus();
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction(() => /To insert, delete and relabel a node costs 3.75, 4, 2; an edge 1, 1, 1\.$/.test(document.querySelector("#question").textContent));
    await done(page);
    assert.equal(address(page).get("costs"), "3.75,4,2,1,1,1,0");
    const ring = page.getByRole("slider", { name: "into a ring" });
    await ring.focus();
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => /into a ring or out of one 1\.$/.test(document.querySelector("#question").textContent));
    await page.getByRole("checkbox", { name: "compare bond orders" }).uncheck();
    await page.waitForFunction(() => /edge labels/.test(document.querySelector("#question").textContent));
    // All of it comes back with the address.
    await page.reload();
    await done(page);
    assert.match(await question(page), /edge labels are not compared/);
    assert.equal(await page.locator("#costs-said").textContent(), "your own, without bond orders");
    assert.ok(!(await page.isChecked("#edge-labels-count")));
  }));

  test("are those of the answers", on(`${hash}&costs=chem2`, async (page) => {
    await checked(page);
    await done(page);
    assert.match(await question(page), /edit costs chem2/);
    const far = await page.evaluate(() => [...document.querySelectorAll(".card .distance")].map((d) => parseFloat(d.textContent)));
    assert.ok(far.every((d) => Math.abs(d / 0.275 - Math.round(d / 0.275)) < 0.04), `${far}`); // sums of 0.825, 2.75 and 5.5
  }));

  test("of an address that are none are said", on(`${hash}&costs=2,2`, async (page) => {
    await done(page);
    assert.match(await page.textContent("#problem"), /costs=2,2, neither a name nor seven weights/);
    assert.equal(address(page).get("costs"), null);
  }));

  test("do not matter for what contains the query", on("#find=contains&costs=chem1&smiles=CCO", async (page) => {
    await done(page);
    assert.ok(await page.locator("#costs").isHidden());
  }));
});
