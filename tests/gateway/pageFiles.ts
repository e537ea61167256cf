/** Test helper: what stands for the built files of the checkout pages. */
import { HELPER_FILE, type CheckoutAssets } from "@svc/shared/gateway/page/checkoutAssets.ts";

/** Name of the page's script. */
export const PAGE_SCRIPT_FILE = "checkout-0123456789ab.js";

/** The files by their names. */
export const PAGE_FILES: CheckoutAssets = new Map([
  [PAGE_SCRIPT_FILE, 'document.title = "the script of the page";\n'],
  [HELPER_FILE, "export const helper = true;\n"],
]);
