/**
 * The ledger of a wallet: what it counts beside its note tree to hold a node to the state roots of the chain (docs/light-client.md).
 *
 * A product of nullifiers cannot forget a factor. So what is remembered, and may be undone, stands by itself for each block; the rest is
 * one product. Nothing here depends on a key.
 */
import type { BlockHash, BlueScore, ChainIndex, DaaScore } from "../../base/brand.ts";

/** Nullifiers and minted coins of some blocks. */
export type LedgerSums = {
  /** Product of the nullifiers, 384 bytes as hex; empty for that of no nullifier. */
  readonly spent: string;
  /** Sompi minted. */
  readonly minted: bigint;
};

/** The sums of one remembered block. */
export type BlockSums = LedgerSums & { readonly chainIndex: ChainIndex };

/** A block with its sums. */
export type CountedBlock = BlockSums & { readonly hash: BlockHash };

/** The block after which the wallet counts. */
export type LedgerStart = {
  readonly hash: BlockHash;
  readonly chainIndex: ChainIndex;
  readonly blueScore: BlueScore;
  readonly daaScore: DaaScore;
};

/** What the wallet counts, from `start` on. */
export type WalletLedger = {
  readonly start: LedgerStart;
  /** The chain block above the start, which commits to its state; null until it came. */
  readonly child: BlockHash | null;
  /** The sums of the chain up to the start; null until they are proved. */
  readonly before: LedgerSums | null;
  /** Those of the blocks above the start that can no longer be undone. */
  readonly settled: LedgerSums;
  /** Those of each block above them, oldest first. */
  readonly recent: readonly BlockSums[];
};

/** Multiplies products of nullifiers, each as hex. */
export type Multiply = (factors: readonly string[]) => string;

const NOTHING: LedgerSums = { spent: "", minted: 0n };

/** A ledger that begins after a block. What lies before genesis is known: nothing. */
export function newLedger({ hash, chainIndex, blueScore, daaScore }: LedgerStart): WalletLedger {
  const start = { hash, chainIndex, blueScore, daaScore };
  const before = chainIndex === 0n ? NOTHING : null;
  return { start, child: null, before, settled: NOTHING, recent: [] };
}

/** The ledger with the blocks that follow. */
export function ledgerWith(ledger: WalletLedger, blocks: readonly CountedBlock[]): WalletLedger {
  const recent = blocks.map(({ chainIndex, spent, minted }) => ({ chainIndex, spent, minted }));
  const first = blocks.find(({ chainIndex }) => chainIndex === ledger.start.chainIndex + 1n);
  const child = first?.hash ?? ledger.child;
  return { ...ledger, child, recent: [...ledger.recent, ...recent] };
}

/** The ledger without the blocks above one that stays. Below its start it begins anew there. */
export function ledgerCut(ledger: WalletLedger, common: LedgerStart): WalletLedger {
  const { start, recent } = ledger;
  if (common.chainIndex < start.chainIndex) return newLedger(common);
  const kept = recent.filter(({ chainIndex }) => chainIndex <= common.chainIndex);
  const child = common.chainIndex === start.chainIndex ? null : ledger.child;
  return { ...ledger, child, recent: kept };
}

/** The ledger in which all blocks up to `oldest` are one product: they will not be undone. */
export function ledgerSettled(
  ledger: WalletLedger,
  oldest: ChainIndex,
  multiply: Multiply,
): WalletLedger {
  const gone = ledger.recent.filter(({ chainIndex }) => chainIndex <= oldest);
  if (gone.length === 0) return ledger;
  const settled = sumOf([ledger.settled, ...gone], multiply);
  return { ...ledger, settled, recent: ledger.recent.slice(gone.length) };
}

/** The sums of the whole chain up to a remembered block; null where the start is not proved, or the block lies below it. */
export function sumsAt(
  ledger: WalletLedger,
  chainIndex: ChainIndex,
  multiply: Multiply,
): LedgerSums | null {
  const { before, settled, recent } = ledger;
  const lowest = recent[0]?.chainIndex ?? ledger.start.chainIndex;
  if (before === null || chainIndex + 1n < lowest) return null;
  const counted = recent.filter((block) => block.chainIndex <= chainIndex);
  return sumOf([before, settled, ...counted], multiply);
}

/** The ledger whose start was proved. */
export function ledgerProved(ledger: WalletLedger, before: LedgerSums): WalletLedger {
  return { ...ledger, before };
}

function sumOf(parts: readonly LedgerSums[], multiply: Multiply): LedgerSums {
  const factors = parts.flatMap(({ spent }) => (spent === "" ? [] : [spent]));
  const minted = parts.reduce((sum, part) => sum + part.minted, 0n);
  return { spent: factors.length > 1 ? multiply(factors) : (factors[0] ?? ""), minted };
}
