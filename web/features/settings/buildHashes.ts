/** Reader of the build's hash list (`hashes.json`, ADR 26), which the About page shows. */
import { encodeHex } from "@svc/shared/base/hex.ts";
import * as v from "valibot";

const PATH = "/hashes.json";
const form = v.record(v.string(), v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)));

/** The hashes of a build. */
export type BuildHashes = {
  /** SHA-256 of the list itself, hex: it stands for all files. */
  readonly whole: string;
  /** Path and SHA-256 of each file. */
  readonly files: readonly (readonly [string, string])[];
  /** The list as it was served. */
  readonly text: string;
};

/** Fetches the list from where the page came. Rejects when there is none, or something else. */
export async function readBuildHashes(): Promise<BuildHashes> {
  const response = await fetch(PATH, { credentials: "omit" });
  if (!response.ok) throw new TypeError(`${PATH}: status ${response.status}`);
  const bytes = await response.arrayBuffer();
  const text = new TextDecoder().decode(bytes);
  const whole = encodeHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  return { whole, text, files: Object.entries(v.parse(form, JSON.parse(text))) };
}
