import{b as a}from"./chunk-S6Z2EDGD.js";export{a as layoutNetwork};
