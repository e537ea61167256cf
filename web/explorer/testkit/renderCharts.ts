/** Rendering of the test page with the charts on a server, and the script that bringing it to life needs. */
import { createComponent, generateHydrationScript, renderToString } from "solid-js/web";
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { ChartsPage } from "./ChartsPage.tsx";

/** The markup of the page's body. */
export function renderCharts(locale: PageLocale): string {
  return renderToString(() => createComponent(ChartsPage, { locale }));
}

/** The script, without its tags. */
export function hydrationScript(): string {
  return generateHydrationScript().replaceAll(/<\/?script>|<!--xs-->/g, "");
}
