/** Where proofs are kept that daemons of tests are served, and the program that serves them. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { coreFingerprint } from "../../testkit/coreFingerprint.ts";
import { sourcesDigest } from "../testkit/sourcesDigest.ts";
import type { WalletdSpec } from "./walletdProcess.ts";

const FOLDER = fileURLToPath(
  new URL(`../../../.cache/network/proofs-${coreFingerprint()}`, import.meta.url),
);

/** What decides which plans are proved, besides the core. */
const PLANNERS = [
  "shared/wallet",
  "node-server/walletd/spend",
  "tests/network/testkit/chainMaker.ts",
  "tests/network/walletd/wantedCalls.ts",
  "tests/network/walletd/recordedProver.ts",
];

/** A daemon that makes one variant of the proofs, or serves it where it is there. */
export function rehearsedProgram(variant: number): NonNullable<WalletdSpec["program"]> {
  const { file, environment } = recordedProgram;
  return { file, environment: { ...environment, RECORDED_VARIANT: String(variant) } };
}

/** Mark of a whole rehearsal: all of its proofs are there, for the plans that these sources make. */
export function rehearsalMark(name: string): string {
  return join(FOLDER, `rehearsed-${name}-${sourcesDigest(PLANNERS)}`);
}

/** A daemon with proofs that were made beforehand, or are made once and kept. */
export const recordedProgram: NonNullable<WalletdSpec["program"]> = {
  file: "tests/network/walletd/walletdChild.ts",
  environment: { RECORDED_PROOFS: FOLDER },
};
