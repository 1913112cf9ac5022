var a="http://www.w3.org/2000/svg";function c(t,n={},...r){let e=document.createElementNS(a,t);for(let[s,o]of Object.entries(n))e.setAttribute(s,String(o));return e.append(...r),e}export{c as a};
