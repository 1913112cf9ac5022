import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aspirin, on, done, checked, compared, ask, give } from "./steps.mjs";

describe("a query", () => {
  test("that is no SMILES says why", on("", async (page) => {
    await ask(page, "C1CC(");
    await page.locator("#text-error:not(:empty)").waitFor();
    assert.match(await page.locator("#text-error").textContent(), /SMILES|bracket|ring|end/i);
    assert.equal(await page.locator(".card").count(), 0);
    await ask(page, aspirin);
    await compared(page);
    assert.equal(await page.locator("#text-error").textContent(), "");
    // Answers of the query before do not stay.
    await ask(page, "C1CC(");
    await page.locator("#text-error:not(:empty)").waitFor();
    assert.equal(await page.locator(".card").count(), 0);
    assert.ok(await page.locator("#comparison").isHidden());
    assert.equal(await page.locator("#status").textContent(), "");
  }));

  test("that is another takes the answers before it off the page", on("", async (page) => {
    await ask(page, aspirin);
    await done(page);
    await give(page, "#text", "t # 0\nv 0 C\nv 1 O\ne 0 1 1\n"); // only drawn, not searched for
    await page.waitForFunction(() => document.getElementById("query-size").textContent.startsWith("2 atoms"));
    assert.equal(await page.locator(".card").count(), 0);
  }));

  test("drawn is searched for, and what was typed is changed", on("", async (page) => {
    await page.click("#tab-draw");
    const ground = page.locator(".sketch canvas").last();
    await ground.waitFor();
    const box = await ground.boundingBox();
    await page.getByRole("button", { name: "Ring of six" }).click();
    await page.waitForFunction(() => document.querySelector("[aria-label='Ring of six']").ariaPressed === "true");
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForFunction(() => document.getElementById("text").value !== "");
    assert.match(await page.inputValue("#text"), /^[cC]1/);
    await page.click("#search");
    await checked(page);
    assert.match(await page.locator("#query-size").textContent(), /^6 atoms, 6 bonds/);
  }));

  test("drawn in the full window, with the keyboard alone, is searched for", on("", async (page) => {
    await page.focus("#tab-text");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight"); // Draw
    const ground = page.locator(".sketch canvas").last();
    await ground.waitFor();
    const small = await ground.boundingBox();
    const focused = () => page.evaluate(() => document.activeElement.ariaLabel ?? document.activeElement.textContent);
    const go = async (key, name) => {
      for (let i = 0; i < 60; i++) {
        await page.keyboard.press(key);
        if ((await focused()) === name) return;
      }
      assert.fail(`the key ${key} does not lead to ${name}`);
    };
    await go("Tab", "Undo");
    await go("ArrowRight", "Full window");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Molecule editor" });
    await page.waitForFunction((width) => document.querySelector(".viewer .sketch").clientWidth > 2 * width, small.width);
    const large = await ground.boundingBox();
    assert.ok(large.width > 0.85 * 1280 && large.height > 0.8 * 900, JSON.stringify(large));
    // Every tool is within the window.
    for (const button of await dialog.getByRole("button").all()) {
      const box = await button.boundingBox();
      if (box) assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1280 && box.y + box.height <= 900, JSON.stringify(box));
    }
    // A tool by its key, another by its button, and both marked.
    const pressed = (name) => page.waitForFunction((name) => document.querySelector(`[aria-label='${name}']`).ariaPressed === "true", name);
    const drawn = (smiles) => page.waitForFunction((smiles) => document.querySelector(".written").value === smiles, smiles);
    await ground.focus();
    await page.keyboard.press("6");
    await pressed("Ring of six");
    await page.keyboard.press("Enter"); // in the middle
    await drawn("C1CCCCC1");
    await go("Shift+Tab", "Undo");
    await page.keyboard.press("Enter");
    await drawn("");
    await go("Tab", "Select and move");
    await go("Tab", "Carbon");
    await go("ArrowDown", "Nitrogen");
    await page.keyboard.press("Enter");
    await pressed("Nitrogen");
    await ground.focus();
    await page.keyboard.press("Enter");
    await drawn("N");
    for (let i = 0; i < 8; i++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter"); // elsewhere
    await drawn("N.N");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await focused(), "Full window");
    assert.ok((await ground.boundingBox()).width <= small.width + 1);
    // Back there, and from there to the answers.
    await page.keyboard.press("Enter");
    await dialog.waitFor();
    await go("Tab", "Search");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await checked(page);
    assert.match(await page.locator("#query-size").textContent(), /^2 atoms/);
  }));

  test("edited as a graph with the mouse is searched for", on("", async (page) => {
    await page.click("#tab-graph");
    const ground = page.locator(".ground");
    await ground.locator("canvas").first().waitFor();
    const box = await ground.boundingBox();
    const at = (x, y) => [box.x + x, box.y + y];
    await page.mouse.click(...at(100, 100));
    await page.mouse.click(...at(200, 100));
    await page.locator(".graph-editor input").fill("O");
    await page.mouse.move(...at(100, 100));
    await page.mouse.down();
    await page.mouse.move(...at(150, 105), { steps: 4 });
    await page.mouse.move(...at(200, 100), { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => document.getElementById("query-size").textContent === "2 atoms, 1 bonds");
    await page.click("#search");
    await checked(page);
    assert.deepEqual(JSON.parse(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("graph")), { n: ["C", "O"], e: [[0, 1, "1"]] });
  }));

  test("dropped as a file is searched for", on("", async (page) => {
    await page.setInputFiles("#file", { name: "ethanol.txt", mimeType: "text/plain", buffer: Buffer.from("t # 0\nv 0 C\nv 1 C\nv 2 O\ne 0 1 1\ne 1 2 1\n") });
    await checked(page);
    assert.match(await page.locator("#query-size").textContent(), /^3 atoms, 2 bonds/);
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["CCCO propanol\n"], "propanol.smi"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    });
    await page.waitForFunction(() => document.getElementById("query-size").textContent.startsWith("4 atoms"));
  }));
});

describe("the address", () => {
  test("opens the same search, selection included", on("", async (page, context) => {
    await ask(page, aspirin);
    await compared(page);
    await page.locator(".card .choose").nth(2).click();
    await page.waitForFunction(() => location.hash.includes("answer="));
    const other = await context.newPage();
    await other.goto(page.url());
    await other.locator("#comparison .edit").first().waitFor();
    assert.deepEqual(await other.locator(".card .id").allTextContents(), await page.locator(".card .id").allTextContents());
    assert.equal(await other.locator(".card.selected .id").textContent(), await page.locator(".card .id").nth(2).textContent());
    await other.goBack().catch(() => {});
  }));

  test("goes back to the search before", on("", async (page) => {
    await ask(page, aspirin);
    await checked(page);
    await ask(page, "CCO");
    await page.waitForFunction(() => document.getElementById("query-size").textContent.startsWith("3 atoms"));
    await page.goBack();
    await page.waitForFunction(() => document.getElementById("query-size").textContent.startsWith("13 atoms"));
    assert.equal(await page.inputValue("#text"), aspirin);
  }));

  test("that is nonsense does no harm", on("#graph=%7Bnonsense&k=-5&radius=x", async (page) => {
    await page.locator("#text-error:not(:empty)").waitFor();
    await ask(page, "CCO");
    await checked(page);
  }));
});
