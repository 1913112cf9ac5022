import{a,b}from"./chunk-RITDOS62.js";export{b as inRows,a as wrapped};
