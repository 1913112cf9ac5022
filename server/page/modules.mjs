// SmilesDrawer's package offers the whole; these are its parser and what lays out.
export const layoutOnly = {
  "smiles-drawer/parser": "./node_modules/smiles-drawer/src/ParserWrapper.ts",
  "smiles-drawer/layout": "./node_modules/smiles-drawer/src/DrawerBase.js",
};
