/** Test projects of the edge: their tests run in workerd, with the bindings of gateway and explorer, offline. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, defineProject } from "vitest/config";
import { ASSET_LIST, CHECKOUT_ASSETS } from "@svc/shared/gateway/page/checkoutAssets.ts";
import { EXPLORER_FILES } from "../tests/edge/explorerFiles.ts";
import { startStandInNodes } from "../tests/edge/standInNodes.ts";
import { PAGE_FILES } from "../tests/gateway/pageFiles.ts";
import { HANG_MS, STEP_HANG_MS } from "../tests/testkit/hangMs.ts";
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
const pages = here("../.cache/edge/test-pages");
writePages();

/** What stands for the built files of the explorer, and beside them what is not the explorer's to serve. */
function writePages(): void {
  for (const [path, text] of EXPLORER_FILES) {
    mkdirSync(dirname(join(pages, path)), { recursive: true });
    writeFileSync(join(pages, path), text);
  }
}

/** What stands for the built files of the checkout pages. */
function writeAssets(): void {
  const folder = join(assets, CHECKOUT_ASSETS);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of PAGE_FILES) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, ASSET_LIST), JSON.stringify([...PAGE_FILES.keys()]));
}

/** Nodes that answer the explorer. */
const nodes = await startStandInNodes();

/** What all projects of the edge have in common. */
const COMMON = {
  silent: "passed-only",
  // One workerd for all files: one of its own takes each two seconds more.
  isolate: false,
  maxWorkers: 1,
  testTimeout: HANG_MS,
  hookTimeout: HANG_MS,
  expect: { poll: { interval: 100, timeout: STEP_HANG_MS } },
} as const;

const gateway = defineProject({
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
    ...COMMON,
    name: "edge",
    // Plugins run in their shops, and are tested there.
    include: ["!(plugin|explorer)/**/*.test.ts"],
    globalSetup: [here("../tests/edge/hookReceiver.ts")],
  },
});

const explorer = defineProject({
  root: here("."),
  resolve: { alias: { "virtual:explorer-renderer": here("testkit/pageRenderer.ts") } },
  plugins: [
    cloudflareTest({
      main: here("explorer/explorerWorker.ts"),
      wrangler: { configPath: here("wrangler.toml"), environment: "explorer" },
      miniflare: {
        cf: false,
        bindings: {
          SVC_NETWORK: "net-example",
          SVC_NODES: ["a", "b", "c"].map((name) => `${name}=${nodes}/${name}`).join(","),
          SVC_NODE_TOKENS: "b:token-of-b",
          STAND_INS: nodes,
          MIGRATIONS: await readD1Migrations(here("explorer/migrations")),
        },
        assets: {
          directory: pages,
          binding: "ASSETS",
          routerConfig: { invoke_user_worker_ahead_of_assets: true },
        },
      },
    }),
  ],
  test: { ...COMMON, name: "edgeExplorer", include: ["explorer/**/*.test.ts"] },
});

export default defineConfig({ test: { projects: [gateway, explorer] } });
