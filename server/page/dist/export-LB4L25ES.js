import{a,b,c,d,e}from"./chunk-BL4ZXYCG.js";import"./chunk-4RSFVQ6B.js";import"./chunk-FCHUNMR6.js";import"./chunk-XOIEQCSJ.js";export{a as csv,e as placed,d as sdf,c as smiles,b as tabular};
