/** The files that the checkout page and the shops of merchants load, as the project's build makes them. */

/** Folder of their paths. */
export const CHECKOUT_ASSETS = "/checkout/assets/";
/** Name of the embedded helper: shops take a copy of it, so it has no hash. */
export const HELPER_FILE = "svc-checkout.js";
/** Its types. */
export const HELPER_TYPES = "svc-checkout.d.ts";
/** Name of the page's script: it has a hash, and never changes. */
export const PAGE_SCRIPT = /^checkout-[\w-]{8,}\.js$/;

/** Name of the script of the point of sale, likewise. */
export const POS_SCRIPT = /^pos-[\w-]{8,}\.js$/;
/** Name of its service worker, which browsers look for under one path. */
export const POS_WORKER = "svc-pos-worker.js";
/** Lists the names of the others, as JSON, where a folder cannot be listed: at the edge. */
export const ASSET_LIST = "files.json";

/** Texts of the files by their names. */
export type CheckoutAssets = ReadonlyMap<string, string>;

/** Path of a page's script; null where it was not built. `form` is that of its name. */
export function pageScriptOf(assets: CheckoutAssets, form = PAGE_SCRIPT): string | null {
  const name = Array.from(assets.keys()).find((one) => form.test(one));
  return name === undefined ? null : `${CHECKOUT_ASSETS}${name}`;
}
