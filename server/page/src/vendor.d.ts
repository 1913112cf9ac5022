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
  interface Preprocessor {
    initDraw(tree: ParseNode, theme: string, infoOnly: boolean, highlight: unknown[]): void;
    processGraph(): void;
    graph: {
      vertices: { id: number; value: DrawnAtom; position: { x: number; y: number } }[];
      edges: { sourceId: number; targetId: number; bondType: string }[];
    };
    rings: { members: number[] }[];
  }
  const SmilesDrawer: {
    parse(smiles: string, done: (tree: ParseNode) => void, failed: (error: unknown) => void): void;
    SvgDrawer: new (options: object) => { preprocessor: Preprocessor };
  };
  export default SmilesDrawer;
}
