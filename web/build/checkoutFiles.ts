/**
 * Build of the checkout files: the script of the checkout page, with a hash in its name, and the embedded helper with its types, which
 * shops take a copy of. Each is one file that loads nothing.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";
import {
  CHECKOUT_ASSETS,
  HELPER_FILE,
  HELPER_TYPES,
} from "../../shared/gateway/page/checkoutAssets.ts";
import { sha256 } from "./fileHashes.ts";

const WEB = fileURLToPath(new URL("../", import.meta.url));
const HASH_DIGITS = 12;

/** Builds them for these browsers; returns their texts by their names. */
export async function buildCheckoutFiles(
  target: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const script = await bundled("checkout/checkoutMain.ts", target);
  const helper = await bundled("checkout/helper/svcCheckout.ts", target);
  return new Map([
    [`checkout-${sha256(script).slice(0, HASH_DIGITS)}.js`, script],
    [HELPER_FILE, helper],
    [HELPER_TYPES, readFileSync(`${WEB}checkout/helper/types/svcCheckout.d.ts`, "utf8")],
  ]);
}

/** One entry with everything that it imports, as a module. */
async function bundled(entry: string, target: readonly string[]): Promise<string> {
  const result = await build({
    configFile: false,
    root: WEB,
    publicDir: false,
    logLevel: "warn",
    build: {
      target: [...target],
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: `${WEB}${entry}`,
        preserveEntrySignatures: "strict",
        output: { format: "es", codeSplitting: false },
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) =>
    "output" in one ? one.output : [],
  );
  const [only, ...more] = outputs.flatMap((file) => (file.type === "chunk" ? [file.code] : []));
  if (only === undefined || more.length > 0) throw new Error(`${entry} is not built as one file`);
  return only;
}

/** The plugin, for pages of these browsers. */
export function checkoutFiles(target: readonly string[]): Plugin {
  return {
    name: "checkout-files",
    apply: "build",
    async generateBundle() {
      for (const [name, source] of await buildCheckoutFiles(target)) {
        this.emitFile({ type: "asset", fileName: `${CHECKOUT_ASSETS.slice(1)}${name}`, source });
      }
    },
  };
}
