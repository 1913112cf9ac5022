import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { folder, greed, serve, visit } from "./service.mjs";
import { aspirin, on, checked, browser, demo, give } from "./steps.mjs";

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
    for (let x = 20; x < box.width && !(await page.locator("#tip > span").textContent()); x += 10) await page.mouse.move(box.x + x, box.y + box.height / 2);
    assert.match(await page.locator("#tip > span").textContent(), /^\d+/);
    const before = await inked();
    await page.click("#zoom-in");
    while ((await inked()) === before) await page.waitForTimeout(50);
  }));
});

// index makes an index of molecules with a class and an activity.
function index() {
  const file = join(folder, "mapped.csv"), out = join(folder, "mapped.greed");
  const rows = Array.from({ length: 40 }, (_, i) => `m${i},${"C".repeat((i % 8) + 1)}${"NOS"[i % 3]}${"C".repeat(i % 5)},${i},${["hit", "miss"][i % 2]}`);
  writeFileSync(file, `id,smiles,activity,class\n${rows.join("\n")}\n`);
  execFileSync(greed, ["index", "build", file, "-o", out], { stdio: "pipe" });
  return out;
}

test("the map shows structures and attributes, opens what is clicked, and lists what is chosen", async () => {
  const service = await serve([index()]);
  const { page, faults, context } = await visit(browser, service);
  // 25 of them in a square, so that m12 lies in its middle.
  const ids = Array.from({ length: 25 }, (_, i) => `m${i}`), points = ids.flatMap((_, i) => [i % 5, Math.floor(i / 5)]);
  await page.route("**/map?*", (route) => route.fulfill({ json: { ids, points, variance: [0.5, 0.25] } }));
  await page.reload();
  const map = page.locator("#map");
  await map.waitFor();
  await page.waitForFunction(() => document.getElementById("map").width > 300);
  await map.scrollIntoViewIfNeeded();
  assert.match(await page.locator("#map-axes").textContent(), /vary most, 50 % and 25 % of it/);
  const picture = () => map.evaluate((c) => c.toDataURL());
  const plain = await picture();
  await page.selectOption("#map-colour", "class");
  await page.waitForFunction(() => document.querySelectorAll("#map-classes .key").length === 3);
  assert.deepEqual(await page.locator("#map-classes .key").allTextContents(), ["hit", "miss", "none"]);
  await page.waitForFunction((plain) => document.getElementById("map").toDataURL() !== plain, plain);
  await page.selectOption("#map-colour", "activity");
  await page.waitForFunction(() => document.querySelector("#map-classes .key")?.textContent === "0 to 5");
  // Pointing at a graph shows it, a click opens it.
  const box = await map.boundingBox();
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...middle);
  assert.equal(await page.locator("#tip > span").textContent(), "m12");
  await page.locator("#tip .drawing:not(.stale) .edge").first().waitFor();
  await page.mouse.down();
  await page.mouse.up();
  await page.locator(".card").waitFor();
  assert.deepEqual(await page.locator(".card .id").allTextContents(), ["m12"]);
  // A lasso around all of them lists all of them.
  await page.locator("#zoom-out").click();
  await page.locator("#lasso").click();
  const corners = [[3, 3], [box.width - 45, 3], [box.width - 45, box.height - 3], [3, box.height - 3]].map(([x, y]) => [box.x + x, box.y + y]);
  await page.mouse.move(...corners[0]);
  await page.mouse.down();
  for (const c of [...corners.slice(1), corners[0]]) await page.mouse.move(...c, { steps: 3 });
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 25);
  assert.match(await page.locator("#status").textContent(), /^25 graphs chosen on the map/);
  assert.equal(await page.locator("#lasso").getAttribute("aria-pressed"), "false");
  await page.locator("#in-view").press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 25);
  // A list is in the history, and its address is a link.
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 25);
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 1);
  await page.goForward();
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 25);
  // From there one searches on.
  await page.locator(".card .menu-button").first().click();
  await page.getByRole("menuitem", { name: "Search from here" }).click();
  await page.waitForFunction(() => document.querySelector(".card .distance")?.textContent === "0");
  // With a query, a graph that is clicked joins the answers and is compared.
  await give(page, "#amount", "1");
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 1 && !document.body.classList.contains("busy"));
  await map.scrollIntoViewIfNeeded();
  const now = await map.boundingBox();
  await page.mouse.click(now.x + now.width / 2, now.y + now.height / 2);
  await page.waitForFunction(() => /^GED \d/.test(document.querySelector(".card.selected:nth-child(2) .note")?.textContent ?? ""));
  assert.deepEqual(faults, []);
  await context.close();
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
  const map = page.locator("#map"), tip = page.locator("#tip > span");
  await map.scrollIntoViewIfNeeded();
  const box = await map.boundingBox(), middle = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(...middle);
  for (let i = 0; i < 10; i++) await page.mouse.wheel(0, -120);
  await page.mouse.move(middle[0] + 1, middle[1]);
  // The middle of 400 columns and 250 rows.
  await page.waitForFunction(() => document.querySelector("#tip > span").textContent !== "");
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
