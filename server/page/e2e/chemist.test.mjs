// What chemists ask of answers: what changed, how large they are, how rings are drawn.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aspirin, compared, done, on } from "./steps.mjs";

const similar = `#find=similar&k=40&smiles=${encodeURIComponent(aspirin)}`;

describe("answers", () => {
  test("are put together by a change that they have in common", on(similar, async (page) => {
    await done(page);
    const all = await page.locator(".card").count();
    const choice = page.locator("#common"), texts = (await choice.locator("option").allTextContents()).slice(2);
    assert.ok(texts.length > 1, `${texts}`);
    const [, change, count] = /^(.*) \((\d+)\)$/.exec(texts[0]);
    assert.ok(Number(count) > 1 && Number(count) < all);
    await choice.selectOption(change);
    await page.waitForFunction((n) => document.querySelectorAll(".card").length === n, Number(count));
    // The table says the change in every row.
    await page.click("#as-table");
    const heads = await page.locator("#table thead tr").first().locator("th").allTextContents();
    const cells = await page.locator(`#table tbody tr:not(.room) td:nth-child(${heads.findIndex((t) => t.startsWith("transformation")) + 1})`).allTextContents();
    assert.ok(cells.length > 0 && cells.every((c) => c.split("; ").includes(change)), `${change}: ${cells}`);
    await page.click("#as-table");
    await choice.selectOption("");
    await page.waitForFunction((n) => document.querySelectorAll(".card").length === n, all);
    // All of them in groups, each with its change above it.
    await choice.selectOption("any, in groups");
    const grouped = await page.locator("#cards > li").evaluateAll((list) => list.map((li) => li.dataset.id ?? li.textContent));
    const groups = grouped.filter((t) => /\(\d+\)$/.test(t)), sizes = groups.map((t) => Number(/\((\d+)\)$/.exec(t)[1]));
    assert.ok(groups.length > 2 && groups.includes(`${change} (${count})`), `${groups}`);
    assert.equal(new Set(groups).size, groups.length);
    assert.equal(sizes.reduce((a, b) => a + b), all);
    await page.click("#as-table");
    assert.deepEqual(await page.locator("#table tbody tr:is(.group, [data-id])").evaluateAll((list) => list.map((r) => r.dataset.id ?? r.textContent)), grouped.slice(0, await page.locator("#table tbody tr:not(.room)").count()));
    assert.match(await page.locator("#table .tools span").textContent(), new RegExp(`^${all} of ${all} rows`));
  }));

  test("that contain the query are sorted by their atoms", on("#find=contains&smiles=Oc1ccccc1", async (page) => {
    await done(page);
    assert.equal(await page.locator("#sort option:checked").textContent(), "atoms ↑");
    await page.locator(".card .atom").first().waitFor();
    const smiles = await page.locator(".card .drawing").evaluateAll((all) => all.slice(0, 12).map((d) => d.getAttribute("aria-label")));
    const atoms = smiles.map((s) => s.replace(/\[\d*H\d*[+-]?\]/g, "").replace(/\[[^\]]*\]|Br|Cl/g, "X").replace(/[^A-Za-z]/g, "").length);
    assert.deepEqual(atoms, [...atoms].sort((a, b) => a - b));
    assert.ok(atoms[0] <= 8, `${smiles[0]}`);
    assert.deepEqual((await page.locator(".card .rank").allTextContents()).slice(0, 3), ["1", "2", "3"]);
  }));

  test("none of which contain the query say how many nearly do", on(`#find=contains&smiles=${encodeURIComponent("FC(F)(F)c1ccc(I)cc1")}`, async (page) => {
    await done(page);
    await page.getByRole("button", { name: "Show the 4" }).click();
    await done(page);
    await page.waitForFunction(() => document.querySelectorAll(".card").length === 4);
    assert.match(await page.textContent("#status"), /^4 of 4,999 graphs, proven/);
  }));
});

test("aromatic rings are drawn with circles or double bonds, by choice, and steps stay whole", on(`#task=ged&k=12&smiles=${encodeURIComponent(aspirin)}&answer=4145`, async (page) => {
  await compared(page);
  await done(page);
  const query = page.locator("#query"), circles = page.locator(".drawing .aromatic"), lines = query.locator(".edge .line");
  assert.equal(await query.locator(".aromatic").count(), 1);
  const before = await lines.count();
  await page.uncheck("#circles");
  await page.waitForFunction(() => document.querySelectorAll(".drawing .aromatic").length === 0);
  assert.equal(await lines.count(), before + 3); // the double bonds of benzene
  await page.getByRole("button", { name: "Next edit" }).click();
  assert.equal(await page.locator("#comparison figure").first().locator(".edge").count(), 12);
  await page.reload();
  await compared(page);
  await done(page);
  assert.equal(await circles.count(), 0);
  await page.check("#circles");
  await page.waitForFunction(() => document.querySelector("#query .aromatic"));
}));
