/** Builds a script of the gateway's pages as one file that loads nothing. */
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { sha256 } from "./fileHashes.ts";

/** Folder of the pages' sources. */
export const WEB = fileURLToPath(new URL("../", import.meta.url));
const HASH_DIGITS = 12;

/** A name with the hash of the text: under it there is never another text. */
export function hashedName(name: string, text: string): string {
  return `${name}-${sha256(text).slice(0, HASH_DIGITS)}.js`;
}

/** One entry with everything that it imports, as a module. */
export async function oneFile(entry: string, target: readonly string[]): Promise<string> {
  const result = await build({
    configFile: false,
    root: WEB,
    publicDir: false,
    logLevel: "warn",
    build: {
      target: [...target],
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: `${WEB}${entry}`,
        preserveEntrySignatures: "strict",
        output: { format: "es", codeSplitting: false },
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) =>
    "output" in one ? one.output : [],
  );
  const [only, ...more] = outputs.flatMap((file) => (file.type === "chunk" ? [file.code] : []));
  if (only === undefined || more.length > 0) throw new Error(`${entry} is not built as one file`);
  return only;
}
