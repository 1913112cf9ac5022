// The page in a browser, against greed serve.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { build, folder, greed, launch, serve, stopAll, visit } from "./service.mjs";

const aspirin = "CC(=O)Oc1ccccc1C(=O)O";

let browser, demo;
before(async () => {
  build();
  [browser, demo] = await Promise.all([launch(), serve(["--demo"])]);
});
after(async () => {
  await browser?.close();
  await stopAll();
});

// on runs a test on a page of the demonstration, and checks that nothing else went wrong.
const on = (hash, run, options) => async () => {
  const { page, faults, context } = await visit(browser, demo, hash, options);
  await run(page, context);
  assert.deepEqual(faults, []);
  await context.close();
};

// done waits for the outcome of a search.
const done = (page) => page.waitForFunction(() => !document.body.classList.contains("busy") && document.querySelector("#actions:not([hidden])"));

// held is a gate that lets nothing through until it is opened.
function held() {
  let open;
  const opened = new Promise((done) => (open = done));
  return { open, opened };
}

// lines answers searches that are streamed with lines, and returns what was asked.
async function lines(page, list) {
  const asked = [];
  await page.route("**/search", (route) => {
    const request = route.request();
    if (!/ndjson/.test(request.headers().accept)) return route.continue();
    asked.push(request.postDataJSON());
    return route.fulfill({ headers: { "Content-Type": "application/x-ndjson", "X-Request-Id": "REQUEST" }, body: list.map((line) => JSON.stringify(line) + "\n").join("") });
  });
  return asked;
}

const checked = (page) => page.locator(".card.checked").first().waitFor();
const compared = (page) => page.locator("#comparison .edit").first().waitFor();
const distances = (page) => page.locator(".card .distance").allTextContents();

async function ask(page, smiles) {
  await page.fill("#text", smiles);
  await page.press("#text", "Enter");
}

describe("a search", () => {
  test("pasted, shows predictions, then exact distances and marked edits", on("", async (page) => {
    await ask(page, aspirin);
    await compared(page);
    assert.equal(await page.locator(".card").count(), 12);
    // The nearest in the README: nitrogen in place of oxygen.
    const nearest = page.locator(".card", { hasText: /^\d+4000/ });
    await nearest.locator(".choose").click();
    await page.waitForFunction(() => document.querySelector("#comparison figure:last-child figcaption").textContent === "4000");
    assert.equal(await nearest.locator(".distance").textContent(), "1");
    assert.match(await nearest.locator(".note").textContent(), /^predicted \d\.\d\d$/);
    assert.equal(await page.locator("#comparison .edit").textContent(), "relabel atom 3: O → N");
    const marked = page.locator("#comparison .node.relabelled");
    assert.equal(await marked.count(), 2);
    assert.deepEqual(await marked.locator(".atom").allTextContents(), ["O", "N", "H"]);
  }));

  test("proves all answers, in the order of their distances", on(`#k=60&smiles=${encodeURIComponent(aspirin)}`, async (page) => {
    await done(page);
    assert.match(await page.locator("#status").textContent(), /^60 of 4,999 graphs, proven: /);
    assert.equal(await page.locator(".card.checked").count(), 60);
    const got = (await distances(page)).map(Number);
    assert.deepEqual(got, [...got].sort((a, b) => a - b));
  }));

  test("paints predictions at once and replaces them", async () => {
    const { page, faults, context } = await visit(browser, demo);
    const gate = held();
    await page.route("**/search", async (route) => {
      if (/ndjson/.test(route.request().headers().accept)) await gate.opened;
      await route.continue();
    });
    await ask(page, aspirin);
    await page.locator(".card").first().waitFor();
    assert.equal(await page.locator(".card.checked").count(), 0);
    for (const text of await distances(page)) assert.match(text, /^≈ \d/);
    for (const text of await page.locator(".card .note").allTextContents()) assert.match(text, /^predicted/);
    assert.match(await page.locator("#status").textContent(), /Predicted by a model/);
    assert.ok(await page.locator("#cancel").isVisible());
    const labels = await page.locator(".card .choose").evaluateAll((all) => all.map((b) => b.getAttribute("aria-label")));
    assert.match(labels[0], /^rank 1, .*, predicted \d/);
    gate.open();
    await done(page);
    assert.equal(await page.locator(".card:not(.checked)").count(), 0);
    assert.match(await page.locator(".card .choose").first().getAttribute("aria-label"), /^rank 1, 4000, distance 1$/);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("shows the best so far among predictions, in the order of the numbers", async () => {
    const { page, faults, context } = await visit(browser, demo);
    await lines(page, [{ candidates: 400, verified: 3, best: [
      { id: "4000", smiles: "CC(=O)NC1=C(C=CC=C1)C(O)=O", predicted: 2.7, lower: 1, upper: 1 },
      { id: "9", smiles: "CCCC", predicted: 9, lower: 2, upper: 4 },
    ] }]);
    await ask(page, aspirin);
    await page.locator("#problem:not([hidden])").waitFor();
    const shown = (await distances(page)).map((text) => Number(text.replace(/^≈ |^.*–/g, "")));
    assert.equal(shown.length, 12);
    assert.deepEqual(shown, [...shown].sort((a, b) => a - b));
    assert.equal(await page.locator(".card.checked").count(), 2);
    assert.equal(await page.locator(".card").first().locator(".distance").textContent(), "1");
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("can be cancelled, and says that nothing is proven", async () => {
    const { page, faults, context } = await visit(browser, demo);
    const gate = held();
    await page.route("**/search", async (route) => {
      if (/ndjson/.test(route.request().headers().accept)) await gate.opened;
      await route.continue().catch(() => {});
    });
    await ask(page, aspirin);
    await page.locator(".card").first().waitFor();
    await page.click("#cancel");
    assert.match(await page.locator("#status").textContent(), /^Cancelled\..*nothing of it is proven/);
    assert.ok(await page.locator("#progress").isHidden());
    assert.equal(await page.locator(".card").count(), 12);
    gate.open();
    await page.waitForTimeout(200);
    assert.equal(await page.locator(".card.checked").count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });

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
    while (asked.length < 3) await page.waitForTimeout(20);
    await done(page);
    assert.ok(await page.locator("#more").isHidden()); // the service gives no more than 30 s
    assert.deepEqual(asked.map((body) => body.budget), [undefined, "20s", "30s"]);
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

  test("for a fragment finds molecules that have it", on("", async (page) => {
    await page.getByRole("button", { name: "Indole" }).click();
    await page.locator(".count.same").first().waitFor();
    assert.equal(await page.locator(".card .distance").first().textContent(), "0");
    assert.equal(await page.locator(".count.same").first().textContent(), "contained");
    assert.equal(await page.locator("#comparison .position").textContent(), "no edits");
    // What the answer has beyond the fragment is faint, and the fragment is not.
    const card = page.locator(".card.checked", { has: page.locator(".node.rest") }).first();
    await card.waitFor();
    assert.equal(await card.locator(".node:not(.rest)").count(), 9);
  }));

  test("within a radius", on("", async (page) => {
    await ask(page, aspirin);
    await checked(page);
    await page.locator("[name=extent][value=radius]").check();
    await page.fill("#amount", "3.5");
    await page.press("#amount", "Tab");
    await page.waitForFunction(() => location.hash.includes("radius=3.5"));
    await page.waitForFunction(() => /graphs, proven: .* none is missing/.test(document.getElementById("status").textContent));
    const got = (await distances(page)).map(Number);
    assert.ok(got.length > 4 && got.every((d) => d <= 3.5), got.join());
    await page.fill("#amount", "0");
    await page.press("#amount", "Tab");
    await page.waitForFunction(() => /^Nothing within 0; that is proven/.test(document.getElementById("status").textContent));
    assert.ok(await page.locator("#comparison").isHidden());
  }));
});

describe("a comparison", () => {
  const hash = `#task=ged&k=12&smiles=${encodeURIComponent(aspirin)}&answer=4145`;

  test("steps through the edit path with buttons", on(hash, async (page) => {
    await compared(page);
    const position = page.locator("#comparison .position"), left = page.locator("#comparison figure").first();
    assert.equal(await position.textContent(), "0 / 3");
    assert.equal(await left.locator(".edge").count(), 13);
    assert.equal(await left.locator(".edge.deleted").count(), 1);
    await page.getByRole("button", { name: "Next edit" }).click();
    assert.equal(await position.textContent(), "1 / 3");
    assert.equal(await left.locator(".edge").count(), 12);
    await page.getByRole("button", { name: "Next edit" }).click();
    await page.getByRole("button", { name: "Next edit" }).click();
    assert.equal(await left.locator("figcaption").textContent(), "after 3 of 3 edits");
    assert.ok(await page.getByRole("button", { name: "Next edit" }).isDisabled());
    // The last graph is the one found: as many atoms and bonds, as labelled.
    const right = page.locator("#comparison figure").last();
    assert.equal(await left.locator(".edge").count(), await right.locator(".edge").count());
    const labels = async (side) => (await side.locator(".node title").allTextContents()).map((t) => t.replace(/^\d+: /, "")).sort();
    assert.deepEqual(await labels(left), await labels(right));
    const bonds = async (side) => side.locator(".edge .line").count();
    assert.equal(await bonds(left), await bonds(right));
  }));

  test("names nodes by their numbers in the query", on(hash, async (page) => {
    await compared(page);
    const edits = await page.locator("#comparison .edit").allTextContents();
    assert.deepEqual(edits.slice(0, 2), ["delete single bond C1–O3", "relabel bond C1–O2: double → single"]);
    assert.match(edits[2], /^insert single bond C\d–O2$|^insert single bond O2–C\d$/);
  }));

  test("lights matched nodes together", on(hash, async (page) => {
    await compared(page);
    await page.locator("#comparison figure").first().locator("[data-node='0']").hover();
    assert.equal(await page.locator("#comparison .lit").count(), 2);
    assert.match(await page.locator(".told").textContent(), /^Atom 0 \(C\) ↔ Atom \d+ \(C\) of the graph found$/);
  }));

  test("marks the query while a card is pointed at", on(hash, async (page) => {
    await compared(page);
    await page.locator(".card.selected").hover();
    await page.locator("#query .edge.deleted").waitFor();
    assert.equal(await page.locator("#query .edge.relabelled").count(), 1);
    await page.mouse.move(5, 5);
    await page.waitForFunction(() => !document.querySelector("#query .deleted"));
  }));
});

describe("by keyboard alone", () => {
  test("search, choose an answer, step", on("", async (page) => {
    await page.keyboard.press("Tab"); // the link that skips
    assert.equal(await page.evaluate(() => document.activeElement.id), "skip");
    while ((await page.evaluate(() => document.activeElement.id)) !== "text") await page.keyboard.press("Tab");
    await page.keyboard.type(aspirin);
    await page.keyboard.press("Enter");
    await compared(page);
    while (!(await page.evaluate(() => document.activeElement.classList.contains("choose")))) await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.locator(".card:nth-child(2).selected").waitFor();
    await page.waitForFunction(() => document.querySelector("#comparison .position").textContent.startsWith("0 /"));
    while (!(await page.evaluate(() => document.activeElement.classList.contains("step")))) await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("ArrowRight");
    assert.match(await page.locator("#comparison .position").textContent(), /^1 \//);
    while ((await page.evaluate(() => document.activeElement.tagName)) !== "svg") await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("#comparison .lit").count() > 0, true);
  }));
});

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
    await page.fill("#text", "t # 0\nv 0 C\nv 1 O\ne 0 1 1\n");
    await page.press("#text", "Tab"); // only drawn, not searched for
    await page.waitForFunction(() => document.getElementById("query-size").textContent.startsWith("2 atoms"));
    assert.equal(await page.locator(".card").count(), 0);
  }));

  test("drawn with JSME is searched for", on("", async (page) => {
    await page.click("#tab-draw");
    const frame = page.frameLocator("#panel-draw iframe");
    const canvas = frame.locator("#editor svg").last();
    await canvas.waitFor();
    const box = await page.locator("#panel-draw iframe").boundingBox();
    // The benzene of the tool bar, then the ground.
    await page.mouse.click(box.x + 13 + 8 * 25, box.y + 37);
    await page.mouse.click(box.x + 200, box.y + 200);
    await page.waitForFunction(() => document.getElementById("text").value !== "");
    assert.match(await page.inputValue("#text"), /^[cC]1/);
    await page.click("#search");
    await checked(page);
    assert.match(await page.locator("#query-size").textContent(), /^6 atoms, 6 bonds/);
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

describe("what can be taken away", () => {
  test("curl, CSV and SDF", on(`#k=5&smiles=${encodeURIComponent(aspirin)}`, async (page, context) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await checked(page);
    await page.click("#curl");
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const found = JSON.parse(execFileSync("bash", ["-c", command], { encoding: "utf8" }));
    assert.deepEqual(found.answers.map((a) => a.id), await page.locator(".card .id").allTextContents());
    for (const [button, start] of [["#csv", /^\S+,/], ["#sdf", /V2000|V3000/]]) {
      const [file] = await Promise.all([page.waitForEvent("download"), page.click(button)]);
      const text = await file.createReadStream().then(async (s) => Buffer.concat(await s.toArray()).toString());
      assert.match(text, start);
      assert.match(text, /2109/);
    }
  }));
});

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

describe("trouble", () => {
  test("a stopped service is told, and the page goes on when it is back", async () => {
    const service = await serve(["--demo"]);
    const { page, faults, context } = await visit(browser, service);
    await ask(page, aspirin);
    await checked(page);
    await service.stop();
    await ask(page, "CCO");
    await page.locator("#text-error:not(:empty), #problem:not([hidden])").first().waitFor();
    assert.match((await page.locator("#text-error").textContent()) + (await page.locator("#problem").textContent()), /does not answer/);
    const again = await serve(["--demo"], service.address);
    await page.click("#search");
    await page.waitForFunction(() => document.getElementById("query-size").textContent.startsWith("3 atoms"));
    await checked(page);
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("an answer that breaks off is told, with the id of the request", async () => {
    for (const [list, says] of [
      [[{ candidates: 9, verified: 1 }], "The answer broke off before its end. (request REQUEST)"],
      [[{ error: "the time for the request was up", request: "ANOTHER" }], "the time for the request was up (request ANOTHER)"],
    ]) {
      const { page, faults, context } = await visit(browser, demo);
      await lines(page, list);
      await ask(page, aspirin);
      await page.locator("#problem:not([hidden])").waitFor();
      assert.equal(await page.locator("#problem").textContent(), says);
      assert.match(await page.locator("#status").textContent(), /nothing of it is proven/);
      assert.equal(await page.locator(".card.checked").count(), 0);
      assert.ok(await page.locator("#progress").isHidden());
      assert.deepEqual(faults, []);
      await context.close();
    }
  });

  test("a link to a collection that there is not says so", on(`#in=nowhere&smiles=CCO`, async (page) => {
    await page.locator("#problem:not([hidden])").waitFor();
    assert.match(await page.locator("#problem").textContent(), /no collection nowhere/);
    await page.waitForTimeout(1000);
    assert.equal(await page.locator(".card").count(), 0);
    await page.selectOption("#collection", "demo");
    await checked(page);
  }));

  test("a link with numbers that cannot be says what is used", on(`#k=999999&smiles=CCO`, async (page) => {
    await page.locator("#problem:not([hidden])").waitFor();
    assert.match(await page.locator("#problem").textContent(), /k=999999.*12 is used/);
    assert.equal(await page.locator(".card").count(), 12);
  }));

  test("long ids and names stay in their cards", async () => {
    const id = (i) => `lib${i}/a_rather_long_path/that_goes_on_and_on/module_${i}_with_a_long_name.c`;
    const file = join(folder, "long.json"), index = join(folder, "long.greed");
    const graph = (i) => ({
      directed: true, multigraph: false, graph: { id: id(i), name: `NameWithoutAnyBreak${"x".repeat(80)}` },
      nodes: [0, 1, 2].map((n) => ({ id: n, label: `function_with_a_long_name_${n % i}` })), edges: [{ source: 0, target: 1, label: "call" }, { source: 1, target: 2, label: "call" }],
    });
    writeFileSync(file, JSON.stringify([1, 2, 3].map(graph)));
    execFileSync(greed, ["index", "build", file, "-o", index], { stdio: "pipe" });
    const service = await serve([index]);
    for (const width of [390, 1280]) {
      const { page, faults, context } = await visit(browser, service, "", { viewport: { width, height: 844 } });
      await page.fill("#text", JSON.stringify(graph(2)));
      await page.click("#search");
      await done(page);
      await page.locator("#comparison:not([hidden])").waitFor();
      const wide = await page.evaluate(() => [document.documentElement, ...document.querySelectorAll(".card, .card header, .card footer, #comparison")]
        .filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => `${e.tagName}.${e.className} ${e.scrollWidth} > ${e.clientWidth}`));
      assert.deepEqual(wide, []);
      assert.equal(await page.locator(".card .choose").first().getAttribute("title"), `${id(2)} · ${graph(2).graph.name}`);
      assert.deepEqual(faults, []);
      await context.close();
    }
  });

  test("a service that asks for a token gets one", async () => {
    const file = join(folder, "readers");
    writeFileSync(file, "a-token-of-the-test-of-32-letters\n");
    const service = await serve(["--demo", "--read-token-file", file]);
    const { page, faults, context } = await visit(browser, service);
    await page.locator("#token").fill("wrong");
    await page.locator("#token").press("Enter");
    await page.locator("#token").waitFor();
    await page.locator("#token").fill("a-token-of-the-test-of-32-letters");
    await page.locator("#token").press("Enter");
    await page.locator("#token").waitFor({ state: "hidden" });
    await ask(page, aspirin);
    await checked(page);
    assert.ok(!page.url().includes("a-token"));
    assert.deepEqual(faults, []);
    await context.close();
  });

  test("labels and ids that are scripts are text", async () => {
    const script = "<img/src=x/onerror=alert(1)>";
    const graph = (id, labels) => ({
      directed: false, multigraph: false, graph: { id },
      nodes: labels.map((label, i) => ({ id: i, label })),
      edges: labels.slice(1).map((_, i) => ({ source: i, target: i + 1, label: script })),
    });
    const file = join(folder, "scripts.json"), index = join(folder, "scripts.greed");
    writeFileSync(file, JSON.stringify([graph(`${script}1`, [script, "B", "A"]), graph("<script>alert(2)</script>", ["A", script])]));
    execFileSync(greed, ["index", "build", file, "-o", index], { stdio: "pipe" });
    const service = await serve([index]);
    const { page, faults, context } = await visit(browser, service);
    await page.fill("#text", JSON.stringify(graph("q", [script, "A"])));
    await page.click("#search");
    await checked(page);
    assert.deepEqual((await page.locator(".card .id").allTextContents()).sort(), [`${script}1`, "<script>alert(2)</script>"].sort());
    assert.ok((await page.locator("#labels").textContent()).includes(script));
    assert.equal(await page.locator("main img, main script").count(), 0);
    assert.deepEqual(faults, []);
    await context.close();
  });
});

for (const width of [390, 1280]) {
  test(`nothing is wider than ${width} pixels`, on(`#smiles=${encodeURIComponent(aspirin)}`, async (page) => {
    await compared(page);
    const { scroll, client } = await page.evaluate(() => ({ scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth }));
    assert.ok(scroll <= client, `${scroll} > ${client}`);
  }, { viewport: { width, height: 844 } }));
}
