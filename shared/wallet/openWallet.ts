/** Opens the stored wallet, or begins a new one. */
import {
  asBlueScore,
  asDaaScore,
  asLeafPosition,
  asTimestampMs,
  type BlockHash,
  type BlueScore,
} from "../base/brand.ts";
import { SvcError } from "../base/svcError.ts";
import { resumeOutbox } from "./outbox.ts";
import type { ChainPlace } from "./ports.ts";
import { genesisBlock } from "./rollback.ts";
import { storedTree, WalletSync, type SyncParts } from "./walletSync.ts";
import { cursorOf, newWallet, type ChainBlock, type WalletAccount } from "./walletState.ts";

/** Where a new wallet begins to scan: with the chain, just below its present end, or at a blue score. */
export type Birthday = "genesis" | "now" | BlueScore;

/** Who owns the wallet, and on which network. */
export type WalletIdentity = Pick<WalletAccount, "profileDigest" | "genesis" | "defaultAddress">;

/**
 * The wallet in the store, or a new one for `identity` from `birthday` on. Work that was cut off
 * by the last stop becomes a draft again. Rejects with `wallet/exists` when the store holds
 * another wallet, `store/corrupt` when its tree and state disagree, and with the node's errors.
 */
export async function openWallet(
  parts: SyncParts,
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
  return new WalletSync(parts, resumeOutbox(stored.state), tree);
}

async function createWallet(
  parts: SyncParts,
  identity: WalletIdentity,
  birthday: Birthday,
  signal: AbortSignal,
): Promise<WalletSync> {
  const place = await birthPlace(parts, identity.genesis, birthday, signal);
  const tree = parts.makeTree(await parts.node.treeState(place.hash, signal));
  const block: ChainBlock = {
    hash: place.hash,
    chainIndex: place.chainIndex,
    blueScore: place.blueScore,
    daaScore: asDaaScore(0n),
    timestamp: asTimestampMs(0n),
    leafEnd: asLeafPosition(tree.size()),
  };
  const state = newWallet({ ...identity, nextAddressIndex: 1, birthday: block });
  const snapshot = () => tree.toBytes();
  const change = { truncatedTo: tree.size(), appended: new Uint8Array(), snapshot };
  await parts.store.commit({ state, tree: change });
  return new WalletSync(parts, state, tree);
}

/** A new wallet begins a settle depth below the tip, where the chain no longer changes. */
async function birthPlace(
  parts: SyncParts,
  genesis: BlockHash,
  birthday: Birthday,
  signal: AbortSignal,
): Promise<ChainPlace & { readonly blueScore: BlueScore }> {
  const start = genesisBlock(genesis);
  if (birthday === "genesis") return start;
  const tip = await parts.node.tip(signal);
  const newest = tip.sinkBlueScore - parts.policy.settleDepth;
  const from = birthday === "now" || birthday > newest ? newest : birthday;
  if (from <= 0n) return start;
  const [row] = await parts.node.anchors(asBlueScore(from), 1, signal);
  if (row === undefined) return start;
  const place = await parts.node.locate([row.hash], signal);
  return { ...place, blueScore: row.blueScore };
}
