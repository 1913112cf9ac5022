// Many queries at once, and searches that are kept.
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import { describe, test } from "node:test";
import { aspirin, demo, done, held, on, saved } from "./steps.mjs";

const four = `${aspirin} aspirin\nCn1cnc2c1c(=O)n(C)c(=O)n2C caffeine\nCCO ethanol\nCN1CCCC1c1cccnc1 nicotine\n`;
const address = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1));
const rows = (page) => page.locator("#batch tbody tr");
const told = (page, pattern) => page.waitForFunction((p) => new RegExp(p).test(document.querySelector("#status").textContent), pattern);
const drop = (page, text, name) => page.evaluate(([text, name]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name));
  document.body.dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer: data }));
}, [text, name]);

describe("many queries", () => {
  test("are searched for at once, opened one by one, and kept meanwhile", on("", async (page) => {
    let asked = 0;
    page.on("request", (r) => (asked += r.url().endsWith("/searches")));
    await drop(page, four, "drugs.smi");
    await page.getByRole("button", { name: "Search all 4" }).click();
    await told(page, "^4 of 4 queries answered");
    assert.deepEqual(await rows(page).locator("td:nth-child(3)").allTextContents(), ["aspirin", "caffeine", "ethanol", "nicotine"]);
    assert.equal(await rows(page).first().locator(".nearest button").count(), 5);
    await rows(page).first().locator(".drawing .atom").first().waitFor();
    const { violations } = await new AxeBuilder({ page }).include("#batch").analyze();
    assert.deepEqual(violations.map((v) => `${v.id} ${v.nodes[0].html}`), []);
    await page.locator("#batch [data-key=query]").click();
    await page.locator("#batch [data-key=query]").click();
    assert.equal(await rows(page).first().locator("td:nth-child(3)").textContent(), "nicotine");
    const csv = (await saved(page, page.locator("#batch .tools > button").last(), "CSV")).bytes.toString().trim().split("\r\n");
    assert.ok(csv.length > 4 * 5 && csv[1].startsWith("aspirin,"));
    // An answer is opened beside its query, and one comes back without asking again.
    const button = page.locator("#batch [data-query='1'] .nearest button").nth(1);
    const id = (await button.textContent()).split(" ")[0];
    await button.click();
    await done(page);
    assert.match(await page.inputValue("#text"), /^Cn1cnc2/);
    await page.locator(`.card.selected[data-id="${id}"]`).waitFor();
    assert.ok(await page.locator("#batch").isHidden());
    const before = asked;
    await page.goBack();
    await told(page, "^4 of 4 queries answered");
    assert.equal(await rows(page).count(), 4);
    assert.equal(asked, before);
    // Another setting asks them again.
    await page.locator("[name=find][value=nearly]").check();
    await page.waitForFunction(() => location.hash.includes("find=nearly"));
    await told(page, "^4 of 4 queries answered");
    assert.ok(asked > before);
  }));

  test("are a matrix with the graphs that are near to any of them", on("", async (page) => {
    await drop(page, four, "drugs.smi");
    await page.getByRole("button", { name: "Search all 4" }).click();
    await told(page, "^4 of 4 queries answered");
    await page.getByRole("button", { name: "Matrix" }).click();
    const matrix = page.locator("#batch .matrix");
    await page.waitForFunction(() => [...document.querySelectorAll("#batch .matrix td button")].every((b) => b.textContent !== "·"));
    assert.deepEqual(await matrix.locator("tbody th").allTextContents(), ["aspirin", "caffeine", "ethanol", "nicotine"]);
    const ids = await matrix.locator("thead th").allTextContents();
    assert.equal(new Set(ids).size, 24);
    const { violations } = await new AxeBuilder({ page }).include("#batch").analyze();
    assert.deepEqual(violations.map((v) => `${v.id} ${v.nodes[0].html}`), []);
    // What no search said is what the service measures.
    const row = await matrix.locator("tbody tr").nth(2).locator("button").allTextContents();
    const { results } = await fetch(`${demo.url}/v1/collections/demo/distances`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ query: { smiles: "CCO" }, ids, time_limit: "10s" }) }).then((r) => r.json());
    results.forEach(({ distance }, i) => {
      const [lower, upper = lower] = row[i].split("–").map(Number);
      assert.ok(lower <= distance.upper && distance.lower <= upper, `${ids[i]}: ${row[i]} and ${distance.lower}–${distance.upper}`);
    });
    await matrix.locator("tbody tr").nth(2).locator("button").nth(0).click();
    await done(page);
    assert.equal(await page.inputValue("#text"), "CCO");
    assert.equal(address(page).get("answer"), ids[0]);
  }));

  test("are a matrix among themselves, which is cancelled, goes on, and is saved", on("", async (page) => {
    const gate = held(), first = held();
    let rows = 0;
    await page.route("**/v1/distances", async (route) => {
      if (rows++ === 1) {
        first.open();
        await gate.opened;
      }
      await route.continue().catch(() => {});
    });
    await drop(page, four, "drugs.smi");
    await page.getByRole("button", { name: "Search all 4" }).click();
    await told(page, "^4 of 4 queries answered");
    await page.getByRole("button", { name: "Among themselves" }).click();
    await first.opened;
    const said = page.locator("#batch .progress span");
    await page.waitForFunction(() => /^10 of 16 distances. A row has 10s/.test(document.querySelector("#batch .progress span").textContent));
    const { violations } = await new AxeBuilder({ page }).include("#batch").analyze();
    assert.deepEqual(violations.map((v) => `${v.id} ${v.nodes[0].html}`), []);
    await page.locator("#batch .progress button").click();
    gate.open();
    await page.getByRole("button", { name: "Go on" }).click();
    await said.waitFor({ state: "hidden" });
    const matrix = page.locator("#batch .matrix");
    const cells = () => matrix.locator("tbody tr").evaluateAll((all) => all.map((tr) => [...tr.querySelectorAll("button")].map((b) => b.textContent)));
    const drugs = four.trim().split("\n").map((line) => ({ smiles: line.split(" ")[0] }));
    const asked = { pairs: drugs.flatMap((query) => drugs.map((target) => ({ query, target }))), time_limit: "10s" };
    const { results } = await fetch(`${demo.url}/v1/distances`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(asked) }).then((r) => r.json());
    (await cells()).flat().forEach((text, i) => {
      const [lower, upper = lower] = text.split("–").map(Number), { distance } = results[i];
      assert.ok(lower <= distance.upper && distance.lower <= upper, `pair ${i}: ${text} and ${distance.lower}–${distance.upper}`);
    });
    // It is kept meanwhile.
    const before = rows;
    await page.getByRole("button", { name: "Among themselves" }).click();
    await page.getByRole("button", { name: "Among themselves" }).click();
    await page.waitForFunction(() => document.querySelectorAll("#batch .matrix tbody button").length === 16);
    assert.equal(rows, before);
    const { name, bytes } = await saved(page, page.locator("#batch .tools > button").last(), "This matrix as CSV");
    assert.equal(name, "distances.csv");
    const csv = bytes.toString().trim().split("\r\n");
    assert.equal(csv[0], ",aspirin,caffeine,ethanol,nicotine");
    assert.deepEqual(csv.slice(1).map((line) => line.split(",").slice(1).map((x) => x.replace("..", "–"))), await cells());
    // By keyboard one comes to a pair and sees it side by side.
    await matrix.locator("tbody button").first().focus();
    for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
    const pair = page.getByRole("dialog", { name: "Comparison" });
    await pair.locator(".edit").first().waitFor();
    assert.deepEqual(await pair.locator("figcaption").allTextContents(), ["caffeine", "ethanol"]);
    const look = await new AxeBuilder({ page }).include(".pairing").analyze();
    assert.deepEqual(look.violations.map((v) => `${v.id} ${v.nodes[0].html}`), []);
    await page.keyboard.press("Escape");
    await pair.waitFor({ state: "detached" });
  }));

  test("say how far they are, are cancelled, and go on", on("", async (page) => {
    const gate = held(), first = held();
    let part = 0;
    await page.route("**/searches", async (route) => {
      if (part++ === 1) {
        first.open();
        await gate.opened;
      }
      await route.continue().catch(() => {});
    });
    await drop(page, Array.from({ length: 24 }, (_, i) => `${"C".repeat(i + 1)}O alcohol${i + 1}`).join("\n"), "alcohols.smi");
    await page.getByRole("button", { name: "Search all 24" }).click();
    await first.opened;
    await page.waitForFunction(() => document.getElementById("progress-text").textContent === "10 of 24 queries");
    await page.click("#cancel");
    gate.open();
    await page.getByRole("button", { name: "Ask the rest" }).click();
    await told(page, "^24 of 24 queries answered");
    assert.equal(part, 4); // two, then the rest in two
    assert.equal(await rows(page).locator(".nearest button").first().isVisible(), true);
  }));

  test("stand in the address, and what cannot be read is told in its row", on(`#find=similar&k=2&many=CCO&called=ethanol&many=C1CC&called=broken&many=%7B&called=`, async (page) => {
    await told(page, "^1 of 3 queries answered; 2 refused");
    assert.match(await rows(page).nth(1).locator("td").last().textContent(), /ring/);
    assert.equal(await rows(page).nth(2).locator("td").last().textContent(), "This is no graph.");
  }));
});

describe("a search", () => {
  test("is kept in a file with what is ticked", on("#find=contains&smiles=Oc1ccccc1", async (page) => {
    await done(page);
    await page.click("#as-table");
    const boxes = page.locator("#table tbody").getByRole("checkbox");
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    const ids = new URLSearchParams(new URL(page.url()).hash.slice(1)).getAll("pick");
    assert.equal(ids.length, 2);
    const { name, bytes } = await saved(page, page.locator("#table .tools > button").last(), "This search and what is ticked, to open again");
    assert.equal(name, "search.greed.json");
    await page.goto(new URL("/", page.url()).href);
    await page.reload();
    await drop(page, bytes.toString(), name);
    await done(page);
    await page.waitForFunction(() => /831 rows, 2 selected$/.test(document.querySelector("#table .tools span").textContent));
    assert.deepEqual(new URLSearchParams(new URL(page.url()).hash.slice(1)).getAll("pick"), ids);
  }));
});
