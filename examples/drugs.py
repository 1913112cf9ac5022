"""Prints the ten nearest molecules of six drugs in the bundled collection, by graph edit
distance under several costs and by the Tanimoto similarity of Morgan fingerprints.

    pip install rdkit
    python3 examples/drugs.py [PROGRAM]

PROGRAM is the greed to run. drugs.txt is what it prints, docs/molecules.md says what it means."""

import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
from statistics import mean

from rdkit import Chem, DataStructs, RDLogger
from rdkit.Chem import rdFingerprintGenerator, rdMolDescriptors

DRUGS = {
    "atropine": "CN1C2CCC1CC(C2)OC(=O)C(CO)c3ccccc3",
    "morphine": "CN1CCC23C4C1CC5=C2C(=C(C=C5)O)OC3C(C=C4)O",
    "aspirin": "CC(=O)Oc1ccccc1C(=O)O",
    "caffeine": "Cn1cnc2c1c(=O)n(C)c(=O)n2C",
    "ibuprofen": "CC(C)Cc1ccc(cc1)C(C)C(=O)O",
    "diazepam": "CN1C(=O)CN=C(c2ccccc2)c2cc(Cl)ccc12",
}
COSTS = ("uniform", "chem1", "rings")


def main(program: str) -> None:
    RDLogger.DisableLog("rdApp.*")
    folder = pathlib.Path(__file__).parent.parent / "bundle"
    with gzip.open(folder / "nci5k.smi.gz", "rt") as file:
        smiles = {name: text for text, name in (line.split(None, 1) for line in file.read().splitlines())}
    morgan = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    molecules = {name: Chem.MolFromSmiles(text) for name, text in smiles.items()}
    prints = {name: morgan.GetFingerprint(m) for name, m in molecules.items() if m is not None}
    rings = {name: rdMolDescriptors.CalcNumRings(m) for name, m in molecules.items() if m is not None}
    for drug, text in DRUGS.items():
        own = morgan.GetFingerprint(Chem.MolFromSmiles(text))
        alike = {name: DataStructs.TanimotoSimilarity(own, p) for name, p in prints.items()}
        best = sorted(alike, key=alike.get, reverse=True)[:10]
        print(f"\n{drug}  {text}  ({rdMolDescriptors.CalcNumRings(Chem.MolFromSmiles(text))} rings)")
        show("Tanimoto", [("", name) for name in best], alike, rings, smiles)
        for costs in COSTS:
            found = json.loads(subprocess.run(
                [program, "search", text, "--costs", costs, "--no-model", "--json", "--time-limit", "5m"],
                check=True, capture_output=True, text=True,
            ).stdout)  # fmt: skip
            answers = [(f"{a['upper']:g}", a["id"]) for a in found["answers"]]
            show(f"{costs}, {found['status']}", answers, alike, rings, smiles)


def show(title: str, answers: list, alike: dict, rings: dict, smiles: dict) -> None:
    """Prints distance, similarity, id and SMILES of each answer, under the means of similarity and rings."""
    names = [name for _, name in answers]
    print(f"  {title}: Tanimoto {mean(alike.get(n, 0) for n in names):.2f}, {mean(rings.get(n, 0) for n in names):.1f} rings")
    for value, name in answers:
        print(f"    {value:>3}  {alike.get(name, 0):.2f}  {name:>4}  {smiles[name]}")


if __name__ == "__main__":
    if not (found := shutil.which(sys.argv[1] if len(sys.argv) > 1 else "greed")):
        sys.exit(__doc__)
    try:
        main(found)
    except BrokenPipeError:  # whoever read the output, such as head, has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
