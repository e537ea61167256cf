/** Build of single parts of the explorer, for pages that hold one part and nothing else. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build, type InlineConfig } from "vite";
import solid from "vite-plugin-solid";
import { BROWSER_TARGET } from "@svc/web/build/browserTarget.ts";
import { layerOrder } from "@svc/web/build/layerOrder.ts";

const ROOT = fileURLToPath(new URL("../../../web/explorer/testkit", import.meta.url));

/** The policy of the pages: a part that needed more would fail in them. */
export const PART_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'";

/** Content types of what a build makes. */
export const PART_TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/** Files of a page by their paths. */
export type PartFiles = ReadonlyMap<string, string | Uint8Array>;

/** Builds an entry for the browser. With `isRendered`, for markup that a server rendered. */
export async function buildPart(entry: string, isRendered = false): Promise<PartFiles> {
  const result = await build({
    ...common(isRendered),
    build: {
      target: [...BROWSER_TARGET],
      write: false,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: `${ROOT}/${entry}` },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) =>
    "output" in one ? one.output : [],
  );
  return new Map(
    outputs.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : file.source]),
  );
}

/** Builds an entry for a server into a temporary folder, and imports it. */
export async function importPart(entry: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "parts-"));
  const name = entry.replace(/\.\w+$/, ".js");
  await build({
    ...common(true),
    build: { ssr: `${ROOT}/${entry}`, outDir: folder, emptyOutDir: true },
    ssr: { noExternal: true },
  });
  return import(pathToFileURL(join(folder, name)).href);
}

function common(isRendered: boolean): InlineConfig {
  return {
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: "warn",
    plugins: [solid({ ssr: isRendered }), layerOrder()],
  };
}
