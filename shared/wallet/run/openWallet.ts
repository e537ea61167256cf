/** Opens the stored wallet, or creates a new one. */
import { SvcError } from "../../base/svcError.ts";
import { recentStart } from "../sync/recentStart.ts";
import { firstStart, type Birthday } from "../sync/birthday.ts";
import { leaveOrders } from "../reduce/orders.ts";
import { readyNoteIndex } from "../reduce/noteIndex.ts";
import { resumeOutbox } from "../reduce/outbox.ts";
import { askTip, storedTree, WalletSync, wholeTree, type SyncParts } from "../sync/walletSync.ts";
import { cursorOf, newWallet, type WalletAccount } from "../state/walletState.ts";

/** The identity of a wallet: its default address, and its network. */
export type WalletIdentity = Pick<WalletAccount, "profileDigest" | "genesis" | "defaultAddress">;

/** Dependencies, and how a new wallet begins. */
export type OpenParts = SyncParts & {
  /** One whose birthday lies far back begins with recent blocks; somebody has to read the older ones (`OlderReader`). */
  readonly recentFirst?: true;
};

/**
 * Opens the wallet in the store, or creates one for `identity` from `birthday` on. Work that was cut
 * off by the last stop becomes a draft again. Rejects with `wallet/exists` when the store holds another
 * wallet, `store/corrupt` when its tree and state disagree, and with the node's errors.
 */
export async function openWallet(
  parts: OpenParts,
  identity: WalletIdentity,
  birthday: Birthday,
  signal: AbortSignal,
): Promise<WalletSync> {
  const stored = await parts.store.load();
  if (stored === null) return createWallet(parts, identity, birthday, signal);
  const { account } = stored.state;
  const same =
    account.genesis === identity.genesis &&
    account.profileDigest === identity.profileDigest &&
    account.defaultAddress === identity.defaultAddress;
  if (!same) throw new SvcError("wallet/exists", {});
  const tree = storedTree(parts, stored);
  if (tree.size() !== cursorOf(stored.state).leafEnd) {
    const reason = "the note tree does not end at the last scanned block";
    throw new SvcError("store/corrupt", { table: "wallet", reason });
  }
  readyNoteIndex(stored.state.notes);
  return new WalletSync(parts, leaveOrders(resumeOutbox(stored.state)), tree);
}

async function createWallet(
  parts: OpenParts,
  identity: WalletIdentity,
  birthday: Birthday,
  signal: AbortSignal,
): Promise<WalletSync> {
  const tip = await askTip(parts.node, identity, signal);
  const nowMs = parts.clock.nowMs();
  const find = parts.recentFirst === true ? recentStart : firstStart;
  const { block, tree, historyMissing } = await find({ ...parts, nowMs }, birthday, tip, signal);
  const state = newWallet({
    ...identity,
    nextAddressIndex: 1,
    birthday: block,
    bornOn: birthday === "genesis" ? null : birthday.day,
    historyMissing,
  });
  const made = parts.makeTree(tree);
  const change = wholeTree(made);
  await parts.store.commit({ state, tree: change });
  return new WalletSync(parts, state, made);
}
