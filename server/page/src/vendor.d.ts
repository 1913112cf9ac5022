// The part of SmilesDrawer that lays molecules out.
declare module "smiles-drawer" {
  export interface ParseNode {
    atom: string | { element: string };
    branches: ParseNode[];
    branchCount: number;
    next: ParseNode | null;
    hasNext: boolean;
  }
  interface DrawnAtom {
    element: string;
    bracket: { hcount?: number | string; charge?: number | string } | null;
  }
  export interface Preprocessor {
    initDraw(tree: ParseNode, theme: string, infoOnly: boolean, highlight: unknown[]): void;
    processGraph(): void;
    graph: {
      vertices: { id: number; value: DrawnAtom; position: { x: number; y: number } }[];
      edges: { sourceId: number; targetId: number; bondType: string }[];
    };
    rings: { members: number[] }[];
  }
}

// Two files of it, which leave out what draws: build.mjs says where they are.
declare module "smiles-drawer/parser" {
  import type { ParseNode } from "smiles-drawer";
  const Parser: { parse(smiles: string): ParseNode };
  export default Parser;
}

declare module "smiles-drawer/layout" {
  import type { Preprocessor } from "smiles-drawer";
  const DrawerBase: new (options: object) => Preprocessor;
  export default DrawerBase;
}
