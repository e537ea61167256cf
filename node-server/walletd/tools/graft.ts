/** `svc walletd --graft`: repairs a wallet from an older scan file of itself. */
import { asDaaScore, type DaaScore } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { restartOutbox } from "@svc/shared/wallet/reduce/outboxChain.ts";
import { cursorOf } from "@svc/shared/wallet/state/walletState.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { inOrder } from "../wallets/loadWallet.ts";
import { encodeSnapshot, type WalletSnapshot } from "../wallets/walletSnapshot.ts";
import { snapshotFacts, type SnapshotFacts } from "./diagnose.ts";
import { graftState, refused, type Restored } from "./graftState.ts";
import type { OfflineFolder } from "./offlineFolder.ts";
import { readForeignSnapshot, readSnapshot, type SnapshotOwner } from "./readSnapshot.ts";

/** What a graft did. */
export type GraftReport = {
  /** Null where there was no snapshot that could be read. */
  readonly before: SnapshotFacts | null;
  readonly after: SnapshotFacts;
  readonly restored: { readonly [K in keyof Restored]: number | boolean };
  /** The chain is scanned again above this DAA score when the daemon starts. */
  readonly scansFrom: DaaScore;
};

/**
 * Writes what the snapshot of a wallet lost, and the file has, as its new snapshot; the one before stays as `TOKEN.scan.bak`.
 * Rejects with `wallet/graft-refused`, with `wallet/rows-lost` when the database is older than one of the two, and for the file
 * as `readForeignSnapshot`; then nothing has changed.
 */
export async function graft(
  { folder, store, identity }: OfflineFolder,
  token: WalletToken,
  file: Uint8Array,
): Promise<GraftReport> {
  const owner = { folder, identity, token };
  const older = await readForeignSnapshot(owner, file);
  const present = await presentSnapshot(owner);
  const newest = present !== null && present.sequence > older.sequence ? present : older;
  if (store === null || newest.sequence > store.sequence)
    throw new SvcError("wallet/rows-lost", {});
  if (present !== null && newest === older) {
    throw refused("the file is not older than the present scan");
  }
  const stored = new Set(Array.from(store.payments.ofWallet(token), ({ id }) => id));
  const { state, restored } =
    present === null
      ? wholeState(older, stored)
      : graftState({ older: older.state, present: present.state, stored });
  const sequence = begin({ store, token }, { state, restored });
  const facts = await folder.facts(token);
  const birthday = state.account.birthday.daaScore;
  if (facts !== null && restored.birthday && birthday < facts.birthday) {
    await folder.update(token, { birthday: asDaaScore(birthday) });
  }
  await folder.writeScan(token, encodeSnapshot({ sequence, state }), { keep: true });
  const { hash, chainIndex, daaScore } = cursorOf(state);
  store.commit((batch) =>
    store.cursors.put(batch, token, { snapshotSequence: sequence, hash, chainIndex }),
  );
  const base = store.tree.head()?.baseSize ?? null;
  return {
    before: present === null ? null : snapshotFacts(present.state, base),
    after: snapshotFacts(state, base),
    restored: { ...restored, payments: restored.payments.length },
    scansFrom: daaScore,
  };
}

/** The snapshot that is to be repaired; null for one that does not read: then the file takes its place. */
async function presentSnapshot(owner: SnapshotOwner): Promise<WalletSnapshot | null> {
  try {
    return await readSnapshot(owner);
  } catch (error) {
    if (SvcError.is(error, "wallet/file-damaged", "store/corrupt")) return null;
    throw error;
  }
}

/** The older state as it is, for a wallet without a present one. */
function wholeState(
  { state }: WalletSnapshot,
  stored: ReadonlySet<string>,
): ReturnType<typeof graftState> {
  const lost = state.outbox.filter(({ id, txid }) => txid !== null && !stored.has(id));
  const restored = {
    notes: state.notes.length,
    history: state.history.length,
    payments: lost,
    birthday: true,
  };
  const outbox = inOrder(restartOutbox(lost, cursorOf(state)));
  return { state: { ...state, outbox }, restored };
}

/** Stores the payments that came back, and takes the number of the commit that the new snapshot names: no other file names it. */
function begin(
  { store, token }: { readonly store: WalletStore; readonly token: WalletToken },
  { state, restored }: ReturnType<typeof graftState>,
): bigint {
  const { hash, chainIndex } = cursorOf(state);
  const lost = new Set(restored.payments.map(({ id }) => id));
  store.commit((batch) => {
    for (const payment of state.outbox) {
      if (lost.has(payment.id)) store.payments.put(batch, token, payment);
    }
    store.cursors.put(batch, token, { snapshotSequence: 0n, hash, chainIndex });
  });
  return store.sequence;
}
