// What everyone needs: names, contrast, order of the focus, keys; light and dark, wide
// and narrow.
import { AxeBuilder } from "@axe-core/playwright";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { engine, visit } from "./service.mjs";
import { aspirin, browser, compared, demo, done, on } from "./steps.mjs";

const hash = `#k=12&smiles=${encodeURIComponent(aspirin)}&answer=4145`;

async function flawless(page, about) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const list = violations.map((v) => `${v.id}: ${v.nodes.map((n) => `${n.target.join(" ")} ${n.any[0]?.message ?? ""}`).slice(0, 4).join("; ")}`);
  assert.deepEqual(list, [], about);
}

for (const width of [1280, 390]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing, ${width} pixels, ${colorScheme}`, async () => {
      const { page, faults, context } = await visit(browser, demo, hash, { viewport: { width, height: 844 }, colorScheme });
      await compared(page);
      await done(page);
      await page.getByRole("button", { name: "Next edit" }).click();
      await page.locator(".card .menu-button").first().click();
      await flawless(page, "the answers and a menu");
      await page.keyboard.press("Escape");
      if (width > 1000 || colorScheme === "dark") return context.close();
      await page.locator("#tab-graph").click();
      await page.locator(".ground canvas").first().waitFor();
      await flawless(page, "the graph editor");
      await page.locator("#tab-text").click();
      await page.fill("#text", "C1CC(");
      await page.click("#search");
      await page.locator("#text-error:not(:empty)").waitFor();
      await flawless(page, "an error");
      await page.setInputFiles("#file", { name: "some.smi", mimeType: "text/plain", buffer: Buffer.from("CCO a\nC1CC b\nCCN c\n") });
      await page.getByRole("dialog").waitFor();
      await flawless(page, "the picker");
      assert.deepEqual(faults, []);
      await context.close();
    });
  }
}

// Colours in drawings, which axe does not look at.
for (const colorScheme of ["light", "dark"]) {
  test(`text in drawings has a contrast of 4.5, ${colorScheme}`, on("", async (page) => {
    const poor = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const light = (colour) => {
        const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const contrast = (a, b) => {
        const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
        return (x + 0.05) / (y + 0.05);
      };
      const value = (name) => style.getPropertyValue(name).trim();
      const list = [];
      const surface = value("--surface"), look = (name, ground) => {
        if (!/^#[0-9a-f]{6}$/i.test(value(name))) return list.push(`${name} is ${value(name)}`);
        if (contrast(value(name), ground) < 4.5) list.push(`${name} ${contrast(value(name), ground).toFixed(2)}`);
      };
      for (const e of ["N", "O", "S", "P", "F", "Cl", "Br", "I", "B", "Si", "other"]) look(`--el-${e}`, surface);
      for (let i = 0; i <= 10; i++) look(`--label-${i}`, "#ffffff");
      for (const name of ["--ink", "--quiet", "--accent", "--deleted", "--inserted", "--relabelled"]) for (const ground of ["--surface", "--ground"]) look(name, value(ground));
      return list;
    });
    assert.deepEqual(poor, []);
  }, { colorScheme }));
}

describe("by keyboard", () => {
  test("arrows move among answers by rows, and the tab key passes them", on(hash, async (page) => {
    await done(page);
    const at = () => page.evaluate(() => document.activeElement.closest(".card")?.querySelector(".rank").textContent);
    await page.locator(".card .choose").first().focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(await at(), "2");
    const columns = await page.evaluate(() => {
      const all = [...document.querySelectorAll(".card")];
      return all.filter((c) => c.offsetTop === all[0].offsetTop).length;
    });
    await page.keyboard.press("ArrowDown");
    assert.equal(await at(), String(2 + columns));
    await page.keyboard.press("Home");
    assert.equal(await at(), "1");
    await page.keyboard.press("End");
    assert.equal(await at(), "12");
    await page.keyboard.press("Tab"); // its menu
    await page.keyboard.press("Tab");
    assert.equal(await at(), undefined);
  }));

  test("a menu gives the focus back", on(hash, async (page) => {
    await done(page);
    const menu = page.locator(".card .menu-button").first();
    await menu.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Escape");
    await page.locator("#menu").waitFor({ state: "hidden" });
    assert.ok(await menu.evaluate((b) => b === document.activeElement));
  }));

  test("a closed comparison leaves the focus on its answer", on(hash, async (page) => {
    await compared(page);
    await page.locator("#close-comparison").click();
    assert.ok(await page.locator("#comparison").isHidden());
    assert.ok(await page.evaluate(() => document.activeElement.closest(".card.selected") !== null));
    await page.keyboard.press("Enter");
    assert.ok(await page.locator("#comparison").isVisible());
  }));
});

test("on a phone the comparison comes when an answer is touched, and leaves", on(`#k=8&smiles=${encodeURIComponent(aspirin)}`, async (page) => {
  await done(page);
  assert.ok(await page.locator("#comparison").isHidden());
  const touch = (locator) => (engine === "chromium" ? locator.tap() : locator.click());
  await touch(page.locator(".card .figure").nth(1));
  const sheet = page.locator("#comparison");
  await sheet.waitFor();
  const box = await sheet.boundingBox();
  assert.ok(Math.abs(box.y + box.height - 844) < 1 && box.height < 0.65 * 844, JSON.stringify(box));
  await page.locator(".card .figure").nth(7).scrollIntoViewIfNeeded();
  await touch(page.locator("#close-comparison"));
  assert.ok(await sheet.isHidden());
}, { viewport: { width: 390, height: 844 }, hasTouch: true }));

test("the first view is a finished example, which goes when something is asked", on("example", async (page) => {
  await done(page);
  assert.match(await page.textContent("#welcome"), /^\s*An example: aspirin/);
  assert.equal(await page.inputValue("#text"), aspirin);
  assert.equal(await page.evaluate(() => location.hash), "");
  await compared(page);
  await page.fill("#text", "CCO");
  await page.press("#text", "Enter");
  await page.waitForFunction(() => location.hash.includes("smiles=CCO"));
  await done(page);
  assert.ok(await page.locator("#welcome").isHidden());
}));

test("a print has all answers, drawn, and no controls", { skip: engine !== "chromium" && "its driver cannot show a print" }, on(hash.replace("k=12", "k=40"), async (page) => {
  await done(page);
  await page.emulateMedia({ media: "print" });
  // Nobody has scrolled: what is not in view is drawn all the same.
  await page.waitForFunction(() => [...document.querySelectorAll(".card")].every((card) => card.querySelector(".node")));
  const cards = await page.locator(".card").count();
  assert.ok(cards > 20, `${cards} cards`);
  await page.emulateMedia({ media: "screen" });
  await page.click("#as-table");
  await page.locator("#table .structure .node").first().waitFor({ state: "attached" });
  const rows = () => page.locator("#table tbody tr[data-id]").count();
  assert.ok((await rows()) < cards);
  await page.waitForFunction(() => {
    dispatchEvent(new Event("beforeprint"));
    return [...document.querySelectorAll("#table tbody tr[data-id]")].every((row) => row.querySelector(".structure .node"));
  });
  await page.emulateMedia({ media: "print" });
  assert.equal(await rows(), cards);
  for (const control of ["#table input", "#table .tools button", "#as-table", "#form", "#map-section"]) {
    assert.equal(await page.locator(control).filter({ visible: true }).count(), 0, control);
  }
  await page.emulateMedia({ media: "screen" });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  assert.ok((await rows()) < cards);
}));

test("a print has dark ink on white, and its colours", { skip: engine !== "chromium" && "its driver cannot show a print" }, on(hash, async (page) => {
  await compared(page);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const look = await page.evaluate(() => ({
    ink: getComputedStyle(document.body).color,
    adjust: [...document.querySelectorAll(".key, .dot, .card")].map((e) => getComputedStyle(e).printColorAdjust),
    swatch: getComputedStyle(document.querySelector(".edit.deleted .dot")).backgroundColor,
  }));
  assert.equal(look.ink, "rgb(28, 36, 48)");
  assert.equal(look.swatch, "rgb(192, 57, 43)");
  assert.ok(look.adjust.every((a) => a === "exact"));
}, { colorScheme: "dark" }));
