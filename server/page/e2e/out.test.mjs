import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { engine, folder, greed, serve, visit } from "./service.mjs";
import { aspirin, browser, compared, demo, distances, done, on, saved } from "./steps.mjs";

const ids = (page) => page.locator(".card .id").allTextContents();

describe("what can be taken away", () => {
  test("answers as CSV, SDF and SMILES are those on the screen, in their order", on(`#k=4&smiles=${encodeURIComponent(aspirin)}`, async (page, context) => {
    if (engine === "chromium") await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await done(page);
    await page.selectOption("#sort", "-id");
    const shown = await ids(page);
    assert.deepEqual(shown, [...shown].sort((a, b) => Number(b) - Number(a)));
    const rank = (await page.locator(".card .rank").allTextContents()).map(Number);
    const far = (await distances(page)).map(Number);
    const save = page.locator("#save");
    const csv = (await saved(page, save, "CSV")).bytes.toString().trim().split("\r\n").map((line) => line.split(","));
    assert.deepEqual(csv[0].slice(0, 9), ["rank", "id", "name", "smiles", "predicted", "lower", "upper", "exact", "status"]);
    assert.deepEqual(csv.slice(1).map((r) => [r[0], r[1], r[5], r[6], r[7], r[8]]), shown.map((id, i) => [String(rank[i]), id, String(far[i]), String(far[i]), "true", "proven"]));
    const smiles = (await saved(page, save, "SMILES")).bytes.toString().trim().split("\n").map((line) => line.split(" "));
    assert.deepEqual(smiles.map((r) => r[1]), shown);
    const sdf = (await saved(page, save, "SDF, as drawn")).bytes.toString();
    const records = sdf.split("$$$$\n").slice(0, -1);
    assert.deepEqual(records.map((r) => r.split("\n")[0]), shown);
    // The service reads it as the same molecules, and atoms lie a bond apart.
    const read = await fetch(`${demo.url}/v1/records`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ text: sdf, name: "a.sdf" }) }).then((r) => r.json());
    assert.deepEqual(read.records.map((r) => [r.id, r.graph.nodes.length]), records.map((r, i) => [shown[i], Number(r.split("\n")[3].slice(0, 3))]));
    for (const r of records) {
      const lines = r.split("\n"), atoms = Number(lines[3].slice(0, 3)), bonds = Number(lines[3].slice(3, 6));
      const at = (v) => [0, 10].map((c) => Number(lines[3 + v].slice(c, c + 10)));
      for (let b = 0; b < bonds; b++) {
        const [p, q] = [0, 3].map((c) => at(Number(lines[4 + atoms + b].slice(c, c + 3))));
        assert.ok(Math.abs(Math.hypot(p[0] - q[0], p[1] - q[1]) - 1.5) < 0.5, r);
      }
      assert.match(r, />  <status>\nproven\n/);
    }
    await save.click();
    await page.getByRole("menuitem", { name: "Copy as curl" }).click();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const found = JSON.parse(execFileSync("bash", ["-c", command], { encoding: "utf8" }));
    assert.deepEqual(found.answers.map((a) => a.id).sort(), [...shown].sort());
  }));

  test("MOL blocks that were read are saved as they are, also where their atoms have another order", async () => {
    const number = (x, n) => String(x).padStart(n);
    const block = (name, bonds) => `${name}\n  drawn\n\n  5  4  0  0  0  0  0  0  0  0999 V2000\n${[1, 2, 3, 4, 5].map((v) => `${number(`${v}.2500`, 10)}${number("-1.5000", 10)}${number("0.0000", 10)} C   0  0\n`).join("")}${bonds.map(([a, b]) => `${number(a, 3)}${number(b, 3)}  1  0\n`).join("")}M  END\n$$$$\n`;
    const file = join(folder, "pentanes.sdf"), index = join(folder, "pentanes.index");
    writeFileSync(file, block("scrambled", [[5, 1], [1, 4], [4, 2], [2, 3]]) + block("branched", [[1, 4], [2, 4], [4, 3], [3, 5]]));
    execFileSync(greed, ["index", "build", file, "-o", index], { stdio: "pipe" });
    const { page, faults, context } = await visit(browser, await serve([index]), "#k=2&smiles=CCCCC");
    await done(page);
    for (const item of ["SDF, as drawn", "SDF, as read"]) {
      const records = (await saved(page, page.locator("#save"), item)).bytes.toString().split("$$$$\n").slice(0, -1);
      assert.equal(records.length, 2);
      for (const r of records) assert.deepEqual(r.split("\n").slice(4, 9).map((line) => Number(line.slice(0, 10))), [1.25, 2.25, 3.25, 4.25, 5.25], `${item}: ${r}`);
    }
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("SDF has places for the atoms of all answers, also of those that no card shows", on("#find=contains&smiles=Clc1ccccc1", async (page) => {
    await done(page);
    const total = Number((await page.locator("#status").textContent()).match(/^\d+/)[0]);
    assert.ok(total > 60, `${total}`);
    const records = (await saved(page, page.locator("#save"), "SDF, as drawn")).bytes.toString().split("$$$$\n").slice(0, -1);
    assert.equal(records.length, total);
    let flat = 0;
    const count = new Map(); // of the places of atoms
    for (const r of records) {
      const lines = r.split("\n"), atoms = Number(lines[3].slice(0, 3));
      const places = new Set(lines.slice(4, 4 + atoms).map((line) => line.slice(0, 20)));
      if (places.size < atoms) flat++;
      for (const p of places) count.set(p, (count.get(p) ?? 0) + 1);
    }
    assert.equal(flat, 0);
    // The query's seven atoms lie at one place in nearly all of them.
    const often = [...count.values()].sort((a, b) => b - a).slice(0, 7);
    assert.ok(often[6] > 0.8 * total, `${often} of ${total}`);
  }));

  test("pictures of an answer and of the comparison stand alone", on(`#k=4&smiles=${encodeURIComponent(aspirin)}`, async (page) => {
    await compared(page);
    const card = page.locator(".card").first();
    const one = await saved(page, card.locator(".menu-button"), "Save as SVG");
    assert.equal(one.name, "4000.svg");
    const both = (await saved(page, page.locator("#save-comparison"), "Save as SVG")).bytes.toString();
    for (const svg of [one.bytes.toString(), both]) {
      assert.doesNotMatch(svg, /class=|var\(|style=/);
      // A browser shows it, and it has more than its ground.
      const colours = await page.evaluate(async (text) => {
        const image = new Image();
        image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
        await image.decode();
        const c = document.createElement("canvas");
        [c.width, c.height] = [image.naturalWidth, image.naturalHeight];
        c.getContext("2d").drawImage(image, 0, 0);
        return new Set(new Uint32Array(c.getContext("2d").getImageData(0, 0, c.width, c.height).data.buffer)).size;
      }, svg);
      assert.ok(colours > 20, `${colours}`);
    }
    assert.equal(both.match(/<svg /g).length, 3);
    const png = await saved(page, page.locator("#save-comparison"), "Save as PNG");
    assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
    assert.equal(png.bytes.readUInt32BE(16), 1920);
  }));

  test("an answer leads to where more is known, and becomes the query", async () => {
    const service = await serve(["--demo", "--link", "https://example.org/of?id={id}&x=1"]);
    const { page, faults, context } = await visit(browser, service, `#k=4&smiles=${encodeURIComponent(aspirin)}`);
    await done(page);
    const menu = page.locator(".card").nth(1).locator(".menu-button"), id = (await ids(page))[1];
    await menu.click();
    const link = page.getByRole("menuitem", { name: "Open at example.org" });
    assert.equal(await link.getAttribute("href"), `https://example.org/of?id=${id}&x=1`);
    assert.equal(await link.getAttribute("rel"), "noopener noreferrer");
    await page.keyboard.press("Escape");
    await menu.click();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter"); // search from here
    await page.waitForFunction((id) => document.querySelector(".card .id")?.textContent === id && document.querySelector(".card .distance").textContent === "0", id);
    assert.deepEqual(faults, []);
    await context.close();
  });
});
