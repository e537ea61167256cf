/** A whole document of the gateway's pages: one style and one script, both allowed by its nonce alone. */
import { markup, type Markup } from "./markup.ts";

/** What a document needs beside its content. */
export type DocumentFrame = {
  readonly language: { readonly tag: string };
  /** Allows the document's own style and script, once. */
  readonly nonce: string;
  /** Path of the page's script; null where it was not built: the page works without. */
  readonly script: string | null;
};

/** What is in it. */
export type DocumentContent = {
  readonly name: Markup;
  /** Further elements of the head. */
  readonly head: Markup;
  readonly body: Markup;
  /** A sheet of this project: nothing in it ends its element. */
  readonly style: string;
};

/** Keeps browsers from asking for a picture that is not there. */
export const NO_ICON = markup`<link rel="icon" href="data:,">`;

/** Renders it. */
export function pageDocument(
  { name, head, body, style }: DocumentContent,
  { language, nonce }: Omit<DocumentFrame, "script">,
): string {
  const top = markup`<!doctype html>
<html lang="${language.tag}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${name}</title>
${head}
`;
  const sheet = `<style nonce="${nonce}">${style}</style>`;
  return `${top.toString()}${sheet}\n</head>\n<body>${body.toString()}</body>\n</html>\n`;
}

/** The element that loads the page's script; nothing where it was not built. */
export function scriptOf({ script, nonce }: DocumentFrame): Markup | null {
  if (script === null) return null;
  return markup`<script type="module" src="${script}" nonce="${nonce}"></script>`;
}
