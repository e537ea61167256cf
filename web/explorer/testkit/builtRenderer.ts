/** The built renderer, for tests of what pages say: the module that node and edge use. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { PageRendererModule, RenderExplorerPage } from "@svc/shared/explorer/pageRenderer.ts";
import { RENDERER_FILE } from "@svc/shared/explorer/pageRenderer.ts";
import type { ExplorerFiles } from "../../build/explorerFiles.ts";

/** Imports the renderer of a build from a file of its own, which is removed again. */
export async function builtRenderer({ files }: ExplorerFiles): Promise<RenderExplorerPage> {
  const source = files.find(({ name }) => name === RENDERER_FILE)?.source;
  if (source === undefined) throw new Error("the build has no renderer");
  const folder = mkdtempSync(join(tmpdir(), "renderer-"));
  try {
    const file = join(folder, "pageRenderer.mjs");
    writeFileSync(file, source);
    const module: PageRendererModule = await import(pathToFileURL(file).href);
    return module.renderExplorerPage;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
