import{a,b,c,d,e}from"./chunk-5RLEBK5T.js";import"./chunk-4RSFVQ6B.js";import"./chunk-VCTH2BRD.js";import"./chunk-XOIEQCSJ.js";export{a as csv,e as placed,d as sdf,c as smiles,b as tabular};
