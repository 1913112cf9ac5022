// Builds dist/, which the Go program embeds: the page's modules bundled, JSME
// copied as its authors compiled it.
import { build } from "esbuild";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

// Of JSME's compilations, those for today's browsers: WebKit and Blink, Gecko.
const jsmeCode = ["D44A6B2FA009371519F96969020A9CF0", "DF562A19E2DB53DC47045F14B3DC6551"];

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist/jsme/deferredjs", { recursive: true });

await build({
  entryPoints: { app: "src/main.ts", sketch: "src/sketch.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  chunkNames: "[name]-[hash]",
  legalComments: "none",
});
for (const name of ["index.html", "style.css", "sketch.html", "sketch.css", "icon.svg"]) {
  cpSync(`src/${name}`, `dist/${name}`);
}

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
  ["smiles-drawer", "LICENSE.md"],
  ["chroma-js", "LICENSE"],
  ["jsme-editor", "license.txt"],
].map(([name, file]) => {
  const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8"));
  const text = readFileSync(`node_modules/${name}/${file}`, "utf8").replaceAll("\r\n", "\n").trim();
  return `${name} ${version}\n\n${text}\n`;
});
writeFileSync("dist/licences.txt", licences.join(`\n${"-".repeat(72)}\n\n`));
