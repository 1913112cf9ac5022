import{a,b,c,d,e}from"./chunk-GQR2HAAD.js";import"./chunk-4RSFVQ6B.js";import"./chunk-B4R2O6B4.js";import"./chunk-XOIEQCSJ.js";export{a as csv,e as placed,d as sdf,c as smiles,b as tabular};
