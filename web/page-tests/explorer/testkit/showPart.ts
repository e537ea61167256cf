/** Shows a part of the explorer in a place of its own. */
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { onTestFinished } from "vitest";

/** Mounts a part in a page of this language until the test ends. `mount` gives what ends the part. */
export function showPart(locale: PageLocale, mount: (place: HTMLElement) => () => void): void {
  const place = document.createElement("div");
  document.body.append(place);
  document.documentElement.lang = locale;
  const end = mount(place);
  onTestFinished(() => {
    end();
    place.remove();
    document.documentElement.lang = "en";
  });
}
