/** `svc walletd doctor`: examines a wallet folder that no daemon has open. */
import { inspectFiles } from "./inspectFiles.ts";
import { inspectKept } from "./inspectKept.ts";
import { inspectStore } from "./inspectStore.ts";
import { inspectWallets } from "./inspectWallets.ts";
import type { Finding } from "./finding.ts";
import { openWalletFolder, requireFolder, type OfflineParts } from "./offlineFolder.ts";

/** What was found. */
export type Examination = {
  readonly wallets: number;
  /** Those of the folder come first, then the database's, then those of wallets in the order of their tokens. */
  readonly findings: readonly Finding[];
};

/** What an examination changes beside looking. */
export type ExaminationOptions = {
  /** Removes scoped tokens that nobody can open any more. */
  readonly removesLostTokens?: boolean;
};

/**
 * Examines files, wallets, snapshots, database and disk. Rejects with `node/already-running` while a daemon has the folder, and
 * for a folder that does not open like `openWalletFolder`.
 */
export async function examineFolder(
  parts: OfflineParts,
  { removesLostTokens = false }: ExaminationOptions = {},
): Promise<Examination> {
  const { path, identity } = parts;
  try {
    requireFolder(path);
  } catch (error) {
    parts.secret?.erase();
    throw error;
  }
  const files = inspectFiles(path);
  const folder = await openWalletFolder(parts);
  try {
    const plain: Finding = {
      level: "warning",
      about: "folder",
      text: "seeds, histories and memos are stored in plaintext",
      advice: "Run: svc walletd change-secret",
    };
    const { store, findings } = await inspectStore(path, {
      seal: folder.rowSeal(),
      removesLostTokens,
    });
    try {
      const inspected = await inspectWallets({ folder, identity, store });
      const all = [
        files,
        folder.isSealed ? inspectKept(path) : [plain],
        findings,
        inspected.findings,
      ].flat();
      return { wallets: inspected.wallets, findings: all };
    } finally {
      await store?.close();
    }
  } finally {
    folder.close();
  }
}
