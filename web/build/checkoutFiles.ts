/**
 * Build of the checkout files: the script of the checkout page, with a hash in its name, and the embedded helper with its types, which
 * shops take a copy of. Each is one file that loads nothing.
 */
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import {
  CHECKOUT_ASSETS,
  HELPER_FILE,
  HELPER_TYPES,
} from "../../shared/gateway/page/checkoutAssets.ts";
import { buildPosFiles } from "./posFiles.ts";
import { oneFile, hashedName, WEB } from "./oneFile.ts";

/** Builds them for these browsers; returns their texts by their names. */
export async function buildCheckoutFiles(
  target: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const script = await oneFile("checkout/checkoutMain.ts", target);
  const helper = await oneFile("checkout/helper/svcCheckout.ts", target);
  return new Map([
    [hashedName("checkout", script), script],
    [HELPER_FILE, helper],
    [HELPER_TYPES, readFileSync(`${WEB}checkout/helper/types/svcCheckout.d.ts`, "utf8")],
  ]);
}

/** The plugin, for pages of these browsers; the point of sale is among them. */
export function checkoutFiles(target: readonly string[]): Plugin {
  return {
    name: "checkout-files",
    apply: "build",
    async generateBundle() {
      const files = [...(await buildCheckoutFiles(target)), ...(await buildPosFiles(target))];
      for (const [name, source] of files) {
        this.emitFile({ type: "asset", fileName: `${CHECKOUT_ASSETS.slice(1)}${name}`, source });
      }
    },
  };
}
