/** Colour theme setting. The stored choice is also read before the first paint by `build/theme.js`. */
import { createSignal } from "solid-js";

/** `system` follows the device; `contrast` is of high contrast, light or dark as the device is. */
export type Theme = "system" | "light" | "dark" | "contrast";

const KEY = "svc.theme";

const [theme, setStored] = createSignal<Theme>(readTheme());

/** The choice. */
export { theme };

/** Chooses a theme, now and for later visits. */
export function setTheme(next: Theme): void {
  setStored(next);
  const { dataset } = document.documentElement;
  if (next === "system") delete dataset["theme"];
  else dataset["theme"] = next;
  try {
    if (next === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch {
    // Storage is refused: the choice holds for this visit.
  }
}

/** Where a page is rendered for a browser, nobody has chosen yet. */
function readTheme(): Theme {
  if (typeof document === "undefined") return "system";
  const { theme: shown } = document.documentElement.dataset;
  return shown === "light" || shown === "dark" || shown === "contrast" ? shown : "system";
}
