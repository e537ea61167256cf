/**
 * Build of the offline signer page: everything it needs in one HTML file, whose policy allows its own script and style by their
 * hashes and no connection (specification airgap 6).
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { build, type Plugin } from "vite";
import solid from "vite-plugin-solid";
import { layerOrder } from "./layerOrder.ts";

/** Name of the file among the built pages. */
export const SIGNER_FILE = "signer.html";

const WEB = fileURLToPath(new URL("../", import.meta.url));
const PACKED = "?packed";
const OWN_FETCH = "new URL('core_bg.wasm', import.meta.url)";

/** The file, and the policy in it. */
export type SignerPage = { readonly html: string; readonly policy: string };

/** Builds the page for these browsers. */
export async function buildSignerPage(target: readonly string[]): Promise<SignerPage> {
  const result = await build({
    configFile: false,
    root: WEB,
    publicDir: false,
    logLevel: "warn",
    plugins: [packedFiles(), solid(), layerOrder()],
    build: {
      target: [...target],
      write: false,
      assetsInlineLimit: Number.MAX_SAFE_INTEGER,
      cssCodeSplit: false,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: `${WEB}signer/signerMain.tsx`, output: { codeSplitting: false } },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) =>
    "output" in one ? one.output : [],
  );
  const scripts = outputs.flatMap((file) => (file.type === "chunk" ? [file.code] : []));
  const styles = outputs.flatMap((file) => (file.type === "asset" ? [textOf(file)] : []));
  const [script, style] = [onlyOf(scripts, "script"), onlyOf(styles, "style")];
  return assemble(readFileSync(`${WEB}signer/page.html`, "utf8"), script, style);
}

/** Puts script, style and policy into the frame of the page. */
export function assemble(frame: string, script: string, style: string): SignerPage {
  // Inside strings, the only place where these can stand, the escaped form means the same.
  const code = script.trim().replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const sheet = style.trim();
  if (sheet.includes("</")) throw new Error("the style would end its element");
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(code)}' 'wasm-unsafe-eval'`,
    `style-src '${hashOf(sheet)}'`,
    "img-src data: blob:",
    "media-src blob:",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const html = frame
    .replace("%POLICY%", () => policy)
    .replace("<!-- style -->", () => `<style>${sheet}</style>`)
    .replace("<!-- script -->", () => `<script type="module">${code}</script>`);
  return { html, policy };
}

/** Replaces `…?packed` by the file's content, and keeps the core's own loading of its file out. */
function packedFiles(): Plugin {
  return {
    name: "packed-files",
    enforce: "pre",
    load(id) {
      if (!id.endsWith(PACKED)) return null;
      const bytes = readFileSync(id.slice(0, -PACKED.length));
      const text = deflateSync(bytes, { level: 9 }).toString("base64");
      return { code: `export default "${text}";`, map: null };
    },
    transform(code, id) {
      if (!id.endsWith("/pkg/core/core.js")) return null;
      if (!code.includes(OWN_FETCH))
        throw new Error("the core's glue loads its file in another way");
      return { code: code.replace(OWN_FETCH, "undefined"), map: null };
    },
  };
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function textOf({ source }: { readonly source: string | Uint8Array }): string {
  return typeof source === "string" ? source : new TextDecoder().decode(source);
}

function onlyOf(texts: readonly string[], what: string): string {
  const [only, ...more] = texts;
  if (only === undefined || more.length > 0)
    throw new Error(`the signer page is to have one ${what}`);
  return only;
}
