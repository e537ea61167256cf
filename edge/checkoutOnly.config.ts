/**
 * Keeps the tools of the edge, Wrangler and the local runtime, to this checkout: they write below `.cache`, look for no newer version
 * of themselves, and send nothing to anybody. To be called before either is loaded.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Where the tools may write. */
const FOLDER = join(ROOT, ".cache", "edge");

/** Sets the variables that say so, in this process and those that it starts. */
export function keepToCheckout(): void {
  const temporary = join(FOLDER, "tmp");
  mkdirSync(temporary, { recursive: true });
  Object.assign(process.env, {
    HOME: FOLDER,
    XDG_CONFIG_HOME: join(FOLDER, "config"),
    XDG_CACHE_HOME: join(FOLDER, "cache"),
    TMPDIR: temporary,
    MINIFLARE_CACHE_DIR: join(FOLDER, "miniflare"),
    WRANGLER_CACHE_DIR: join(FOLDER, "wrangler"),
    WRANGLER_LOG_PATH: join(FOLDER, "logs"),
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_SEND_METRICS: "false",
    CLOUDFLARE_TELEMETRY_DISABLED: "true",
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    DO_NOT_TRACK: "1",
  });
}
