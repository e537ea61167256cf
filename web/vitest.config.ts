/** Test project `pages`: components of the pages in one browser, over snapshots and without a node. */
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { playwright } from "@vitest/browser-playwright";
import solid from "vite-plugin-solid";
import { defineConfig } from "vitest/config";
import { HANG_MS, STEP_HANG_MS } from "../tests/testkit/hangMs.ts";
import { layerOrder } from "./build/layerOrder.ts";
import { emulateMedia } from "./page-tests/testkit/emulateMedia.ts";
import { launchOptions } from "./page-tests/testkit/launchOptions.ts";
import { testPolicy } from "./page-tests/testkit/policy/testPolicy.ts";
import { POLL_MS } from "./page-tests/testkit/pollMs.ts";

/** Names that are no address of this machine lead nowhere. */
const LOOPBACK_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost";

/** Folders whose files share one document. Those of other pages have others: no style of one reaches the other. */
const PAGES = [
  { name: "wallet", folders: ["wallet", "policy"] },
  { name: "explorer", folders: ["explorer"] },
  { name: "gateway", folders: ["till", "checkout"] },
] as const;

for (const folder of readdirSync(new URL("./page-tests", import.meta.url))) {
  const isShown = PAGES.some(({ folders }) => folders.some((one) => one === folder));
  if (!isShown && folder !== "testkit") throw new Error(`no page has the tests of ${folder}`);
}

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  root: path("."),
  cacheDir: path("../node_modules/.vite/pages"),
  plugins: [solid(), layerOrder()],
  // What is found first while tests run would load the page anew under them.
  optimizeDeps: {
    include: [
      "@noble/ciphers/chacha.js",
      "@noble/hashes/hkdf.js",
      "@noble/hashes/sha2.js",
      "axe-core",
      "comlink",
      "idb",
      "qr",
      "qr/decode.js",
      "solid-js",
      "solid-js/store",
      "solid-js/web",
      "uplot",
      "valibot",
    ],
  },
  server: { fs: { allow: [path("..")] } },
  test: {
    name: "pages",
    setupFiles: [path("./page-tests/testkit/policy/keepPolicy.ts")],
    // Of the configuration that the plugin for components would choose itself.
    environment: "node",
    // A name: passkeys belong to one, and an address of numbers is none.
    api: { host: "localhost" },
    // One page for all files, one after the other.
    isolate: false,
    fileParallelism: false,
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    // Else a page that is busy for a minute fails its file.
    env: { VITEST_BROWSER_IFRAME_TIMEOUT: String(STEP_HANG_MS) },
    expect: { poll: { interval: 20, timeout: POLL_MS } },
    browser: {
      enabled: true,
      headless: true,
      connectTimeout: STEP_HANG_MS,
      screenshotFailures: false,
      // A text is found by a part of it, as in the tests of whole browsers.
      locators: { exact: false },
      viewport: { width: 1_280, height: 800 },
      provider: playwright({
        launchOptions: launchOptions([LOOPBACK_ONLY]),
        actionTimeout: POLL_MS,
      }),
      instances: PAGES.map(({ name, folders }) => ({
        browser: "chromium",
        name,
        include: folders.map((folder) => `page-tests/${folder}/**/*.page.test.tsx`),
        provide: { pagePolicy: testPolicy(name) },
      })),
      commands: { emulateMedia },
    },
  },
});
