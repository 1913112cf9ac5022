import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { visit } from "./service.mjs";
import { aspirin, on, checked, browser, demo } from "./steps.mjs";

describe("the map", () => {
  test("shows the query and its answers, and finds graphs under the mouse", on(`#smiles=${encodeURIComponent(aspirin)}`, async (page) => {
    await checked(page);
    const map = page.locator("#map");
    await map.scrollIntoViewIfNeeded();
    const box = await map.boundingBox();
    const inked = () => map.evaluate((c) => {
      const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height);
      let n = 0;
      for (let i = 3; i < data.length; i += 4) if (data[i]) n++;
      return n;
    });
    await page.waitForFunction(() => document.getElementById("map").width > 300);
    assert.ok((await inked()) > 500);
    for (let x = 20; x < box.width && !(await page.locator("#tip").textContent()); x += 10) await page.mouse.move(box.x + x, box.y + box.height / 2);
    assert.match(await page.locator("#tip").textContent(), /^\d+/);
    const before = await inked();
    await page.click("#zoom-in");
    await page.waitForTimeout(100);
    assert.notEqual(await inked(), before);
  }));
});

test("a map of 100,000 points answers the mouse", async () => {
  const { page, faults, context } = await visit(browser, demo);
  await page.route("**/map?*", (route) => {
    const ids = [], points = [];
    for (let i = 0; i < 100_000; i++) {
      ids.push(`graph ${i}`);
      points.push(i % 400, Math.floor(i / 400));
    }
    return route.fulfill({ json: { ids, points } });
  });
  await page.reload();
  await page.waitForFunction(() => document.getElementById("map").width > 300);
  const map = page.locator("#map"), tip = page.locator("#tip");
  await map.scrollIntoViewIfNeeded();
  const box = await map.boundingBox(), middle = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...middle);
  for (let i = 0; i < 10; i++) await page.mouse.wheel(0, -120);
  await page.mouse.move(middle[0] + 1, middle[1]);
  // The middle of 400 columns and 250 rows.
  await page.waitForFunction(() => document.getElementById("tip").textContent !== "");
  const i = Number((await tip.textContent()).replace("graph ", ""));
  assert.ok(Math.abs((i % 400) - 199.5) <= 2 && Math.abs(Math.floor(i / 400) - 124.5) <= 2, await tip.textContent());
  // A drag moves what is under the mouse with it.
  await page.mouse.down();
  await page.mouse.move(middle[0] - 60, middle[1] + 20, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(middle[0] - 59, middle[1] + 20);
  assert.equal(await tip.textContent(), `graph ${i}`);
  assert.deepEqual(faults, []);
  await context.close();
});
