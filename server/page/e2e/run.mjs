// Runs the tests: builds greed once, and starts one service with the demonstration,
// which the files of tests share. They run in each browser that is installed.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, executable, greed, serve, stopAll } from "./service.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const wanted = process.env.ENGINE ? [process.env.ENGINE] : ["chromium", "firefox"];
const installed = wanted.filter((engine) => executable[engine]());
build();
const demo = await serve(["--demo"]);
const asked = process.argv.slice(2);
const files = asked.length ? asked : readdirSync(here).filter((f) => f.endsWith(".test.mjs")).map((f) => join(here, f));
let failed = installed.length === 0;
for (const engine of installed) {
  console.log(`\nin ${engine} (${executable[engine]()})`);
  // What is drawn is tested once, without a browser.
  const mine = files.filter((f) => engine === installed[0] || !f.endsWith("drawings.test.mjs"));
  const child = spawn(process.execPath, ["--test", "--test-reporter=spec", "--test-concurrency=2", ...mine], {
    stdio: "inherit", env: { ...process.env, GREED_E2E: JSON.stringify({ greed, engine, demo: demo.address }) },
  });
  failed = (await new Promise((done) => child.on("exit", done))) !== 0 || failed;
}
await stopAll();
for (const engine of wanted) {
  if (!installed.includes(engine)) console.log(`NOT CHECKED: the page in ${engine}, which is not installed; ${engine.toUpperCase()} may name it`);
}
process.exit(failed ? 1 : 0);
