import * as api from "./api";
import { byId } from "./dom";

const problem = byId("problem");
const form = byId<HTMLFormElement>("token-form");

// complain says what went wrong, with the id by which the service's log knows it, and
// asks for a token if that is it.
export function complain(e: unknown): void {
  const request = e instanceof api.Problem && e.request ? ` (request ${e.request})` : "";
  problem.textContent = (e as Error).message + request;
  problem.hidden = false;
  form.hidden = !(e instanceof api.Problem && e.status === 401);
}

// hush takes the last complaint off the page.
export function hush(): void {
  problem.hidden = form.hidden = true;
}

// complains tells whether there is a complaint on the page.
export const complains = () => !problem.hidden;

// onToken calls back when someone has given a token.
export function onToken(callback: () => void): void {
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    const field = byId<HTMLInputElement>("token");
    api.setToken(field.value);
    field.value = "";
    hush();
    callback();
  });
}
