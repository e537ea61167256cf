/** What a browser asks for to install the point of sale: its manifest, and its sign. */
import type { PosLanguage } from "./posLanguage.ts";

/** Where the point of sale begins. */
export const POS_PATH = "/pos";
/** Path of the manifest. */
export const POS_MANIFEST = "/pos/manifest.webmanifest";
/** Path of the sign. */
export const POS_ICON = "/pos/icon.svg";
/** Path of the page that is shown without a connection: the one thing that a browser keeps. */
export const POS_OFFLINE = "/pos/offline";
/** Path of the service worker: it has a say in what is below `/pos`, and nowhere else. */
export const POS_WORKER_PATH = "/pos/worker.js";

/** Colours of the pages' ground. */
export const POS_COLOURS = { light: "#f4f5f1", dark: "#0b1211" } as const;

/** The sign: it fills its square, so that a system may cut it to its own form. */
export const POS_ICON_TEXT = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#0b6e5f" d="M0 0h32v32H0z"/><path fill="none" stroke="#fff" stroke-width="1.6" stroke-linejoin="round" d="M9 8.5h14v15H9z"/><path fill="#fff" d="M11.500 11h9v3.500h-9zM11.500 17h2v2h-2zM15 17h2v2h-2zM18.500 17h2v2h-2zM11.500 20h2v2h-2zM15 20h2v2h-2zM18.500 20h2v2h-2z"/></svg>`;

/** The manifest, as JSON. */
export function posManifest({ tag, pos }: PosLanguage): string {
  const icon = { src: POS_ICON, sizes: "any", type: "image/svg+xml" };
  return JSON.stringify({
    id: POS_PATH,
    name: pos.appName,
    short_name: pos.appName,
    lang: tag,
    start_url: POS_PATH,
    scope: POS_PATH,
    display: "standalone",
    background_color: POS_COLOURS.light,
    theme_color: POS_COLOURS.light,
    icons: [
      { ...icon, purpose: "any" },
      { ...icon, purpose: "maskable" },
    ],
  });
}
