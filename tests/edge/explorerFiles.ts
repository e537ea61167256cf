/** Fixture of built files for the tests of the explorer at the edge, by their paths. */

const HEADERS = [
  {
    path: "*",
    headers: { "Content-Security-Policy": "default-src 'none'", "Cache-Control": "no-cache" },
  },
  { path: "/assets/*", headers: { "Cache-Control": "public, max-age=31536000, immutable" } },
];

/** The files. */
export const EXPLORER_FILES: ReadonlyMap<string, string> = new Map([
  ["headers.json", JSON.stringify(HEADERS)],
  ["assets/explorer-1234.js", "export {};"],
  ["explorer/pageRenderer.js", "export const renderExplorerPage = null;"],
  ["robots.txt", "User-agent: *\nDisallow: /api/\n"],
  ["index.html", "<p>the wallet</p>"],
  ["signer.html", "<p>the signer</p>"],
]);
