// A newcomer at the page: types, pastes, changes the collection, prints to PDF, holds a phone, has only a keyboard.
// Wherever the visit leads there is something to see, and nothing of what was there before.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { inflateSync } from "node:zlib";
import { engine, folder, greed, serve, visit } from "./service.mjs";
import { aspirin, browser, compared, demo, done, on } from "./steps.mjs";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const status = (page) => page.locator("#status").textContent();

// blank returns the cards in view that show nothing: no drawing, or a word in place of one.
const blank = (page) => page.evaluate(async () => {
  const inView = (e) => e.getBoundingClientRect().top < innerHeight && e.getBoundingClientRect().bottom > 0;
  const cards = [...document.querySelectorAll(".card")].filter(inView);
  return cards.filter((c) => !c.querySelector(".figure .node, .figure svg *") || !c.querySelector(".distance")?.textContent).map((c) => c.textContent);
});
const drawn = (page) => page.waitForFunction(() => {
  const cards = [...document.querySelectorAll(".card")].filter((c) => c.getBoundingClientRect().top < innerHeight);
  return cards.length && cards.every((c) => c.querySelector(".figure .node"));
});

test("what is typed, and what is pasted, is answered", on("example", async (page) => {
  await page.locator("#text").selectText();
  await page.keyboard.type("CCO");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.includes("smiles=CCO"));
  await done(page);
  await drawn(page);
  assert.match(await status(page), /4,999/);
  // Pasted over it: a table of two columns, as from a spreadsheet, is many queries; one SMILES is one.
  await page.locator("#text").selectText();
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text/plain", "c1ccccc1O");
    const box = document.querySelector("#text");
    if (box.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }))) document.execCommand("insertText", false, "c1ccccc1O");
  });
  assert.equal(await page.inputValue("#text"), "c1ccccc1O");
  await page.press("#text", "Enter");
  await page.waitForFunction(() => location.hash.includes("c1ccccc1O"));
  await done(page);
  await drawn(page);
  assert.deepEqual(await blank(page), []);
}));

describe("with a second collection", () => {
  let two;
  before(async () => {
    const file = join(folder, "graphs.json");
    const graph = (id, labels) => ({ id, nodes: labels.map((label) => ({ label })), edges: labels.slice(1).map((_, i) => ({ source: i, target: i + 1 })) });
    writeFileSync(file, JSON.stringify([graph("loads", ["main", "load", "parse"]), graph("saves", ["main", "save", "parse", "write"])]));
    const index = join(folder, "programs.index");
    execFileSync(greed, ["index", "build", file, "-o", index], { stdio: "pipe" });
    two = await serve(["--demo", `programs=${index}`]);
  });

  test("a change of the collection leaves nothing of the query before", async () => {
    const { page, faults, context } = await visit(browser, two, `#in=demo&smiles=${encodeURIComponent(aspirin)}`);
    await done(page);
    await drawn(page);
    await page.selectOption("#collection", "programs");
    await page.waitForFunction(() => document.querySelectorAll(".card").length === 0 || !document.body.classList.contains("busy"));
    const shown = await page.evaluate(() => document.querySelector("main").innerText);
    for (const old of ["4,999", "4000"]) assert.ok(!shown.includes(old), `${old} in ${shown}`);
    await page.selectOption("#collection", "demo");
    await page.fill("#text", "CCO");
    await page.press("#text", "Enter");
    await done(page);
    await drawn(page);
    assert.deepEqual(await blank(page), []);
    assert.deepEqual(faults, []);
    await context.close();
  });
});

test("with the keyboard alone a query is asked, and an answer compared, in sight all the time", on("", async (page) => {
  const focus = () => page.evaluate(() => {
    const e = document.activeElement;
    const box = e.getBoundingClientRect();
    const style = getComputedStyle(e);
    return { id: e.id, card: e.closest(".card") !== null, seen: box.width > 0 && box.bottom > 0 && box.top < innerHeight, marked: style.outlineStyle !== "none" || style.boxShadow !== "none" };
  });
  const go = async (there) => {
    for (let i = 0; i < 80; i++) {
      await page.keyboard.press("Tab");
      const f = await focus();
      assert.ok(f.seen, `the focus is out of sight at #${f.id}`);
      if (there(f)) return f;
    }
    assert.fail("the key Tab does not lead there");
  };
  await page.evaluate(() => document.activeElement.blur());
  await go((f) => f.id === "text");
  await page.keyboard.type("CCO");
  await page.keyboard.press("Enter");
  await done(page);
  const card = await go((f) => f.card);
  assert.ok(card.marked, "the focus is not shown");
  await page.keyboard.press("Enter");
  await compared(page);
}));

describe("on a phone", () => {
  test("after a search answers are in view, and nothing is wider than the window", on("", async (page) => {
    await page.fill("#text", aspirin);
    await page.locator("#search").click();
    await done(page);
    await drawn(page);
    await page.waitForFunction(() => {
      const box = document.querySelector(".card").getBoundingClientRect();
      return box.top >= 0 && box.top < 0.6 * innerHeight;
    });
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    assert.deepEqual(await blank(page), []);
  }, phone));
});

test("the PDF of a print has every answer", { skip: engine !== "chromium" && "its driver prints nothing" }, on(`#k=40&smiles=${encodeURIComponent(aspirin)}`, async (page) => {
  await done(page);
  await drawn(page);
  const ids = await page.locator(".card .id").allTextContents();
  assert.equal(ids.length, 40);
  for (const table of [false, true]) {
    if (table) await page.click("#as-table");
    // By the key for it, which waits until all is drawn.
    await page.evaluate(() => (window.print = () => (window.printed = true)));
    await page.keyboard.press("Control+p");
    await page.waitForFunction(() => window.printed);
    await page.evaluate(() => (window.printed = false));
    const pages = textsOf(await page.pdf({ printBackground: true }));
    const text = pages.join("\n");
    for (const id of ids) assert.ok(text.includes(id), `${id} is not printed`);
    assert.ok(text.includes(aspirin), "the query is not printed");
    for (const control of ["Choose a file", "File …", "Show as", "Copy link"]) assert.ok(!text.includes(control), `${control} is printed`);
    assert.deepEqual(pages.filter((t) => t.length < 20), [], "a page is blank");
  }
}));

// textsOf returns the text of each page of a PDF as Chromium writes them: fonts by names of the page, glyphs in
// hexadecimal digits, with a table to Unicode for each font.
function textsOf(pdf) {
  const raw = pdf.toString("latin1");
  const objects = new Map();
  for (const m of raw.matchAll(/(?:^|\n)(\d+) 0 obj\s([\s\S]*?)endobj/g)) objects.set(m[1], m[2]);
  const stream = (body) => {
    const at = body.indexOf("stream");
    if (at < 0) return "";
    const data = Buffer.from(body.slice(at).replace(/^stream\r?\n/, ""), "latin1");
    return /FlateDecode/.test(body.slice(0, at)) ? inflateSync(data).toString("latin1") : data.toString("latin1");
  };
  const characters = (font) => {
    const table = new Map();
    const to = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font) ?? "");
    const text = to ? stream(objects.get(to[1])) : "";
    const unicode = (hex) => Buffer.from(hex, "hex").swap16().toString("utf16le");
    for (const [, list] of text.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
      for (const [, glyph, hex] of list.matchAll(/<(\w+)> <(\w+)>/g)) table.set(parseInt(glyph, 16), unicode(hex));
    }
    for (const [, list] of text.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
      for (const [, from, until, hex] of list.matchAll(/<(\w+)> <(\w+)> <(\w+)>/g)) {
        for (let g = parseInt(from, 16), c = parseInt(hex, 16); g <= parseInt(until, 16); g++, c++) table.set(g, String.fromCodePoint(c));
      }
    }
    return table;
  };
  const fonts = new Map();
  const texts = [];
  for (const body of objects.values()) {
    if (!/\/Type \/Page\b/.test(body)) continue;
    const named = new Map([...(/\/Font <<([^>]*)>>/.exec(body)?.[1] ?? "").matchAll(/\/(\w+) (\d+) 0 R/g)].map((m) => [m[1], m[2]]));
    let text = "";
    let font;
    const content = [.../\/Contents \[?([^\]/>]*)/.exec(body)[1].matchAll(/(\d+) 0 R/g)].map((m) => stream(objects.get(m[1]))).join("\n");
    for (const m of content.matchAll(/\/(\w+) [\d.]+ Tf|<([0-9A-Fa-f]+)>|\bET\b/g)) {
      if (m[1]) {
        const object = named.get(m[1]);
        if (!fonts.has(object)) fonts.set(object, characters(object));
        font = fonts.get(object);
      } else if (m[2]) {
        for (let i = 0; i < m[2].length; i += 4) text += font?.get(parseInt(m[2].slice(i, i + 4), 16)) ?? "";
      } else text += "\n";
    }
    texts.push(text);
  }
  return texts;
}
