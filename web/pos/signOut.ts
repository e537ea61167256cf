/** The button that signs a till out. */
import { PAGE_LIMITS } from "../pageLimits.ts";
import { callGateway } from "./posCalls.ts";
import { element, problemOf, sayProblem, textsOf } from "./posPart.ts";

/** Heeds it. */
export function heedSignOut(part: HTMLElement): void {
  const button = element("sign-out", HTMLButtonElement);
  button.addEventListener("click", () => void signOut());

  async function signOut(): Promise<void> {
    button.disabled = true;
    const timeoutMs = PAGE_LIMITS.posCallMs;
    const outcome = await callGateway("DELETE", "/pos/v1/session", { timeoutMs });
    const isOut =
      outcome.kind === "answer" || (outcome.kind === "refused" && outcome.status === 401);
    if (isOut) return location.replace("/pos");
    button.disabled = false;
    sayProblem(problemOf(outcome, textsOf(part)));
  }
}
