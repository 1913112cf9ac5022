import type { Compared } from "./api";
import { h } from "./dom";

// refusal says why a text cannot be read, and marks the place if the reason names one.
export function refusal(message: string, text: string): Node[] {
  const plain = inWords(message);
  const at = placeIn(message, text);
  if (!at) return [document.createTextNode(plain)];
  const before = at.line.slice(0, at.column), after = at.line.slice(at.column + 1);
  const cut = before.length > 24;
  return [
    document.createTextNode(plain),
    h("code", { className: "place" }, cut ? `…${before.slice(-24)}` : before, h("mark", {}, at.line[at.column] ?? "⎵"), after.length > 24 ? `${after.slice(0, 24)}…` : after),
  ];
}

// placeIn returns the line that a message is about, and the column in it from 0.
function placeIn(message: string, text: string): { line: string; column: number } | null {
  const column = /column (\d+)/.exec(message);
  if (!column) return null;
  const number = Number(/line (\d+)/.exec(message)?.[1] ?? 1);
  const line = text.split("\n")[number - 1];
  const at = Number(column[1]) - 1;
  return line === undefined || at > line.length ? null : { line, column: at };
}

// inWords leaves out what people did not ask: the text itself, which is before them,
// and what messages say before the reason.
export function inWords(message: string): string {
  const short = message.replace(/^the graph cannot be read: /, "").replace(/^(SMILES|smarts:) "(?:[^"\\]|\\.)*":\s*/, (_, kind) => `${kind.replace(/:/, "").toUpperCase()}, `).replace(/^text(?: line \d+)?: /, "");
  return short.charAt(0).toUpperCase() + short.slice(1);
}

// signs are what SMILES has of what may be compared besides elements and bonds; that hydrogens
// are left out is no news.
const signs: [Compared, RegExp][] = [["stereochemistry", /[@/\\]/], ["charges", /\[[^\]]*[+-]\d*[^\]]*\]/], ["isotopes", /\[\d+[A-Za-z]/]];

// lost says what a molecule's text has that the comparison leaves out.
export function lost(text: string, compared: Compared[]): string {
  const parts = signs.filter(([name, sign]) => !compared.includes(name) && sign.test(text)).map(([name]) => name);
  if (parts.length === 0) return "";
  const list = parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts[0];
  return `Left out of the comparison: ${list}.`;
}
