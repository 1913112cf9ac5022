import{a,b,c,d,e}from"./chunk-DP5WL3IV.js";import"./chunk-4RSFVQ6B.js";import"./chunk-F4QXPOTP.js";import"./chunk-XOIEQCSJ.js";export{a as csv,e as placed,d as sdf,c as smiles,b as tabular};
