/** Where proofs are kept that daemons of tests are served, and the program that serves them. */
import { fileURLToPath } from "node:url";
import { coreFingerprint } from "../testkit/coreFingerprint.ts";
import type { WalletdSpec } from "./walletdProcess.ts";

const FOLDER = fileURLToPath(
  new URL(`../../.cache/network/proofs-${coreFingerprint()}`, import.meta.url),
);

/** A daemon with proofs that were made beforehand, or are made once and kept. */
export const recordedProgram: NonNullable<WalletdSpec["program"]> = {
  file: "tests/network/walletdChild.ts",
  environment: { RECORDED_PROOFS: FOLDER },
};
