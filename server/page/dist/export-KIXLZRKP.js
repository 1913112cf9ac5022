import{a,b,c,d,e}from"./chunk-3ICGZ6ZC.js";import"./chunk-4RSFVQ6B.js";import"./chunk-ZFH7KXOH.js";import"./chunk-XOIEQCSJ.js";export{a as csv,e as placed,d as sdf,c as smiles,b as tabular};
