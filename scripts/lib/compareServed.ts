/**
 * Verification of a server: compares the files that it sends with those of a build, the check that a page cannot make of
 * itself (ADR 26).
 */
import { headersFor, type HeaderRow } from "@svc/shared/explorer/headerRows.ts";
import { sha256, type FileHashes } from "../../web/build/fileHashes.ts";

/** Bytes. No file of the pages is longer; a server that sends more is not waited for. */
const LONGEST_FILE = 64 * 2 ** 20;
/** Milliseconds a file may take: the prover on a slow line. */
const FILE_MS = 300_000;
/** A server may send a file in several forms, and all of them have to come to the same bytes. */
const CODINGS = ["identity", "br", "gzip"];
/** Not sent as a file: the server turns it into the headers of the others. */
const HEADERS_FILE = "/headers.json";

/** The pages as they were built. */
export type BuiltPages = { readonly hashes: FileHashes; readonly rows: readonly HeaderRow[] };

/** One sentence for each file or header that differs; none when the server sends this build. */
export async function compareServed(
  origin: string,
  { hashes, rows }: BuiltPages,
  request: typeof fetch = (input, init) => fetch(input, init),
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const [file, hash] of Object.entries(hashes)) {
    if (file === HEADERS_FILE) continue;
    const path = file.replace(/index\.html$/, "");
    for (const coding of CODINGS) {
      const signal = AbortSignal.timeout(FILE_MS);
      const headers = { "Accept-Encoding": coding };
      const response = await request(origin + path, { headers, signal, redirect: "error" });
      const found = sha256(await bytesOf(response));
      if (!response.ok || found !== hash) faults.push(`${path} is ${found}, not ${hash}`);
      for (const [name, value] of Object.entries(headersFor(rows, path))) {
        const sent = response.headers.get(name);
        if (sent !== value) faults.push(`${path} has ${name}: ${sent ?? "nothing"}, not ${value}`);
      }
    }
  }
  return [...new Set(faults)];
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > LONGEST_FILE) throw new Error(`${response.url} does not end`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
