/** Fixture of built files for the tests of the explorer at the edge, by their paths. */
import { brotliCompressSync, gzipSync } from "node:zlib";

/** A script that was built in compressed forms, too. */
export const ENCODED_SCRIPT = "export const answer = 42;\n".repeat(40);

const HEADERS = [
  {
    path: "*",
    headers: { "Content-Security-Policy": "default-src 'none'", "Cache-Control": "no-cache" },
  },
  { path: "/assets/*", headers: { "Cache-Control": "public, max-age=31536000, immutable" } },
];

/** The files. */
export const EXPLORER_FILES: ReadonlyMap<string, string | Uint8Array> = new Map<
  string,
  string | Uint8Array
>([
  ["headers.json", JSON.stringify(HEADERS)],
  ["assets/explorer-1234.js", "export {};"],
  ["assets/encoded-1234.js", ENCODED_SCRIPT],
  ["assets/encoded-1234.js.br", brotliCompressSync(ENCODED_SCRIPT)],
  ["assets/encoded-1234.js.gz", gzipSync(ENCODED_SCRIPT)],
  ["explorer/pageRenderer.js", "export const renderExplorerPage = null;"],
  ["robots.txt", "User-agent: *\nDisallow: /api/\n"],
  ["index.html", "<p>the wallet</p>"],
  ["signer.html", "<p>the signer</p>"],
]);
