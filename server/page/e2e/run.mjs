// Runs the tests: builds greed once, and starts one browser and one service with the
// demonstration, which the files of tests share.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, greed, options, serve, stopAll } from "./service.mjs";
import { chromium } from "playwright-core";

const here = dirname(fileURLToPath(import.meta.url));
build();
const [server, demo] = await Promise.all([chromium.launchServer(options), serve(["--demo"])]);
const asked = process.argv.slice(2);
const files = asked.length ? asked : readdirSync(here).filter((f) => f.endsWith(".test.mjs")).map((f) => join(here, f));
const child = spawn(process.execPath, ["--test", "--test-reporter=spec", "--test-concurrency=2", ...files], {
  stdio: "inherit", env: { ...process.env, GREED_E2E: JSON.stringify({ greed, browser: server.wsEndpoint(), demo: demo.address }) },
});
const code = await new Promise((done) => child.on("exit", done));
await server.close();
await stopAll();
process.exit(code ?? 1);
