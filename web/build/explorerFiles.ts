/**
 * Build of the explorer: what its pages load in a browser, and the module that renders them on a server. The second is built after the
 * first, whose file names it writes into the pages.
 */
import { readFileSync } from "node:fs";
import { build, type InlineConfig, type Plugin, type Rollup } from "vite";
import solid from "vite-plugin-solid";
import { RENDERER_FILE } from "../../shared/explorer/pageRenderer.ts";
import type { ExplorerAssets } from "../explorer/builtAssets.ts";
import { sha256 } from "./fileHashes.ts";
import { layerOrder } from "./layerOrder.ts";
import { WEB } from "./oneFile.ts";

const MAIN = `${WEB}explorer/explorerMain.tsx`;
const HASH_DIGITS = 12;
/** Kinds of pages that have a picture of their own for share previews. */
export const PICTURES = ["overview", "block", "transaction", "dag", "charts", "supply"] as const;

/** What crawlers are told: every page, none of the endless lists behind parameters, no documents. */
const ROBOTS = "User-agent: *\nDisallow: /api/\nDisallow: /*?\nAllow: /\n";

type Output = Rollup.OutputChunk | Rollup.OutputAsset;

/** A built file. */
type BuiltFile = { readonly name: string; readonly source: string | Uint8Array };

/** What the build of the explorer makes. */
export type ExplorerFiles = {
  readonly assets: ExplorerAssets;
  readonly files: readonly BuiltFile[];
  /** The chunks that a page of this language loads at once: names of files. */
  readonly entryGraph: (locale: keyof ExplorerAssets["catalogues"]) => readonly string[];
};

/** Builds it for these browsers. `theme`: address of the script that chooses the stored colours. */
export async function buildExplorerFiles(
  target: readonly string[],
  theme: string,
): Promise<ExplorerFiles> {
  const outputs = await outputsOf(clientConfig(target));
  const pictures = pictureFiles();
  const assets = assetsOf(outputs, theme, pictures);
  const [renderer, ...more] = chunksOf(await outputsOf(rendererConfig(assets)));
  if (renderer === undefined || more.length > 0) {
    throw new Error("the renderer is not built as one module");
  }
  const files: BuiltFile[] = [
    ...outputs.map((output) => ({
      name: output.fileName,
      source: output.type === "chunk" ? output.code : output.source,
    })),
    ...pictures.map(({ file, source }) => ({ name: file, source })),
    { name: RENDERER_FILE, source: renderer.code },
    { name: "robots.txt", source: ROBOTS },
  ];
  return {
    assets,
    files,
    entryGraph: (locale) =>
      [assets.script, ...assets.preloads, assets.catalogues[locale]].map((path) => path.slice(1)),
  };
}

/** The plugin. It comes after the one that emits the theme script. */
export function explorerFiles(target: readonly string[]): Plugin {
  return {
    name: "explorer-files",
    apply: "build",
    async generateBundle(_options, bundle) {
      const theme = Object.values(bundle).find(
        (file) => file.type === "asset" && file.names.includes("theme.js"),
      );
      if (theme === undefined) throw new Error("the theme script was not emitted");
      const { files } = await buildExplorerFiles(target, `/${theme.fileName}`);
      for (const { name, source } of files) {
        if (!(name in bundle)) this.emitFile({ type: "asset", fileName: name, source });
      }
    },
  };
}

function clientConfig(target: readonly string[]): InlineConfig {
  return {
    ...common(),
    build: {
      ...common().build,
      target: [...target],
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      cssCodeSplit: true,
      rolldownOptions: { input: { explorer: MAIN } },
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
}

function rendererConfig(assets: ExplorerAssets): InlineConfig {
  return {
    ...common(),
    define: { SVC_EXPLORER_ASSETS: JSON.stringify(assets) },
    ssr: { noExternal: true },
    build: {
      ...common().build,
      ssr: `${WEB}explorer/renderExplorerPage.ts`,
      target: "es2023",
      rolldownOptions: { output: { format: "es", codeSplitting: false } },
    },
  };
}

function common(): InlineConfig {
  return {
    configFile: false,
    root: WEB,
    publicDir: false,
    logLevel: "warn",
    plugins: [solid({ ssr: true }), layerOrder()],
    build: { write: false, assetsInlineLimit: 0 },
  };
}

async function outputsOf(config: InlineConfig): Promise<readonly Output[]> {
  const result = await build(config);
  return (Array.isArray(result) ? result : [result]).flatMap((one) =>
    "output" in one ? one.output : [],
  );
}

function assetsOf(
  outputs: readonly Output[],
  theme: string,
  pictures: readonly PictureFile[],
): ExplorerAssets {
  const chunks = chunksOf(outputs);
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (entry === undefined) throw new Error("the explorer has no entry");
  const catalogue = (locale: string) => {
    const found = chunks.find(({ facadeModuleId }) =>
      facadeModuleId?.endsWith(`/explorer/texts/${locale}.ts`),
    );
    if (found === undefined) throw new Error(`the explorer has no catalogue ${locale}`);
    return `/${found.fileName}`;
  };
  const assets = outputs.filter((output) => output.type === "asset");
  const icon = assets.find(({ names }) => names.includes("mark.svg"));
  if (icon === undefined) throw new Error("the explorer has no icon");
  return {
    theme,
    script: `/${entry.fileName}`,
    preloads: importsOf(entry, chunks).map((name) => `/${name}`),
    catalogues: { en: catalogue("en"), de: catalogue("de"), es: catalogue("es") },
    styles: [...(entry.viteMetadata?.importedCss ?? [])].map((name) => `/${name}`),
    icon: `/${icon.fileName}`,
    pictures: Object.fromEntries(pictures.map(({ kind, file }) => [kind, `/${file}`])),
  };
}

function chunksOf(outputs: readonly Output[]): readonly Rollup.OutputChunk[] {
  return outputs.filter((output) => output.type === "chunk");
}

/** Files that a chunk imports at once, and what these import. */
function importsOf(
  chunk: Rollup.OutputChunk,
  chunks: readonly Rollup.OutputChunk[],
): readonly string[] {
  const found = new Set<string>();
  const pending = [...chunk.imports];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    pending.push(...(chunks.find(({ fileName }) => fileName === name)?.imports ?? []));
  }
  return [...found].toSorted();
}

type PictureFile = { readonly kind: string; readonly file: string; readonly source: Uint8Array };

function pictureFiles(): readonly PictureFile[] {
  return PICTURES.map((kind) => {
    const source = readFileSync(`${WEB}explorer/share/${kind}.png`);
    return { kind, file: `assets/${kind}-${sha256(source).slice(0, HASH_DIGITS)}.png`, source };
  });
}
