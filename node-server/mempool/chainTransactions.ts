/** Fetches transactions of chain blocks from the engine for the mempool. */
import type { BlockHash, DaaScore } from "@svc/shared/base/brand.ts";
import type { ChainFacts } from "@svc/shared/protocol/facts/chainFacts.ts";
import type { EngineHost } from "../engine/host/engineHost.ts";
import { askFacts } from "../engine/calls/askFacts.ts";

/** Dependencies: the part of the engine that is asked. */
export type ChainSource = Pick<EngineHost, "ask">;

/** A transaction that a chain block applied, and the block that carries it. */
export type AppliedTransaction = ChainFacts["applied"][number];

/** A transaction with its raw form. */
export type FoundTransaction = {
  readonly raw: Uint8Array;
  /** DAA score of the carrying block, which decides the form of the bundle. */
  readonly daaScore: DaaScore;
};

/** The transactions that a block applied, on the selected chain or once on it. A block that was never judged has nothing. */
export async function appliedTransactions(
  engine: ChainSource,
  chainBlock: BlockHash,
): Promise<AppliedTransaction[]> {
  const facts = await askFacts(engine, "chainFacts", [chainBlock]);
  return facts?.applied ?? [];
}

/** Fetches a transaction from the block that carries it; undefined when that block is not stored. */
export async function carriedTransaction(
  engine: ChainSource,
  { txid, block }: AppliedTransaction,
): Promise<FoundTransaction | undefined> {
  const facts = await askFacts(engine, "blockFacts", [block]);
  if (facts === undefined) return undefined;
  const { txids, daaScore } = facts;
  const index = txids.indexOf(txid);
  const raw = index < 0 ? undefined : await engine.ask("transactionBytes", [block, index]);
  return raw === undefined ? undefined : { raw, daaScore };
}
