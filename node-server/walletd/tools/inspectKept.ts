/** Finds earlier files of wallets (`.bak`) in plaintext, in a folder that has a secret. Of a scan only the head is read. */
import { closeSync, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { parseWalletFile } from "../keys/openWalletFile.ts";
import { readScanHead } from "../keys/scanFile.ts";
import { isWalletToken, walletLabel, type WalletToken } from "../keys/walletToken.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { Finding } from "./finding.ts";

const KEPT = /^([^.]+)\.(json|scan)\.bak(?:\.\d+)?$/;
/** More than the part of a scan file that stands in clear. */
const HEAD_BYTES = 64;
const LABEL = "an earlier file";

/** Findings about the kept files of a folder with a secret, one for each wallet. A file that does not read is passed over. */
export function inspectKept(path: string): readonly Finding[] {
  const counts = new Map<WalletToken, number>();
  for (const name of readdirSync(path)) {
    const [, token = "", kind] = KEPT.exec(name) ?? [];
    if (!isWalletToken(token) || !isPlain(join(path, name), kind === "scan")) continue;
    counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  return Array.from(counts, ([token, count]): Finding => {
    const about = walletLabel(token);
    const text = `${count} of its earlier files (.bak) are in plaintext though the folder has a secret`;
    const advice = "Run: svc walletd change-secret, which seals all of the folder.";
    return { level: "warning", about, text, advice };
  });
}

function isPlain(path: string, isScan: boolean): boolean {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts?.isFile() !== true) return false;
  try {
    if (isScan) return !readScanHead(firstBytes(path, HEAD_BYTES), LABEL).isSealed;
    const bytes = firstBytes(path, WALLETD_LIMITS.walletFileBytes);
    return parseWalletFile(bytes, LABEL).sealing === null;
  } catch {
    return false;
  }
}

function firstBytes(path: string, most: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    const bytes = new Uint8Array(most);
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
