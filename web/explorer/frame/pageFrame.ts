/** What every component of an explorer page knows: its texts, its links, its documents, the time. */
import { createContext, useContext, type Accessor } from "solid-js";
import { explorerPathOf, type ExplorerPage } from "@svc/shared/explorer/explorerPaths.ts";
import { LOCALE_PARAMETER, type PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import type { DocumentStore } from "../live/documentStore.ts";
import type { PageTexts } from "../view/pageTexts.ts";

/** The frame. */
export type PageFrame = {
  readonly texts: PageTexts;
  readonly page: ExplorerPage;
  readonly base: string;
  readonly apiBase: string;
  readonly origin: string | null;
  /** Path below the base and query of the address. */
  readonly path: string;
  readonly query: string;
  readonly isLocaleAsked: boolean;
  readonly store: DocumentStore;
  /** Unix ms, renewed every second in a browser. */
  readonly now: Accessor<number>;
  /** Leaves the questions for a path to somebody else, who hands on the answers; nothing on a server. Returns how to take them back. */
  readonly lend: (path: string) => () => void;
};

/** The context; a page is inside of one. */
export const FrameContext = createContext<PageFrame>();

/** The frame of the page that the component is in. */
export function useFrame(): PageFrame {
  const frame = useContext(FrameContext);
  if (frame === undefined)
    throw new TypeError("a component of the explorer is outside of its page");
  return frame;
}

/** The address of a page, which carries the language on when the address asked for it. */
export function hrefOf(frame: PageFrame, page: ExplorerPage): string {
  const path = explorerPathOf(page);
  const address = `${frame.base}${path}`;
  if (!frame.isLocaleAsked) return address;
  return `${address}${path.includes("?") ? "&" : "?"}${LOCALE_PARAMETER}=${frame.texts.locale}`;
}

/** Slashes that a path begins with. Two of them, or a backslash for one, would name another host in a link. */
const LEADING_SLASHES = /^[/\\]+/;

/** The address of the same page in another language, which never leads to another host. */
export function sameIn(
  { base, path, query }: Pick<PageFrame, "base" | "path" | "query">,
  locale: PageLocale,
): string {
  const parameters = new URLSearchParams(query);
  parameters.set(LOCALE_PARAMETER, locale);
  return `${base}${path.replace(LEADING_SLASHES, "/")}?${parameters}`;
}
