/**
 * Build plugin that writes each file of the pages twice more, compressed (brotli and gzip), beside it: `a.js.br`, `a.js.gz`. Servers send
 * them as they are (docs/formats.md 7). The same files give the same bytes under the same Node.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from "node:zlib";
import type { Plugin } from "vite";
import {
  ENCODING_SUFFIX,
  FILE_ENCODINGS,
  isEncodedName,
  type FileEncoding,
} from "../../shared/protocol/http/acceptedEncoding.ts";

/** Files of these kinds are text or code. Pictures are compressed by themselves. */
const KINDS = /\.(?:html|js|css|wasm|bin|json|svg|txt|webmanifest)$/;
/** Not sent as a file. */
const NOT_SENT = "headers.json";
/** Bytes. A smaller file fits into one packet as it is. */
const LEAST_BYTES = 512;
/** What compressing takes half a minute for is kept between builds, by its content. */
const KEPT = fileURLToPath(new URL("../../.cache/encoded/", import.meta.url));
/** Forms that are kept, the newest: some three builds that have nothing in common. */
const KEPT_FORMS = 256;

type Coder = {
  readonly encode: (bytes: Uint8Array) => Promise<Uint8Array>;
  readonly decode: (bytes: Uint8Array) => Promise<Uint8Array>;
};

const CODERS: { readonly [E in FileEncoding]: Coder } = {
  br: {
    encode: (bytes) =>
      promisify(brotliCompress)(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          // The most that every browser takes.
          [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      }),
    decode: promisify(brotliDecompress),
  },
  gzip: {
    encode: (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
    decode: promisify(gunzip),
  },
};

/** The build plugin. It has to come after the plugins that write files. */
export function encodedFiles(kept: string = KEPT): Plugin {
  return {
    name: "encoded-files",
    apply: "build",
    enforce: "post",
    async writeBundle({ dir }) {
      if (dir === undefined) throw new Error("the pages are built into a folder");
      await encodeFolder(dir, kept);
    },
  };
}

/** Writes the compressed forms of a folder's files. `kept`: a folder for forms that were made before. */
export async function encodeFolder(folder: string, kept: string): Promise<void> {
  await mkdir(kept, { recursive: true });
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && KINDS.test(entry.name) && !isEncodedName(entry.name))
    .filter(({ name }) => name !== NOT_SENT && !name.startsWith("."))
    .map(({ parentPath, name }) => join(parentPath, name));
  const work = files.flatMap((file) => FILE_ENCODINGS.map((encoding) => ({ file, encoding })));
  const next = async (): Promise<void> => {
    for (let job = work.pop(); job !== undefined; job = work.pop()) {
      await encodeFile(job.file, job.encoding, kept);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, next));
  await removeOldest(kept);
}

async function removeOldest(kept: string): Promise<void> {
  const names = await readdir(kept);
  if (names.length <= KEPT_FORMS) return;
  const times = names.map(async (name) => ({ name, ms: (await stat(join(kept, name))).mtimeMs }));
  const newest = (await Promise.all(times)).toSorted((a, b) => b.ms - a.ms);
  await Promise.all(newest.slice(KEPT_FORMS).map(({ name }) => rm(join(kept, name))));
}

async function encodeFile(file: string, encoding: FileEncoding, kept: string): Promise<void> {
  const bytes = await readFile(file);
  if (bytes.length < LEAST_BYTES) return;
  const encoded = await encodedForm(bytes, encoding, kept);
  if (encoded.length < bytes.length) await writeFile(file + ENCODING_SUFFIX[encoding], encoded);
}

async function encodedForm(
  bytes: Uint8Array,
  encoding: FileEncoding,
  kept: string,
): Promise<Uint8Array> {
  const { encode, decode } = CODERS[encoding];
  // Another library may give other bytes.
  const { brotli, zlib } = process.versions;
  const made = createHash("sha256").update(`${brotli} ${zlib}\n`).update(bytes).digest("hex");
  const place = join(kept, made + ENCODING_SUFFIX[encoding]);
  const before = await readFile(place).catch(() => null);
  if (before !== null && (await isFormOf(before, bytes, decode))) return before;
  const encoded = await encode(bytes);
  const aside = `${place}.${process.pid}`;
  await writeFile(aside, encoded);
  await rename(aside, place);
  return encoded;
}

/** Whether a kept form is whole: a full disk or a kill may have left less. */
async function isFormOf(
  encoded: Uint8Array,
  bytes: Uint8Array,
  decode: Coder["decode"],
): Promise<boolean> {
  try {
    return Buffer.from(await decode(encoded)).equals(bytes);
  } catch {
    return false;
  }
}
