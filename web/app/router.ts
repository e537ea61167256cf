/** Hash routes of the wallet page. An unknown hash is the first screen. */
import { createSignal, onCleanup, type Accessor } from "solid-js";

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

/** The screen that the address names. */
export function routeOf(hash: string): Route {
  const name = hash.replace(/^#\/?/, "");
  return ROUTES.find((route) => route === name) ?? "home";
}

/** The current screen, following the address. */
export function createRoute(): Accessor<Route> {
  const [route, setRoute] = createSignal(routeOf(location.hash));
  const follow = () => setRoute(routeOf(location.hash));
  addEventListener("hashchange", follow);
  onCleanup(() => removeEventListener("hashchange", follow));
  return route;
}
