/**
 * List of the wallets of one browser: id, name and number of each, in the order in which they were made (specification wallet 4.9).
 *
 * The list names wallets and holds none. What it lacks is found by the names of databases, and what it has too much is passed over, so
 * that a list which is lost or altered costs names and no coins.
 */
import * as v from "valibot";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { cutText } from "@svc/shared/wallet/labels/cutText.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import type { WalletEntry } from "../../wallet-api/walletEntry.ts";
import { FIRST_DATABASE } from "../store/database.ts";

/** Id of the wallet in the database that browsers had when they had one wallet. */
export const FIRST_WALLET = "first";

/** The list. */
export type WalletList = {
  readonly wallets: readonly WalletEntry[];
  /** The one that was open last; null before any was. */
  readonly last: string | null;
};

/** The list as it is stored. */
export type StoredWalletList = WalletList & { readonly version: 1 };

/** The list of a browser without a wallet. */
export const NO_WALLETS: WalletList = { wallets: [], last: null };

const VERSION = 1;
const ID_BYTES = 16;
const ID = /^[0-9a-f]{32}$/;

const id = v.pipe(
  v.string(),
  v.check((text) => text === FIRST_WALLET || ID.test(text)),
);
const number = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const versionForm = v.object({ version: v.number() });
const listForm = v.object({ wallets: v.array(v.unknown()), last: v.unknown() });
const entryForm = v.object({ id, name: v.fallback(v.string(), ""), number });

/** Name of the database of a wallet. */
export function databaseOf(wallet: string): string {
  return wallet === FIRST_WALLET ? FIRST_DATABASE : `${FIRST_DATABASE}-${wallet}`;
}

/** The wallet whose database has this name; null for a database of something else. */
export function walletOf(database: string): string | null {
  if (database === FIRST_DATABASE) return FIRST_WALLET;
  const begin = `${FIRST_DATABASE}-`;
  const rest = database.startsWith(begin) ? database.slice(begin.length) : "";
  return ID.test(rest) ? rest : null;
}

/** An id of 16 random bytes. */
export function newWalletId(): string {
  return encodeHex(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
}

/**
 * Reads a stored list; undefined is none. Entries that are of no use, stand twice, or are beyond `walletListReadMax`, are passed over. Throws
 * `store/version`.
 */
export function readWalletList(stored: unknown): WalletList {
  const named = v.safeParse(versionForm, stored);
  if (named.success && named.output.version !== VERSION) {
    const { version } = named.output;
    throw new SvcError("store/version", { expected: VERSION, found: version });
  }
  const read = v.safeParse(listForm, stored);
  if (!named.success || !read.success) return NO_WALLETS;
  const wallets: WalletEntry[] = [];
  for (const entry of read.output.wallets.slice(0, PAGE_LIMITS.walletListReadMax)) {
    const found = v.safeParse(entryForm, entry);
    if (found.success && isNew(wallets, found.output)) {
      wallets.push({ ...found.output, name: nameOf(found.output.name) });
    }
  }
  const { last } = read.output;
  return { wallets, last: wallets.some((wallet) => wallet.id === last) ? String(last) : null };
}

/** The list with a wallet more, at its end, which is the last one that was open. Throws `codec/count-too-large`. */
export function withWallet(list: WalletList, wallet: string): WalletList {
  const count = list.wallets.length + 1;
  const max = PAGE_LIMITS.walletsMax;
  if (count > max) throw new SvcError("codec/count-too-large", { count, max });
  return { wallets: appended(list.wallets, wallet), last: wallet };
}

/** The list with another name for a wallet: without blanks around it, cut to its limit. */
export function withName({ wallets, last }: WalletList, wallet: string, name: string): WalletList {
  const renamed = (entry: WalletEntry) =>
    entry.id === wallet ? { ...entry, name: nameOf(name) } : entry;
  return { wallets: wallets.map(renamed), last };
}

/** The list without a wallet. */
export function withoutWallet({ wallets, last }: WalletList, wallet: string): WalletList {
  const left = wallets.filter(({ id: other }) => other !== wallet);
  return { wallets: left, last: last === wallet ? null : last };
}

/** The list of the wallets that are there: of the listed ones those, and behind them all that it did not name. */
export function withThose({ wallets, last }: WalletList, there: ReadonlySet<string>): WalletList {
  let found: readonly WalletEntry[] = wallets.filter((wallet) => there.has(wallet.id));
  for (const wallet of there) {
    if (!found.some((entry) => entry.id === wallet)) found = appended(found, wallet);
  }
  return { wallets: found, last: last !== null && there.has(last) ? last : null };
}

/** The form that is stored. */
export function storedWalletList({ wallets, last }: WalletList): StoredWalletList {
  return { version: VERSION, wallets, last };
}

function appended(wallets: readonly WalletEntry[], wallet: string): readonly WalletEntry[] {
  const greatest = wallets.reduce((most, entry) => Math.max(most, entry.number), 0);
  return [...wallets, { id: wallet, name: "", number: greatest + 1 }];
}

function isNew(wallets: readonly WalletEntry[], entry: WalletEntry): boolean {
  return !wallets.some((known) => known.id === entry.id || known.number === entry.number);
}

function nameOf(text: string): string {
  return cutText(text, PAGE_LIMITS.walletNameChars);
}
