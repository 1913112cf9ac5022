// Runs JSME in a frame of its own: the editor compiles its code from text, which
// the page's content security policy forbids. The frame's policy allows that, and
// forbids all requests but for its own files. It speaks with the page in SMILES.

interface Editor {
  smiles(): string;
  readGenericMolecularInput(text: string): void;
  reset(): void;
  setSize(width: string, height: string): void;
  setAfterStructureModifiedCallback(f: () => void): void;
}

declare const JSApplet: { JSME: new (id: string, width: string, height: string, options: object) => Editor };

const size = () => [`${innerWidth}px`, `${innerHeight}px`] as const;

function start(): void {
  const editor = new JSApplet.JSME("editor", ...size(), { options: "nohydrogens,newlook,noreaction,nomarker" });
  let quiet = false;
  editor.setAfterStructureModifiedCallback(() => {
    if (!quiet) parent.postMessage({ smiles: editor.smiles() }, location.origin);
  });
  addEventListener("message", (e) => {
    if (e.origin !== location.origin || e.source !== parent || typeof e.data.smiles !== "string") return;
    quiet = true;
    if (e.data.smiles) editor.readGenericMolecularInput(e.data.smiles);
    else editor.reset();
    quiet = false;
  });
  addEventListener("resize", () => editor.setSize(...size()));
  parent.postMessage({ ready: true }, location.origin);
}

Object.assign(window, { jsmeOnLoad: start });
const script = document.createElement("script");
script.src = "jsme/jsme.nocache.js";
document.head.append(script);
