/** The built files of the checkout page, read once at start. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT_ASSETS, type CheckoutAssets } from "@svc/shared/gateway/page/checkoutAssets.ts";
import { isEncodedName } from "@svc/shared/protocol/http/acceptedEncoding.ts";
import type { Log } from "../../platform/log/log.ts";

/**
 * Reads them from a folder of built pages; null for none. Where they were not built the page works without its script, and the log says
 * so.
 */
export function readCheckoutFiles(pages: string | null, log: Pick<Log, "warn">): CheckoutAssets {
  if (pages === null) return new Map();
  const folder = join(pages, CHECKOUT_ASSETS);
  if (!existsSync(folder)) {
    log.warn({ folder }, "the pages are not built: checkout pages have no script");
    return new Map();
  }
  const names = readdirSync(folder).filter((name) => !name.startsWith(".") && !isEncodedName(name));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), "utf8")] as const));
}
