import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import { test } from "node:test";
import { ask, done, on, saved } from "./steps.mjs";

const rows = (page) => page.locator("#table tbody tr:not(.room)");
const told = (page, text) => page.waitForFunction((t) => document.querySelector("#table .tools span").textContent === t, text);
const column = (page, title) => page.evaluate((t) => {
  const heads = [...document.querySelectorAll("#table thead tr:first-child th")];
  const at = heads.findIndex((h) => h.textContent.replace(/ [↑↓]$/, "") === t);
  return [...document.querySelectorAll("#table tbody tr:not(.room)")].map((r) => r.children[at].textContent);
}, title);

test("answers as a table are sorted, filtered, chosen and saved", on("#find=contains&smiles=Oc1ccccc1", async (page) => {
  await done(page);
  await page.click("#as-table");
  await told(page, "831 of 831 rows");
  // Few of them are on the page.
  assert.ok((await rows(page).count()) < 60);
  // A cresol: 108.14 as every table of chemicals has it.
  await page.getByRole("button", { name: "MW", exact: true }).click();
  await page.waitForFunction(() => document.querySelector("#table tbody tr:not(.room)").textContent.includes("108.14"));
  const weights = (await column(page, "MW")).map(Number);
  assert.deepEqual(weights, [...weights].sort((a, b) => a - b));
  await page.getByLabel("Filter rings").fill("2..3");
  await page.waitForFunction(() => /^\d+ of 831 rows$/.test(document.querySelector("#table .tools span").textContent) && !/^831/.test(document.querySelector("#table .tools span").textContent));
  assert.ok((await column(page, "rings")).every((r) => r === "2" || r === "3"));
  const { violations } = await new AxeBuilder({ page }).include("#table").analyze();
  assert.deepEqual(violations.map((v) => `${v.id} ${v.nodes[0].html}`), []);
  // The last rows are there when one scrolls to them.
  await page.locator("#table .scroller").evaluate((e) => (e.scrollTop = e.scrollHeight));
  await page.waitForFunction(() => {
    const list = [...document.querySelectorAll("#table tbody tr:not(.room)")];
    return list.at(-1).getAttribute("aria-rowindex") === document.querySelector("#table table").getAttribute("aria-rowcount");
  });
  await page.locator("#table .scroller").evaluate((e) => (e.scrollTop = 0));
  await page.waitForFunction(() => document.querySelector("#table tbody tr:not(.room)").getAttribute("aria-rowindex") === "3");
  const first = await rows(page).first().getAttribute("data-id");
  await rows(page).first().getByRole("checkbox").check();
  // What is selected stays while one searches on.
  await ask(page, "CCN");
  await page.waitForFunction(() => /, 1 selected$/.test(document.querySelector("#table .tools span").textContent) && document.getElementById("query-size").textContent.startsWith("3 atoms"));
  await done(page);
  const save = page.locator("#table .tools > button").last();
  const csv = (await saved(page, save, "CSV, 1 selected")).bytes.toString().trim().split("\r\n");
  assert.equal(csv.length, 2);
  assert.ok(csv[1].split(",").includes(first));
  const json = JSON.parse((await saved(page, save, "JSON, 1 selected")).bytes);
  assert.equal(json[0].id, first);
  assert.ok(json[0].weight > 108);
  const sdf = (await saved(page, save, "SDF, 1 selected")).bytes.toString();
  assert.equal(sdf.split("$$$$").length, 2);
  // Columns are chosen, and an answer is compared from its row.
  await page.locator("#table summary").click();
  await page.getByRole("checkbox", { name: "formula" }).check();
  assert.ok((await column(page, "formula"))[0].startsWith("C"));
  await page.locator("#table summary").click();
  await rows(page).nth(1).getByRole("button").click();
  await page.locator("#comparison:not([hidden])").waitFor();
}));
