/** A whole document of the point of sale. */
import { markup, type Markup } from "../page/markup.ts";
import { pageDocument, scriptOf, type DocumentFrame } from "../page/pageDocument.ts";
import type { PosLanguage } from "./posLanguage.ts";
import { POS_COLOURS, POS_ICON, POS_MANIFEST } from "./posManifest.ts";
import { posStyle } from "./posStyle.ts";
import { posTexts } from "./posTexts.ts";

/** What a page needs beside its content. */
export type PosFrame = DocumentFrame & { readonly language: PosLanguage };

/** The content of a page. */
export type PosContent = {
  readonly title: Markup;
  /** Names the page to the script. */
  readonly view: "sign-in" | "till" | "close" | "offline";
  /** What the script works with, as JSON; null for nothing. */
  readonly data: unknown;
  readonly body: Markup;
  /** What stands beside the main part. */
  readonly beside?: Markup;
};

/** Renders it. */
export function posDocument(content: PosContent, frame: PosFrame): string {
  const { title, view, data, body, beside } = content;
  const { language } = frame;
  const isWide = view === "till" || view === "close";
  const head = markup`<link rel="icon" href="${POS_ICON}" type="image/svg+xml">
<link rel="manifest" href="${POS_MANIFEST}">
<meta name="theme-color" content="${POS_COLOURS.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${POS_COLOURS.dark}" media="(prefers-color-scheme: dark)">
${scriptOf(frame)}`;
  const main = markup`<main id="pos" class="${isWide ? "" : "narrow"}" data-view="${view}" data-texts="${JSON.stringify(posTexts(language))}" data-till="${JSON.stringify(data)}">
${body}
</main>${beside ?? null}`;
  return pageDocument({ name: title, head, body: main, style: posStyle() }, frame);
}
