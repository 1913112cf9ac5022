// brief shortens names by what they share: the path before the last /, or else the
// beginning that all have in common, as long as different names stay different.
export function brief(names: string[]): Map<string, string> {
  const all = [...new Set(names)];
  const start = shared(all);
  const ways = [(name: string) => name.slice(name.lastIndexOf("/") + 1), (name: string) => name.slice(start)];
  const way = ways.find((cut) => all.some((n) => cut(n) !== n) && new Set(all.map(cut)).size === all.length && all.every((n) => cut(n) !== ""));
  return new Map(all.map((name) => [name, way ? way(name) : name]));
}

// shared returns how many letters all names begin with, up to a sign that separates words.
function shared(names: string[]): number {
  if (names.length < 3) return 0;
  let length = names[0].length;
  for (const name of names) {
    let i = 0;
    while (i < length && name[i] === names[0][i]) i++;
    length = i;
  }
  return (/^.*[/.:_\\-]/s.exec(names[0].slice(0, length)) ?? [""])[0].length;
}
