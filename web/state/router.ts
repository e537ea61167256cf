/** Hash router of the wallet page. An unknown hash leads to the first screen. */
import { createMemo, createSignal, onCleanup, type Accessor } from "solid-js";

/** The screens of an open wallet. */
export const ROUTES = ["home", "receive", "send", "history", "settings"] as const;

/** A screen's name. */
export type Route = (typeof ROUTES)[number];

/** The link of a screen. */
export function hrefOf(route: Route): string {
  return route === "home" ? "#/" : `#/${route}`;
}

/** Goes to a screen. */
export function goTo(route: Route): void {
  location.hash = hrefOf(route);
}

/** The link of the review step of a payment. */
export const REVIEW_HREF = "#/send/review";

/** The link of the history of what was mined, block by block. */
export const MINED_HREF = "#/history/mined";

/** The link of the choice of a node, among the settings. */
export const NODE_HREF = "#/settings/node";

/** The link of the room of signed messages, among the settings. */
export const MESSAGES_HREF = "#/settings/messages";

/** The screen that the address names. */
export function routeOf(hash: string): Route {
  const [name] = hash.replace(/^#\/?/, "").split(/[/?]/, 1);
  return ROUTES.find((route) => route === name) ?? "home";
}

/** Puts the first screen into the address, without a step of the browser's history. */
export function resetRoute(): void {
  history.replaceState(null, "", hrefOf("home"));
}

/** The address's hash, following it. */
export function createHash(): Accessor<string> {
  const [hash, setHash] = createSignal(location.hash);
  const follow = () => setHash(location.hash);
  addEventListener("hashchange", follow);
  onCleanup(() => removeEventListener("hashchange", follow));
  return hash;
}

/** The current screen, following the address. */
export function createRoute(): Accessor<Route> {
  const hash = createHash();
  return createMemo(() => routeOf(hash()));
}
