import{a,b,c,d,e}from"./chunk-5KKS26QS.js";import"./chunk-4RSFVQ6B.js";import"./chunk-ZYUMJQYY.js";import"./chunk-XOIEQCSJ.js";export{a as csv,e as placed,d as sdf,c as smiles,b as tabular};
