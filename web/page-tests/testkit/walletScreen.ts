/** The wallet page as a person reads it: places by their names. */
import { page, type Locator } from "vitest/browser";

/** A screen by its name in the menu. */
export type ScreenName = "Home" | "Receive" | "Send" | "History" | "Settings";

/** Goes to a screen by the menu. */
export async function goTo(screen: ScreenName): Promise<void> {
  const menu = page.getByRole("navigation", { name: "Main" });
  await menu.getByRole("link", { name: screen, exact: true }).click();
}

/** A field by its label. */
export function field(label: string): Locator {
  return page.getByLabelText(label, { exact: true });
}

/** A button by a part of its name. */
export function button(name: string | RegExp): Locator {
  return page.getByRole("button", { name });
}

/** The text of a place, as it is in the page. */
export function textOf(place: Locator): string {
  return place.element().textContent;
}
