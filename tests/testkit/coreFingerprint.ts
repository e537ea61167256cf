/** Fingerprint of the core, as a cache key: what is kept from earlier runs belongs to the core that made it. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const BUILDS = ["core/core_bg.wasm", "prover/prover_bg.wasm"];
const FINGERPRINT_DIGITS = 16;

const PACKAGES = new URL("../../wasm-core/pkg/", import.meta.url);

/**
 * A digest of the core as it is built in a folder, engine and prover together, as 16 hex digits. Throws where it is not
 * built.
 */
export function coreFingerprint(packages: URL = PACKAGES): string {
  const digest = createHash("sha256");
  for (const build of BUILDS) digest.update(readFileSync(new URL(build, packages)));
  return digest.digest("hex").slice(0, FINGERPRINT_DIGITS);
}
