/** The form in which a till signs in. */
import { PAGE_LIMITS } from "../pageLimits.ts";
import { callGateway } from "./posCalls.ts";
import { element, problemOf, sayProblem, textsOf } from "./posPart.ts";

/** Heeds it. */
export function heedSignIn(part: HTMLElement): void {
  const say = textsOf(part);
  const form = element("sign-in", HTMLFormElement);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void signIn(form);
  });

  async function signIn(fields: HTMLFormElement): Promise<void> {
    const data = new FormData(fields);
    const body = {
      till: textIn(data, "till").trim().toLowerCase(),
      password: textIn(data, "password"),
    };
    const button = fields.querySelector("button");
    if (button !== null) button.disabled = true;
    sayProblem("");
    const timeoutMs = PAGE_LIMITS.posCallMs;
    const outcome = await callGateway("POST", "/pos/v1/session", { body, timeoutMs });
    if (outcome.kind === "answer") return location.replace("/pos");
    if (button !== null) button.disabled = false;
    // What is no name of a till is none that exists.
    const isForm = outcome.kind === "refused" && outcome.code === "api/bad-field";
    sayProblem(isForm ? say("badSignIn") : problemOf(outcome, say));
    const password = fields.elements.namedItem("password");
    if (password instanceof HTMLInputElement) password.select();
  }
}

function textIn(data: FormData, name: string): string {
  const value = data.get(name);
  return typeof value === "string" ? value : "";
}
