// Tool is a tool of the editor of molecules: the number that OpenChemLib has for it, its name, the key for it on the
// ground, and what its button shows, a symbol or a path in a square of 20.
export interface Tool {
  number: number;
  name: string;
  key?: string;
  icon: string;
}

// polygon is a path around a ring of n atoms.
function polygon(n: number): string {
  const corners = Array.from({ length: n }, (_, i) => {
    const angle = (2 * Math.PI * (i + (n % 2 ? 0 : .5))) / n - Math.PI / 2;
    return `${(10 + 7 * Math.cos(angle)).toFixed(1)} ${(10 + 7 * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${corners.join("L")}Z`;
}

const atom = (number: number, name: string, symbol: string, key: string): Tool => ({ number, name, key, icon: symbol });
const ring = (number: number, name: string, n: number, key: string, inside = ""): Tool => ({ number, name, key, icon: polygon(n) + inside });

// toolsOf are the tools in groups, as they stand beside and below the ground.
export const toolsOf: { group: string; className: string; list: Tool[] }[] = [
  { group: "Changes", className: "acts", list: [
    { number: 17, name: "Undo", icon: "M7 4.5 3.5 8 7 11.5M3.5 8H12a4 4 0 0 1 0 8H8" },
    { number: 1, name: "Tidy up", icon: "M4 16l7-7M13 3v3M13 10v3M8.5 7.5h3M14.5 7.5h3M15.5 5l1-1M10.5 5l-1-1M15.5 10l1 1" },
    { number: 0, name: "Clear", icon: "M4 6h12M8 6V3.500h4V6M5.5 6l1 11h7l1-11M8.5 9v5M11.5 9v5" },
  ] },
  { group: "Bonds and selection", className: "bonds", list: [
    { number: 2, name: "Select and move", key: "space", icon: "M5 3l10.5 6.5-4.7 1L8 15z" },
    { number: 4, name: "Erase", key: "0", icon: "M7.5 16.500h9M3.5 12l7-8 5.5 5-6.5 7.500h-2z M7 8l5.5 5" },
    { number: 5, name: "Bond; again for double and triple", key: "1", icon: "M4 15 16 5" },
    { number: 6, name: "Bond to the front", key: "u", icon: "M4 15.5 14 4l3 2.800Z" },
    { number: 23, name: "Bond to the back", key: "d", icon: "M4.5 14l1.5 1.500M7 11.200l2 2M9.4 8.500l2.6 2.600M11.9 5.800l3.2 3.2" },
    { number: 22, name: "Chain", key: "2", icon: "M2 13l4-6 4 6 4-6 4 6" },
    { number: 10, name: "Charge up", key: "+", icon: "M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM10 6.500v7M6.5 10h7" },
    { number: 27, name: "Charge down", key: "-", icon: "M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0ZM6.5 10h7" },
    { number: 18, name: "Zoom and turn", key: "z", icon: "M14 8.500a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0ZM12.5 12.5 17 17" },
  ] },
  { group: "Atoms", className: "atoms", list: [
    atom(11, "Carbon", "C", "c"), atom(12, "Nitrogen", "N", "n"), atom(13, "Oxygen", "O", "o"), atom(30, "Sulfur", "S", "s"),
    atom(29, "Phosphorus", "P", "p"), atom(14, "Fluorine", "F", "f"), atom(31, "Chlorine", "Cl", "l"), atom(15, "Bromine", "Br", "b"),
    atom(32, "Iodine", "I", "i"), atom(28, "Silicon", "Si", ""), atom(16, "Hydrogen", "H", "h"), atom(33, "Another atom", "…", "."),
  ] },
  { group: "Rings", className: "rings", list: [
    ring(26, "Benzene", 6, "a", "M13.5 10a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0Z"), ring(25, "Ring of six", 6, "6"), ring(8, "Ring of five", 5, "5"),
    ring(7, "Ring of three", 3, "3"), ring(24, "Ring of four", 4, "4"), ring(9, "Ring of seven", 7, "7"),
  ] },
];
