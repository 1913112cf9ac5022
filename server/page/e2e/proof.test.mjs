// What a search says of its answers, which is the same in every browser.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { visit } from "./service.mjs";
import { aspirin, on, done, lines, checked, compared, distances, ask, browser, demo, give } from "./steps.mjs";

describe("a search", () => {
  test("proves all answers, in the order of their distances", on(`#k=60&smiles=${encodeURIComponent(aspirin)}`, async (page) => {
    await done(page);
    assert.match(await page.locator("#status").textContent(), /^60 of 4,999 graphs, proven: /);
    assert.equal(await page.locator(".card.checked").count(), 60);
    const got = (await distances(page)).map(Number);
    assert.deepEqual(got, [...got].sort((a, b) => a - b));
  }));

  test("that time ends gets 10 more seconds", async () => {
    const { page, faults, context } = await visit(browser, demo);
    const answer = { id: "4000", smiles: "CC(=O)NC1=C(C=CC=C1)C(O)=O", predicted: 2.7, lower: 1, upper: 2, exact: false };
    const asked = await lines(page, [{ found: {
      task: "ged", status: "open", verdict: "open: stopped before all was proven; at most 3 more graphs could still be nearer", answers: [answer], seconds: { embed: 0, scan: 0, check: 10 },
    } }]);
    await ask(page, aspirin);
    await page.locator("#more").click();
    await page.waitForFunction(() => document.querySelector("#more:not([hidden])"));
    assert.match(await page.locator("#status").textContent(), /at most 3 more graphs could still be nearer/);
    assert.equal(await page.locator(".card .distance").textContent(), "1–2");
    await page.locator("#more").click();
    await page.waitForFunction(() => asked.length === 3);
    await done(page);
    assert.ok(await page.locator("#more").isHidden()); // the service gives no more than 30 s
    assert.deepEqual((await asked()).map((body) => body.time_limit ?? null), [null, "20s", "30s"]);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("of predictions alone says so and shows no distance", on(`#mode=predicted&smiles=${encodeURIComponent(aspirin)}`, async (page) => {
    await done(page);
    assert.match(await page.locator("#status").textContent(), /predicted: by a model's vectors alone, no distances/);
    assert.equal(await page.locator(".card.checked").count(), 0);
    for (const text of await distances(page)) assert.match(text, /^≈ \d/);
    await compared(page); // the first is measured, beside its prediction
    assert.match(await page.locator(".card.selected .note").textContent(), /^predicted; GED \d/);
    assert.match(await page.locator(".card.selected .distance").textContent(), /^≈/);
  }));

  test("within 0 says nothing is there only where that is proven", on("", async (page) => {
    await page.goto(`${demo.url}/#task=sed&radius=0&mode=predicted&smiles=Oc1ccccc1`);
    await page.reload();
    await done(page);
    assert.doesNotMatch(await page.locator("#status").textContent(), /^Nothing/);
    await page.locator("[name=mode][value=proven]").check();
    await page.waitForFunction(() => /^831 of 4,999 graphs, proven/.test(document.getElementById("status").textContent));
  }));

  test("finds a share of what lies within, where a calibration knows how, and says what that is worth", on(`#mode=predicted&radius=3&smiles=${encodeURIComponent(aspirin)}`, async (page) => {
    await done(page);
    const said = (what) => page.waitForFunction((text) => new RegExp(text).test(document.getElementById("status").textContent), what);
    const choice = page.locator("#recall-choice");
    assert.match(await choice.textContent(), /at least 99 % of what lies within, not proven/);
    const before = await page.locator(".card").count();
    await page.locator("#recall").check();
    await said("graphs, predicted: .*99 % or more of what lies within the radius is among them, on average over queries like the 500 .*95 % confidence, not proven");
    assert.ok((await page.locator(".card").count()) > before);
    assert.match(page.url(), /recall=0\.99/);
    await page.locator("[name=mode][value=checked]").check();
    await said("graphs, checked: .*which on average have 99 % or more of what lies within the radius.*not proven");
    assert.ok((await distances(page)).every((d) => Number(d) <= 3));
    await page.reload();
    await said("graphs, checked: .*99 % or more");
    // A query with an element that none of the calibration has is refused in words, with what can be asked instead.
    await ask(page, "CCCCCC[Pu]CCCC");
    await page.locator("#problem:not([hidden])").waitFor();
    assert.match(await page.locator("#problem").textContent(), /no query of the calibration has the labels Pu/);
    assert.equal(await page.locator(".card").count(), 0);
    await page.getByRole("button", { name: "Without the share" }).click();
    await said("checked: .*others may be missed|Nothing found");
    assert.ok(!(await page.locator("#recall").isChecked()) && (await page.locator("#problem").isHidden()));
    await page.locator("#recall").check();
    await page.getByRole("button", { name: "Ask for proven answers" }).click();
    await said("proven");
    assert.ok(await choice.isHidden());
    await page.locator("[name=mode][value=checked]").check();
    await page.locator("[name=extent][value=k]").check();
    await done(page);
    assert.ok(await choice.isHidden());
  }));

  test("for a fragment finds molecules that have it", on("", async (page) => {
    await page.getByRole("button", { name: "Indole" }).click();
    await page.locator(".count.same").first().waitFor();
    assert.equal(await page.locator(".card .distance").first().textContent(), "0");
    assert.equal(await page.locator(".count.same").first().textContent(), "contained");
    await page.waitForFunction(() => document.querySelector("#comparison .position").textContent === "no edits");
    // What the answer has beyond the fragment is faint, and the fragment is not.
    const card = page.locator(".card.checked", { has: page.locator(".node.rest") }).first();
    await card.waitFor();
    assert.equal(await card.locator(".node:not(.rest)").count(), 9);
  }));

  test("within a radius", on("", async (page) => {
    await ask(page, aspirin);
    await checked(page);
    await page.locator("[name=extent][value=radius]").check();
    await give(page, "#amount", "3.5");
    await page.waitForFunction(() => location.hash.includes("radius=3.5"));
    await page.waitForFunction(() => /graphs, proven: .* none is missing/.test(document.getElementById("status").textContent));
    const got = (await distances(page)).map(Number);
    assert.ok(got.length > 4 && got.every((d) => d <= 3.5), got.join());
    await give(page, "#amount", "0");
    await page.waitForFunction(() => /^Nothing within 0; that is proven/.test(document.getElementById("status").textContent));
    assert.ok(await page.locator("#comparison").isHidden());
  }));
});
