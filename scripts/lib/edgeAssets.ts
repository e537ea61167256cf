/** The files that the Worker of the hosted gateway has beside it: the script of its checkout pages, and the embedded helper. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ASSET_LIST, CHECKOUT_ASSETS } from "@svc/shared/gateway/page/checkoutAssets.ts";
import { BROWSER_TARGET } from "@svc/web/build/browserTarget.ts";
import { buildCheckoutFiles } from "@svc/web/build/checkoutFiles.ts";
import { ROOT } from "./command.ts";

/** Where `edge/wrangler.toml` looks for them. */
const FOLDER = join(ROOT, ".cache", "edge", "assets");

/** Builds them anew. Rejects with what the build says. */
export async function writeEdgeAssets(): Promise<void> {
  const files = await buildCheckoutFiles(BROWSER_TARGET);
  const folder = join(FOLDER, CHECKOUT_ASSETS);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, ASSET_LIST), JSON.stringify([...files.keys()]));
}
