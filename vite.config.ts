/** Build of the browser pages: `web/` → `web/dist/`, or the folder that `--outDir` names. Vitest has its own file. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import solid from "vite-plugin-solid";
import { BROWSER_TARGET } from "./web/build/browserTarget.ts";
import { checkoutFiles } from "./web/build/checkoutFiles.ts";
import { encodedFiles } from "./web/build/encodedFiles.ts";
import { explorerFiles } from "./web/build/explorerFiles.ts";
import { layerOrder } from "./web/build/layerOrder.ts";
import { readCheckpoints } from "./shared/light/checkpointOf.ts";
import { fileHashes } from "./web/build/fileHashes.ts";
import { nodeMeta } from "./web/build/nodeMeta.ts";
import { offlineFiles } from "./web/build/offlineFiles.ts";
import { pageHeaders } from "./web/build/pageHeaders.ts";
import { themeScript } from "./web/build/themeScript.ts";
import { readNodeOrigins } from "./web/state/nodeOrigins.ts";

/** The nodes that the pages may talk to (ADR 25): origins, `self` among them for the one that serves them, or `any`. */
const NODES = readNodeOrigins(process.env["SVC_NODE_ORIGINS"]);

/** Work of networks that the pages know beside the release's: `DIGEST:BITS:TIMESTAMP`, as `scripts/checkpoint.ts` prints it. */
const CHECKPOINTS = readCheckpoints(process.env["SVC_CHECKPOINTS"]);

const page = (path: string) => fileURLToPath(new URL(`./web/${path}`, import.meta.url));

/** The pages are the same whoever builds them: another NODE_ENV of the shell would choose other code of the packages. */
const BUILD_ENVIRONMENT = "production";

export default defineConfig(({ command }) => {
  if (command === "build") process.env["NODE_ENV"] = BUILD_ENVIRONMENT;
  return {
    root: page("."),
    publicDir: false,
    plugins: [
      solid(),
      themeScript(),
      layerOrder(),
      nodeMeta(NODES, CHECKPOINTS),
      pageHeaders(NODES, BROWSER_TARGET),
      checkoutFiles(BROWSER_TARGET),
      explorerFiles(BROWSER_TARGET),
      offlineFiles(BROWSER_TARGET),
      fileHashes(),
      encodedFiles(),
    ],
    build: {
      target: [...BROWSER_TARGET],
      outDir: page("dist"),
      emptyOutDir: true,
      // Inlined assets would be data: URLs, which the policy allows for images alone.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: [page("index.html"), page("wallet/index.html")],
      },
    },
    worker: {
      format: "es",
      rolldownOptions: {
        output: {
          entryFileNames: "workers/[name]-[hash].js",
          chunkFileNames: "workers/[name]-[hash].js",
        },
      },
    },
  };
});
