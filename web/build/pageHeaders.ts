/**
 * Build plugin that emits `headers.json`: the HTTP response headers, content security policy included, of each path of the
 * built pages (docs/formats.md 7). Servers and tests read that file, so there is one policy.
 */
import type { Plugin } from "vite";
import { buildSignerPage, SIGNER_FILE, type SignerPage } from "./signerPage.ts";
import { OFFLINE_WORKER } from "../offline/workerWords.ts";
import { connectSources, type NodeOrigins } from "../state/nodeOrigins.ts";

/** Response headers of the paths that match: `*` in the path stands for any characters. */
export type HeaderRow = {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
};

const IMMUTABLE = "public, max-age=31536000, immutable";

/** For pages that ask for nothing. */
const QUIET_POLICY = permissions({});

/** For the pages that read codes. */
const CAMERA_POLICY = permissions({ camera: "(self)" });

/** For the wallet, which reads payment codes with the camera, and which a passkey of the device may open. */
const WALLET_POLICY = permissions({ camera: "(self)", passkeys: "(self)" });

function permissions({
  camera = "()",
  passkeys = "()",
}: {
  readonly camera?: string;
  readonly passkeys?: string;
}): string {
  return [
    `camera=${camera}`,
    ...["geolocation=()", "microphone=()", "payment=()"],
    `publickey-credentials-create=${passkeys}`,
    `publickey-credentials-get=${passkeys}`,
  ].join(", ");
}

/** Joins directives; nothing is allowed that is not named. */
function policy(directives: Readonly<Record<string, string>>): string {
  return [
    "default-src 'none'",
    ...Object.entries(directives).map(([name, value]) => `${name} ${value}`),
  ].join("; ");
}

function pagePolicy(nodes: NodeOrigins): string {
  return policy({
    "script-src": "'self' 'wasm-unsafe-eval'",
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": connectSources(nodes),
    "worker-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
  });
}

/** The wallet worker talks to its node and starts the scan and prove workers. */
function walletPolicy(nodes: NodeOrigins): string {
  return policy({
    "script-src": "'self' 'wasm-unsafe-eval'",
    "connect-src": connectSources(nodes),
    "worker-src": "'self'",
  });
}

/** Workers that hold keys, plain notes or what a visitor pasted have no way out but their messages. */
const SEALED_POLICY = policy({
  "script-src": "'self' 'wasm-unsafe-eval'",
  "connect-src": "'none'",
  "worker-src": "'none'",
});

/** The service worker keeps files of its own server, and runs nothing else. */
const OFFLINE_POLICY = policy({ "script-src": "'self'", "connect-src": "'self'" });

/** A policy in a page cannot say this: it is only heard from a server. */
const UNFRAMED = "; frame-ancestors 'none'";

/** The signer page sees through the camera; its policy is the one in the file, and nobody may frame it. */
function signerRow({ policy: own }: Pick<SignerPage, "policy">): HeaderRow {
  return {
    path: `/${SIGNER_FILE}`,
    headers: {
      "Content-Security-Policy": `${own}${UNFRAMED}`,
      "Permissions-Policy": CAMERA_POLICY,
    },
  };
}

/** All rows, in order; a later row replaces a header of an earlier one. */
export function headerRows(
  nodes: NodeOrigins,
  signer: Pick<SignerPage, "policy">,
): readonly HeaderRow[] {
  return [
    {
      path: "*",
      headers: {
        "Content-Security-Policy": pagePolicy(nodes),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "require-corp",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Permissions-Policy": QUIET_POLICY,
        "Cache-Control": "no-cache",
      },
    },
    // The browser asks the owner first, for the camera and for the passkey.
    { path: "/wallet/*", headers: { "Permissions-Policy": WALLET_POLICY } },
    { path: "/assets/*", headers: { "Cache-Control": IMMUTABLE } },
    {
      path: "/workers/*",
      headers: { "Content-Security-Policy": SEALED_POLICY, "Cache-Control": IMMUTABLE },
    },
    { path: "/workers/wallet*", headers: { "Content-Security-Policy": walletPolicy(nodes) } },
    { path: OFFLINE_WORKER, headers: { "Content-Security-Policy": OFFLINE_POLICY } },
    signerRow(signer),
  ];
}

/** The policy in the signer page, read back from the rows of a build. Throws an `Error` where no row is the signer's. */
export function signerPolicy(rows: readonly HeaderRow[]): string {
  const row = rows.find(({ path }) => path === `/${SIGNER_FILE}`);
  const sent = row?.headers["Content-Security-Policy"];
  if (sent === undefined) throw new Error("the rows have no policy of the signer page");
  return sent.slice(0, -UNFRAMED.length);
}

/** The text of `headers.json`. */
export function headersText(rows: readonly HeaderRow[]): string {
  return `${JSON.stringify(rows, null, 2)}\n`;
}

/** The plugin, for pages that talk to these nodes, and with the signer page beside them, which it writes too. */
export function pageHeaders(nodes: NodeOrigins, target: readonly string[]): Plugin {
  return {
    name: "page-headers",
    apply: "build",
    async generateBundle() {
      const signer = await buildSignerPage(target);
      this.emitFile({ type: "asset", fileName: SIGNER_FILE, source: signer.html });
      const source = headersText(headerRows(nodes, signer));
      this.emitFile({ type: "asset", fileName: "headers.json", source });
    },
  };
}
