import{a,b,c,d,e}from"./chunk-KEGHSDMF.js";import"./chunk-4RSFVQ6B.js";import"./chunk-SGP56MO4.js";import"./chunk-XOIEQCSJ.js";export{a as csv,e as placed,d as sdf,c as smiles,b as tabular};
