import{b as a}from"./chunk-SPIJGXON.js";export{a as layoutNetwork};
