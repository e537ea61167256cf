/** Reads the page of the point of sale: what the server wrote into it, and its elements. */
import type { PosTexts } from "@svc/shared/gateway/pos/posTexts.ts";
import { objectOf, textOf } from "./objectOf.ts";
import type { CallOutcome } from "./posCalls.ts";

/** Says a message of the page's language. */
export type Say = (name: keyof PosTexts) => string;

/** The main part of the page; the script stands in no other page. */
export function posPart(): HTMLElement {
  return element("pos", HTMLElement);
}

/** The element with this id. Throws a `TypeError` where there is none of its kind. */
export function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.querySelector(`#${id}`);
  if (found instanceof kind) return found;
  throw new TypeError(`the page has no ${id}`);
}

/** The messages that the server wrote into the page. */
export function textsOf(part: HTMLElement): Say {
  const texts = objectIn(part.dataset["texts"]);
  return (name) => textOf(texts[name]);
}

/** JSON of an attribute as an object; an empty one for anything else. */
export function objectIn(json: string | undefined): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(json ?? "null");
  return objectOf(value) ?? {};
}

/** Says what is wrong; nothing for an empty text. A region of its own tells it to who does not see it. */
export function sayProblem(text: string): void {
  element("problem", HTMLElement).textContent = text;
}

/** What is said of a call that came to nothing. */
export function problemOf(outcome: CallOutcome, say: Say): string {
  if (outcome.kind === "lost") return say("offline");
  if (outcome.kind === "answer") return say("fault");
  switch (outcome.code) {
    case "gateway/bad-sign-in":
      return say("badSignIn");
    case "gateway/no-session":
      return say("signedOut");
    case "gateway/no-address":
      return say("noAddress");
    case "amount/too-large":
      return say("tooLarge");
    default:
      return outcome.status === 429 ? say("busy") : say("fault");
  }
}

/** A message with its slots filled. */
export function filledText(text: string, slots: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (slot, name: string) => slots[name] ?? slot);
}
