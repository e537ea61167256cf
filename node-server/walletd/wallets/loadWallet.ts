/**
 * Loads a wallet from disk: its keys, its last snapshot, and over it what the store knows of its payments.
 *
 * A snapshot may be older than the store: a kill, or a file that somebody put back. Then the chain is scanned again from its
 * block, and the payments decide what is held. It may be newer than the store, when somebody put a database back: payments may be
 * missing then, and nothing may be spent, however far the database has come since.
 */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { resumeOutbox } from "@svc/shared/wallet/reduce/outbox.ts";
import { restartOutbox } from "@svc/shared/wallet/reduce/outboxChain.ts";
import { blockAt, cutTo, type ChainView } from "@svc/shared/wallet/state/chainView.ts";
import type { Payment } from "@svc/shared/wallet/state/payment.ts";
import type { WalletIdentity } from "@svc/shared/wallet/run/openWallet.ts";
import { cursorOf, type WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { Log } from "../../platform/log/log.ts";
import type { OpenedKeys, WalletFolder } from "../keys/walletFolder.ts";
import { walletLabel, type WalletToken } from "../keys/walletToken.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { LoadedWallet } from "./loadedWallet.ts";
import type { OpenedWallet } from "./openWallet.ts";
import { decodeSnapshot, type WalletSnapshot } from "./walletSnapshot.ts";

/** Dependencies of loading. */
export type LoadParts = {
  readonly folder: Pick<WalletFolder, "openKeys" | "readScan" | "retireScan">;
  readonly store: Pick<WalletStore, "sequence" | "payments" | "cursors" | "owners" | "own">;
  readonly network: Omit<WalletIdentity, "defaultAddress">;
  /** The blocks that the lane at the tip remembers. */
  readonly view: () => ChainView;
  readonly log: Pick<Log, "warn">;
};

/**
 * Loads a wallet; one without a usable snapshot has no state yet. `enter` is awaited when its file was read, before its scan is: a
 * token without a wallet takes no place in memory. Rejects with `wallet/file-key` where the rows under its token are of another key,
 * and changes nothing then; with `wallet/no-wallet`, what `WalletFolder.openKeys` and `enter` reject with, and the store's errors.
 */
export async function loadWallet(
  parts: LoadParts,
  token: WalletToken,
  enter: () => Promise<void>,
): Promise<OpenedWallet> {
  const opened = await parts.folder.openKeys(token);
  try {
    await enter();
    return await withScan(parts, token, opened);
  } catch (error) {
    opened.keys.erase();
    throw error;
  }
}

async function withScan(
  parts: LoadParts,
  token: WalletToken,
  { keys, facts, addresses, isFinal }: OpenedKeys,
): Promise<OpenedWallet> {
  const { store, network } = parts;
  ownRows(parts, token, keys.fvk);
  const identity = { ...network, defaultAddress: keys.address.raw };
  const snapshot = await usableSnapshot(parts, token, identity);
  const payments = [...store.payments.live(token)];
  const rowsLost = snapshot !== null && areRowsLost(store, token, snapshot.sequence);
  const state = snapshot === null ? null : restored(parts, token, snapshot, payments);
  const wallet = new LoadedWallet({ token, fvk: keys.fvk, identity }, state);
  const saved = isFinal && !rowsLost ? savedOf(store, token, snapshot, payments) : null;
  return { token, keys, facts, addresses, wallet, rowsLost, saved };
}

/**
 * Looks whose the rows under a token are, before anybody reads one: the file may have been put there by hand. Rows of another key
 * stay: after a mix-up they keep the wallet before from paying twice. Where nobody wrote down whose they are, they are this key's;
 * a disk without room for that keeps no wallet from being opened.
 */
function ownRows({ store, log }: LoadParts, token: WalletToken, fvk: Uint8Array): void {
  const found = store.owners.find(token, fvk);
  const wallet = walletLabel(token);
  if (found === "other") throw new SvcError("wallet/file-key", { file: wallet });
  try {
    store.own(token, fvk);
    if (found === "damaged")
      log.warn({ wallet }, "whose rows these are did not read, and was written again");
  } catch (err) {
    if (!SvcError.from(err).code.startsWith("store/")) throw err;
    log.warn({ wallet, err }, "whose rows these are was not written down");
  }
}

/** The snapshot on disk, where it says all that the wallet was opened with: then it need not be written again. */
function savedOf(
  { cursors }: LoadParts["store"],
  token: WalletToken,
  snapshot: WalletSnapshot | null,
  payments: readonly Payment[],
): OpenedWallet["saved"] {
  if (snapshot === null || payments.length > 0 || snapshot.state.outbox.length > 0) return null;
  const { sequence } = snapshot;
  const seen = cursors.get(token);
  return seen?.snapshotSequence === sequence ? { sequence, chainIndex: seen.chainIndex } : null;
}

/**
 * Whether a wallet's snapshot was written beside a later database than this one. The row of its cursor names the snapshot, or 0
 * while one is being written; a database without that row never had the wallet.
 */
export function areRowsLost(
  store: Pick<WalletStore, "sequence" | "cursors">,
  token: WalletToken,
  sequence: bigint,
): boolean {
  const named = store.cursors.get(token)?.snapshotSequence;
  if (named === undefined || sequence > store.sequence) return true;
  return named !== 0n && sequence > named;
}

/** The snapshot of this wallet on this network; one that is none is put aside, and its wallet is scanned again. */
async function usableSnapshot(
  { folder }: LoadParts,
  token: WalletToken,
  identity: WalletIdentity,
): Promise<WalletSnapshot | null> {
  try {
    const bytes = await folder.readScan(token);
    if (bytes === null) return null;
    const snapshot = decodeSnapshot(bytes);
    const { account } = snapshot.state;
    const isSame =
      account.genesis === identity.genesis &&
      account.profileDigest === identity.profileDigest &&
      account.defaultAddress === identity.defaultAddress;
    if (isSame) return snapshot;
  } catch (error) {
    if (!SvcError.is(error, "wallet/file-damaged", "store/corrupt")) throw error;
  }
  await folder.retireScan(token);
  return null;
}

function restored(
  { store, view }: LoadParts,
  token: WalletToken,
  snapshot: WalletSnapshot,
  payments: readonly Payment[],
): WalletState {
  const { state, sequence } = snapshot;
  const seen = store.cursors.get(token);
  const isCurrent =
    seen?.snapshotSequence === sequence && seen.chainIndex > cursorOf(state).chainIndex;
  const remembered =
    (isCurrent ? viewUpTo(view(), seen) : null) ?? viewUpTo(view(), cursorOf(state));
  const blocks = remembered ?? state.blocks;
  const cursor = cursorOf({ ...state, blocks });
  const live = new Set(payments.map(({ id }) => id));
  // Of what a row is gone nothing was signed, and what is put away is done with.
  const others = state.outbox.filter(
    ({ id, txid }) => !live.has(id) && txid !== null && store.payments.get(token, id) === undefined,
  );
  // What blocks above the cursor did to payments is found again when they are scanned.
  const outbox = inOrder([...others, ...restartOutbox(payments, cursor)]);
  return resumeOutbox({ ...state, blocks, outbox });
}

/** The view up to a block of it; null when it does not have the block. */
function viewUpTo(
  view: ChainView,
  { hash, chainIndex }: { readonly hash: BlockHash; readonly chainIndex: bigint },
): ChainView | null {
  const block = blockAt(view, chainIndex);
  return block?.hash === hash ? cutTo(view, block) : null;
}

/** Payments as they were made. */
export function inOrder(payments: readonly Payment[]): readonly Payment[] {
  return payments.toSorted((a, b) =>
    a.createdMs === b.createdMs ? (a.id < b.id ? -1 : 1) : a.createdMs < b.createdMs ? -1 : 1,
  );
}
