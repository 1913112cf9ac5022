import{b as a}from"./chunk-UFG5SLKG.js";import"./chunk-R43UHDWB.js";export{a as layoutNetwork};
