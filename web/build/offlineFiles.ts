/**
 * Build plugin of the installable wallet (PWA): its service worker, which knows the hash and the headers of every file of
 * the wallet, its manifest, and its icons.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { headersFor, type HeaderRow } from "../../shared/explorer/headerRows.ts";
import { fileType } from "../../shared/explorer/fileTypes.ts";
import type { KeptBuild, KeptFile } from "../offline/keptFiles.ts";
import { OFFLINE_WORKER } from "../offline/workerWords.ts";
import { appIcon } from "./appIcon.ts";
import { sha256 } from "./fileHashes.ts";
import { oneFile } from "./oneFile.ts";

/** Where the page stands, as browsers ask for it. */
const PAGE = "/wallet/";
const PAGE_FILE = "wallet/index.html";
const MANIFEST = "wallet/manifest.webmanifest";
const PLACE = /(["'`])%SVC_KEPT_BUILD%\1/;
const SIZES = [192, 512] as const;
const HASH_DIGITS = 12;
/** Needed to pay, or by the explorer, and not to open. */
const LATER = /(?:prover_bg|action-circuit|\/prove\.worker|\/shard\.worker)/;
const FOREIGN = /\/check\.worker/;

/** The build plugin, for these browsers. It comes after the plugins that write files, and before the one that hashes them. */
export function offlineFiles(target: readonly string[]): Plugin {
  let worker = "";
  const icons = SIZES.map((size) => {
    const source = appIcon(size);
    const fileName = `assets/icon-${size}-${sha256(source).slice(0, HASH_DIGITS)}.png`;
    return { size, fileName, source };
  });
  return {
    name: "offline-files",
    apply: "build",
    enforce: "post",
    async buildStart() {
      worker = await oneFile("offline/offlineWorker.ts", target);
      if (!PLACE.test(worker)) throw new Error("the service worker has no place for its build");
    },
    generateBundle() {
      for (const { fileName, source } of icons) this.emitFile({ type: "asset", fileName, source });
      this.emitFile({ type: "asset", fileName: MANIFEST, source: manifestText(icons) });
    },
    transformIndexHtml: {
      order: "post",
      handler(_html, { path }) {
        if (!path.endsWith("/wallet/index.html")) return [];
        const link = (rel: string, href: string) =>
          ({ tag: "link", attrs: { rel, href }, injectTo: "head" }) as const;
        const [small] = icons;
        return [
          link("manifest", `/${MANIFEST}`),
          link("apple-touch-icon", `/${small?.fileName ?? ""}`),
        ];
      },
    },
    // Not asynchronous: the hashes that are made next are of this file, too.
    writeBundle({ dir }) {
      if (dir === undefined) throw new Error("the pages are built into a folder");
      writeFileSync(
        join(dir, OFFLINE_WORKER),
        worker.replace(PLACE, () => keptBuildText(dir)),
      );
    },
  };
}

/** The wallet's files in a folder of built pages: the page, what it refers to, and what that refers to, by the names in them. */
export function keptBuild(folder: string): KeptBuild {
  const rows: readonly HeaderRow[] = JSON.parse(readFileSync(join(folder, "headers.json"), "utf8"));
  const names = ["assets", "workers"].flatMap((place) =>
    readdirSync(join(folder, place)).map((name) => `${place}/${name}`),
  );
  const found = new Set([PAGE_FILE, MANIFEST]);
  for (const file of found) {
    if (!/\.(?:html|js|css|webmanifest)$/.test(file)) continue;
    const text = readFileSync(join(folder, file), "utf8");
    for (const name of names) {
      const bare = name.slice(name.indexOf("/") + 1);
      if (text.includes(bare) && !FOREIGN.test(name)) found.add(name);
    }
  }
  const files = [...found].toSorted().map((file): [string, KeptFile] => {
    const bytes = readFileSync(join(folder, file));
    const path = file === PAGE_FILE ? PAGE : `/${file}`;
    const headers = { "Content-Type": fileType(file), ...headersFor(rows, path) };
    const isFirst = !LATER.test(path);
    return [path, { hash: sha256(bytes), bytes: bytes.length, headers, isFirst }];
  });
  const listed = Object.fromEntries(files);
  return { id: sha256(JSON.stringify(listed)).slice(0, HASH_DIGITS), files: listed };
}

/** The wallet's files of a folder as the service worker's code has them: a string with JSON in it. */
export function keptBuildText(folder: string): string {
  return JSON.stringify(JSON.stringify(keptBuild(folder)));
}

function manifestText(icons: readonly { readonly size: number; readonly fileName: string }[]) {
  const manifest = {
    id: PAGE,
    name: "Private wallet",
    short_name: "Wallet",
    description: "Receive, pay and keep coins. Keys and proofs stay in this browser.",
    start_url: PAGE,
    scope: PAGE,
    display: "standalone",
    background_color: "#0b1211",
    theme_color: "#0b6e5f",
    icons: icons.map(({ size, fileName }) => ({
      src: `/${fileName}`,
      sizes: `${size}x${size}`,
      type: "image/png",
      purpose: "any maskable",
    })),
  };
  return `${JSON.stringify(manifest, null, 1)}\n`;
}
