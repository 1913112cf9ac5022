"use strict";
// Shows the description of the API. All text is set as text, never as markup.
const element = (name, text, ...children) => {
  const e = document.createElement(name);
  if (text) e.textContent = text;
  e.append(...children);
  return e;
};

function resolve(api, schema) {
  if (schema && schema.$ref) return api.components.schemas[schema.$ref.split("/").pop()];
  return schema || {};
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.oneOf) return schema.oneOf.map(typeOf).join(" or ");
  const type = [].concat(schema.type || "any").join(" or ");
  return type.startsWith("array") && schema.items ? `list of ${typeOf(schema.items)}` : type;
}

// rows lists the properties of an object, those inside it indented.
function rows(api, schema, depth = 0) {
  const found = resolve(api, schema);
  const object = found.items ? resolve(api, found.items) : found;
  const choices = (object.oneOf || [object]).map((s) => resolve(api, s));
  const requiring = (name) => choices.filter((s) => (s.required || []).includes(name)).length;
  return Object.entries(Object.assign({}, ...choices.map((s) => s.properties))).flatMap(([name, property]) => {
    const values = resolve(api, property).enum;
    const one = requiring(name) && requiring(name) < choices.length;
    const said = [one && "One of these", values && values.join(", "), property.description].filter(Boolean).join(". ");
    const label = "\u2003".repeat(depth) + name + (requiring(name) === choices.length ? " *" : "");
    const row = element("tr", "", element("td", "", element("code", label)), element("td", typeOf(property)), element("td", said));
    const deeper = property.$ref && depth < 2 ? rows(api, property, depth + 1) : [];
    return [row, ...deeper];
  });
}

function table(title, list) {
  return list.length ? [element("h3", title), element("table", "", ...list)] : [];
}

function operation(api, path, method, op) {
  const summary = element("summary");
  const name = element("span", method.toUpperCase());
  name.className = "method";
  summary.append(name, element("code", path), element("span", op.summary));
  const body = element("div");
  body.className = "body";
  if (op.description) body.append(element("p", op.description));
  body.append(...table("In the address and the headers", (op.parameters || []).map((p) =>
    element("tr", "", element("td", "", element("code", p.name + (p.required ? " *" : ""))), element("td", p.in), element("td", p.description || "")))));
  for (const [kind, content] of Object.entries((op.requestBody && op.requestBody.content) || {})) {
    body.append(...table(`Body, ${kind}`, rows(api, content.schema)));
  }
  for (const [status, response] of Object.entries(op.responses || {})) {
    const kinds = Object.entries(response.content || {});
    if (status === "default" || status >= "400") continue;
    for (const [kind, content] of kinds) body.append(...table(`${status}, ${kind}`, rows(api, content.schema)));
  }
  const errors = Object.keys(op.responses || {}).filter((s) => s >= "400" && s !== "default");
  if (errors.length) body.append(element("p", `Errors, as application/problem+json: ${errors.join(", ")}.`));
  return element("details", "", summary, body);
}

fetch("../openapi.json").then((r) => r.json()).then((api) => {
  document.getElementById("about").textContent = api.info.description;
  const main = document.getElementById("operations");
  main.replaceChildren();
  const groups = {};
  for (const [path, methods] of Object.entries(api.paths)) {
    for (const [method, op] of Object.entries(methods)) {
      (groups[(op.tags || ["other"])[0]] ||= []).push(operation(api, path, method, op));
    }
  }
  for (const [name, list] of Object.entries(groups)) main.append(element("h2", name), ...list);
}).catch((e) => {
  document.getElementById("operations").textContent = `The description cannot be loaded: ${e.message}`;
});
