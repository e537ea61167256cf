/** Reads the whole database of a wallet folder: its pages, all rows, and the indexes over them. */
import { join } from "node:path";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { checkDatabase, WHOLE_DEPTH } from "../../storage/checkDatabase.ts";
import type { RowSeal } from "../../storage/rows/rowSeal.ts";
import { WalletStore } from "../store/walletStore.ts";
import { WALLET_STORE_LAYOUT } from "../store/walletStoreLayout.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { findingOf, type Finding } from "./finding.ts";
import { hasDatabase } from "./offlineFolder.ts";

const ABOUT = "database";
const ADVICE =
  "Copy the folder, then put a whole older copy of walletd/ and of the wallets' files back; payments since then have to be looked up in the chain.";
const TABLES_OF_TOKENS: readonly string[] = ["tokens", "tokens_by_wallet"];
const TOKEN_ADVICE =
  "Run: svc walletd doctor --remove-lost-tokens, and make new tokens; what these opened stays closed.";

/** How a database is examined. */
export type StoreInspection = {
  readonly seal: RowSeal | null;
  /** Whether scoped tokens are removed that nobody can open any more. */
  readonly removesLostTokens: boolean;
};

/** The database, unless it cannot be opened, and what is wrong with it. Whoever asks closes it. */
export async function inspectStore(
  path: string,
  { seal, removesLostTokens }: StoreInspection,
): Promise<{ readonly store: WalletStore | null; readonly findings: readonly Finding[] }> {
  try {
    if (!hasDatabase(path)) {
      const text = "there is none yet";
      return { store: null, findings: [{ level: "note", about: ABOUT, text, advice: null }] };
    }
    // LMDB believes what it maps: damage must be found before.
    checkDatabase(join(path, WALLET_STORE_LAYOUT.name), WHOLE_DEPTH);
    const store = await WalletStore.open(path, seal);
    const removed = removesLostTokens ? removeTokens(store) : [];
    return { store, findings: [...removed, ...flawFindings(store)] };
  } catch (thrown) {
    const error = SvcError.from(thrown);
    // Its sentence says what to do: nothing in the database is damaged.
    const advice = error.code === "wallet/rows-sealed" ? null : ADVICE;
    return { store: null, findings: [findingOf("damage", ABOUT, error, advice)] };
  }
}

function removeTokens(store: WalletStore): readonly Finding[] {
  const count = store.deleteLostTokens();
  const text = `${count} scoped tokens that nobody can open any more are removed`;
  return [{ level: "note", about: ABOUT, text, advice: null }];
}

function flawFindings(store: WalletStore): readonly Finding[] {
  const flaws = store.flaws();
  const most = WALLETD_LIMITS.doctorFlaws;
  const findings = flaws.slice(0, most).map(({ table, reason }): Finding => {
    const advice = TABLES_OF_TOKENS.includes(table) ? TOKEN_ADVICE : ADVICE;
    return { level: "damage", about: ABOUT, text: `table ${table}: ${reason}.`, advice };
  });
  if (flaws.length > most) {
    const text = `${flaws.length - most} more rows are damaged`;
    findings.push({ level: "damage", about: ABOUT, text, advice: null });
  }
  return findings;
}
