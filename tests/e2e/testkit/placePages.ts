/**
 * The pages as set-up built them, for tests that serve them without a node. A build takes a minute of a busy machine, so
 * another list of nodes is put into a copy; `hashes` shows that a build for that list gives the same files.
 */
import { cp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { headerRows as storedRows } from "@svc/shared/explorer/headerRows.ts";
import { ENCODING_SUFFIX } from "@svc/shared/protocol/http/acceptedEncoding.ts";
import { encodeFolder } from "@svc/web/build/encodedFiles.ts";
import { HASHES_FILE, hashesText, hashFolder } from "@svc/web/build/fileHashes.ts";
import { keptBuildText } from "@svc/web/build/offlineFiles.ts";
import { headerRows, headersText, signerPolicy } from "@svc/web/build/pageHeaders.ts";
import { SIGNER_FILE } from "@svc/web/build/signerPage.ts";
import { OFFLINE_WORKER } from "@svc/web/offline/workerWords.ts";
import {
  CHECKPOINT_META,
  NODE_META,
  nodeOriginsText,
  readNodeOrigins,
} from "@svc/web/state/nodeOrigins.ts";

/** The folder of the built pages, for the node that serves them. */
export const BUILT_PAGES = fileURLToPath(new URL("../../../web/dist", import.meta.url));

const KEPT_FORMS = fileURLToPath(new URL("../../../.cache/encoded", import.meta.url));
const WALLET = "wallet/index.html";
const HEADERS = "headers.json";
const SCRIPTS = "assets";
const metaOf = (name: string): RegExp => new RegExp(`(<meta name="${name}" content=")[^"]*(")`);

/** How the pages differ beyond their nodes. */
export type PagesWish = {
  /** As a later build has them. */
  readonly isNewer?: boolean;
  /** Checkpoints as `SVC_CHECKPOINTS` has them. */
  readonly checkpoints?: string;
};

/**
 * Puts the pages into a folder, for a list of nodes as `SVC_NODE_ORIGINS` has it. With `isNewer`, as a later build has them: all
 * scripts of the page have other names and other bytes.
 */
export async function placePages(
  folder: string,
  nodes: string,
  { isNewer = false, checkpoints = "" }: PagesWish = {},
): Promise<void> {
  await cp(BUILT_PAGES, folder, { recursive: true });
  const list = readNodeOrigins(nodes);
  const before = keptBuildText(folder);
  if (isNewer) await renameScripts(folder);
  await change(folder, WALLET, (page) => {
    const named = replaced(page, metaOf(NODE_META), `$1${nodeOriginsText(list)}$2`);
    return replaced(named, metaOf(CHECKPOINT_META), `$1${checkpoints}$2`);
  });
  await change(folder, HEADERS, (text) => {
    const rows = v.parse(storedRows, JSON.parse(text));
    return headersText(headerRows(list, { policy: signerPolicy(rows) }));
  });
  const after = keptBuildText(folder);
  await change(folder, OFFLINE_WORKER, (worker) => {
    if (!worker.includes(before)) throw new Error("the service worker has no list of the pages");
    return worker.replace(before, () => after);
  });
  await change(folder, HASHES_FILE, () => hashesText(hashFolder(folder)));
  await encodeFolder(folder, KEPT_FORMS);
}

/**
 * Gives each script of the pages another name, in every file that names it, and a comment at its end. All of them: one that
 * names another has other bytes then, and a browser keeps bytes under the name that they had.
 */
async function renameScripts(folder: string): Promise<void> {
  const scripts = (await readdir(join(folder, SCRIPTS))).filter((name) => name.endsWith(".js"));
  const renamed = (text: string) =>
    scripts.reduce((old, name) => old.replaceAll(name, newNameOf(name)), text);
  const files = await readdir(folder, { recursive: true });
  for (const file of files.filter((one) => /\.(?:html|js)$/.test(one))) {
    // The service worker's list is made anew in one piece, and the signer has no other file.
    if (file !== basename(OFFLINE_WORKER) && file !== SIGNER_FILE)
      await change(folder, file, renamed);
  }
  for (const name of scripts) {
    await change(folder, join(SCRIPTS, name), (script) => `${script}\n// newer\n`);
    await rename(join(folder, SCRIPTS, name), join(folder, SCRIPTS, newNameOf(name)));
  }
}

function newNameOf(script: string): string {
  return script.replace(/\.js$/, "newer.js");
}

/** Writes a file anew, and removes the compressed forms of the old one. */
async function change(folder: string, file: string, make: (text: string) => string): Promise<void> {
  const path = join(folder, file);
  await writeFile(path, make(await readFile(path, "utf8")));
  for (const suffix of Object.values(ENCODING_SUFFIX)) await rm(path + suffix, { force: true });
}

/** A text with its first match replaced. Throws where there is none: the built pages are of another form. */
function replaced(text: string, place: RegExp, by: string): string {
  if (!place.test(text)) throw new Error(`the built pages lack ${place}`);
  return text.replace(place, by);
}
