/** Reads every wallet file and every snapshot of a folder, and compares them with the database. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { WalletFolder } from "../keys/walletFolder.ts";
import { walletLabel, type WalletToken } from "../keys/walletToken.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { areRowsLost } from "../wallets/loadWallet.ts";
import { findingOf, type Finding } from "./finding.ts";
import type { NetworkIdentity } from "./offlineFolder.ts";
import { readSnapshot } from "./readSnapshot.ts";

/** What is compared. */
export type InspectedFolder = {
  readonly folder: WalletFolder;
  readonly identity: NetworkIdentity;
  /** Null where there is none, or where it does not open. */
  readonly store: WalletStore | null;
};

const SCAN_ADVICE: Readonly<Record<string, string>> = {
  "wallet/file-damaged":
    "The daemon puts it aside and scans the wallet again; an older copy can be grafted after that.",
  "store/corrupt":
    "The daemon puts it aside and scans the wallet again; an older copy can be grafted after that.",
  "store/version": "Update the program.",
};
const KEY_ADVICE: Readonly<Record<string, string>> = {
  "wallet/file-damaged": "Restore the wallet from its backup or a kept .json.bak.",
  "wallet/wrong-secret":
    "It was sealed under another secret: open it in a folder of that secret, and restore a backup of it here.",
};

/** Findings about the wallets, and how many there are. */
export async function inspectWallets(
  inspected: InspectedFolder,
): Promise<{ readonly wallets: number; readonly findings: readonly Finding[] }> {
  const { folder } = inspected;
  const wallets = (await folder.list()).toSorted();
  const scans = (await folder.listScans()).toSorted();
  const findings: Finding[] = [];
  const readable = new Set<WalletToken>();
  for (const token of wallets) {
    const found = await keyFindings(inspected, token);
    findings.push(...found);
    if (!found.some(({ level }) => level === "damage")) readable.add(token);
  }
  const known = new Set(wallets);
  for (const token of scans) {
    if (readable.has(token)) findings.push(...(await scanFindings(inspected, token)));
    else if (!known.has(token)) findings.push(orphanOf(token));
  }
  return { wallets: wallets.length, findings };
}

async function keyFindings(
  { folder, store }: InspectedFolder,
  token: WalletToken,
): Promise<readonly Finding[]> {
  const about = walletLabel(token);
  try {
    using keys = (await folder.openKeys(token)).keys;
    if (store?.owners.find(token, keys.fvk) === "other") {
      return [findingOf("damage", about, new SvcError("wallet/file-key", { file: about }))];
    }
    if (!folder.isSealed || (await folder.isSealedWallet(token)) !== false) return [];
    const text = "it is in plaintext though the folder has a secret";
    const advice = "Run: svc walletd change-secret, which seals all of the folder.";
    return [{ level: "warning", about, text, advice }];
  } catch (thrown) {
    const error = SvcError.from(thrown);
    return [findingOf("damage", about, error, KEY_ADVICE[error.code])];
  }
}

async function scanFindings(
  { folder, identity, store }: InspectedFolder,
  token: WalletToken,
): Promise<readonly Finding[]> {
  const about = walletLabel(token);
  try {
    const snapshot = await readSnapshot({ folder, identity, token });
    if (snapshot === null) return [];
    if (store !== null && !areRowsLost(store, token, snapshot.sequence)) return [];
    return [findingOf("damage", about, new SvcError("wallet/rows-lost", {}))];
  } catch (thrown) {
    const error = SvcError.from(thrown);
    return [findingOf("damage", about, error, SCAN_ADVICE[error.code])];
  }
}

function orphanOf(token: WalletToken): Finding {
  const text = "there is a scan file and no wallet file";
  const advice = "Restore the wallet from its backup, or move the scan elsewhere.";
  return { level: "warning", about: walletLabel(token), text, advice };
}
