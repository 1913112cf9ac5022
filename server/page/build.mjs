// Builds dist/, which the Go program embeds: the page's modules bundled, JSME
// copied as its authors compiled it.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

// Of JSME's compilations, those for today's browsers: WebKit and Blink, Gecko.
const jsmeCode = ["D44A6B2FA009371519F96969020A9CF0", "DF562A19E2DB53DC47045F14B3DC6551"];

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist/jsme/deferredjs", { recursive: true });

const { metafile } = await build({
  entryPoints: { app: "src/main.ts", sketch: "src/sketch.ts", worker: "src/worker.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  metafile: true,
  legalComments: "none",
});

// What a file is called by its content may be kept by browsers for good. named maps
// the names in the sources to such ones.
const named = new Map();
let preloads = ""; // of what the page's module imports, which a browser finds out late
for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
  const name = { "src/main.ts": "app.js", "src/sketch.ts": "sketch.js", "src/worker.ts": "worker.js" }[entryPoint];
  if (name) named.set(name, path.replace("dist/", ""));
  if (name !== "app.js") continue;
  const imported = metafile.outputs[path].imports.filter((i) => i.kind === "import-statement");
  preloads = imported.map((i) => `<link rel="modulepreload" href="${i.path.replace("dist/", "")}">\n`).join("");
}
for (const name of ["style", "sketch"]) {
  const text = readFileSync(`src/${name}.css`);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();
  named.set(`${name}.css`, `${name}-${hash}.css`);
  writeFileSync(`dist/${name}-${hash}.css`, text);
}
for (const name of ["index.html", "sketch.html"]) {
  let text = readFileSync(`src/${name}`, "utf8");
  for (const [from, to] of named) text = text.replace(`"${from}"`, `"${to}"`);
  if (name === "index.html") text = text.replace('<script type="module"', `${preloads}$&`);
  writeFileSync(`dist/${name}`, text);
}
cpSync("src/icon.svg", "dist/icon.svg");

const jsme = "node_modules/jsme-editor";
for (const name of readdirSync(jsme)) {
  if (/^(jsme\.nocache\.js|jsa\.css|license\.txt|.*\.cache\.(png|gif)|clear\.cache\.gif)$/.test(name)) {
    cpSync(`${jsme}/${name}`, `dist/jsme/${name}`);
  }
}
cpSync(`${jsme}/gwt`, "dist/jsme/gwt", { recursive: true });
for (const code of jsmeCode) {
  cpSync(`${jsme}/${code}.cache.js`, `dist/jsme/${code}.cache.js`);
  cpSync(`${jsme}/deferredjs/${code}`, `dist/jsme/deferredjs/${code}`, { recursive: true });
}

const licences = [
  ["cytoscape", "LICENSE"],
  ["openchemlib", "LICENSE"],
  ["@dagrejs/dagre", "LICENSE"],
  ["@dagrejs/graphlib", "LICENSE"],
  ["d3-force", "LICENSE"],
  ["d3-dispatch", "LICENSE"],
  ["d3-quadtree", "LICENSE"],
  ["d3-timer", "LICENSE"],
  ["jsme-editor", "license.txt"],
].map(([name, file]) => {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  const text = readFileSync(`node_modules/${name}/${file}`, "utf8").replaceAll("\r\n", "\n").trim();
  return `${name} ${version}\n\n${text}\n`;
});
writeFileSync("dist/licences.txt", licences.join(`\n${"-".repeat(72)}\n\n`));

// Files that compress are kept compressed alone: a browser takes them so.
for (const name of readdirSync("dist", { recursive: true })) {
  if (!/\.(js|css|html)$/.test(name)) continue;
  const text = readFileSync(`dist/${name}`);
  if (text.length < 1024) continue;
  writeFileSync(`dist/${name}.gz`, gzipSync(text, { level: 9 }));
  rmSync(`dist/${name}`);
}
