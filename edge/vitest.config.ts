/** Test project of the edge: its tests run in workerd, with the gateway's bindings, offline. `vitest.config.ts` above lists it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ASSET_LIST, CHECKOUT_ASSETS } from "@svc/shared/gateway/page/checkoutAssets.ts";
import { PAGE_FILES } from "../tests/gateway/pageFiles.ts";
import { keepToCheckout } from "./checkoutOnly.config.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** For the tests alone. */
const MASTER_KEY = `k1:${"5a".repeat(32)}`;
const ADMIN_SECRET = "what the operator signs with";
const INGEST_SECRET = "what the scanner signs with";

keepToCheckout();
const { cloudflareTest, readD1Migrations } = await import("@cloudflare/vitest-plugin");

const assets = here("../.cache/edge/test-assets");
writeAssets();

/** What stands for the built files of the checkout pages. */
function writeAssets(): void {
  const folder = join(assets, CHECKOUT_ASSETS);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of PAGE_FILES) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, ASSET_LIST), JSON.stringify([...PAGE_FILES.keys()]));
}

export default defineConfig({
  root: here("."),
  plugins: [
    cloudflareTest({
      main: here("testkit/testWorker.ts"),
      wrangler: { configPath: here("wrangler.toml"), environment: "gateway" },
      miniflare: {
        // What a request's `cf` holds would be fetched from the platform.
        cf: false,
        bindings: {
          SVC_MASTER_KEY: MASTER_KEY,
          SVC_INGEST_SECRET: INGEST_SECRET,
          SVC_ADMIN_SECRET: ADMIN_SECRET,
          SVC_WEBHOOK_REACH: "loopback",
          SVC_NETWORK: "simnet",
          SVC_COIN: "SVCSIM",
          SVC_PUBLIC_URL: "https://pay.example",
          SVC_SCANNER: "scanner",
          MIGRATIONS: await readD1Migrations(here("gateway/migrations")),
        },
        assets: {
          directory: assets,
          binding: "ASSETS",
          routerConfig: { invoke_user_worker_ahead_of_assets: true },
        },
        durableObjects: { PROBES: { className: "ProbeObject", useSQLite: true } },
      },
    }),
  ],
  test: {
    name: "edge",
    silent: "passed-only",
    // Plugins run in their shops, and are tested there.
    include: ["!(plugin)/**/*.test.ts"],
    // One workerd for all files: one of its own takes each two seconds more.
    isolate: false,
    maxWorkers: 1,
    globalSetup: [here("../tests/edge/hookReceiver.ts")],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { interval: 100 } },
  },
});
