/** Fetches transactions of chain blocks from the engine for the mempool. */
import * as v from "valibot";
import type { BlockHash, DaaScore } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import type { EngineHost } from "../engine/host/engineHost.ts";

const applied = v.object({
  applied: v.array(v.object({ txid: fields.txId, block: fields.blockHash })),
});
const carried = v.object({ txids: v.array(fields.txId), daaScore: fields.daaScore });

/** Dependencies: the part of the engine that is asked. */
export type ChainSource = Pick<EngineHost, "ask">;

/** A transaction that a chain block applied, and the block that carries it. */
export type AppliedTransaction = v.InferOutput<typeof applied>["applied"][number];

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
  const facts = await engine.ask("chainFacts", [chainBlock]);
  return facts === undefined ? [] : v.parse(applied, JSON.parse(facts)).applied;
}

/** Fetches a transaction from the block that carries it; undefined when that block is not stored. */
export async function carriedTransaction(
  engine: ChainSource,
  { txid, block }: AppliedTransaction,
): Promise<FoundTransaction | undefined> {
  const facts = await engine.ask("blockFacts", [block]);
  if (facts === undefined) return undefined;
  const { txids, daaScore } = v.parse(carried, JSON.parse(facts));
  const index = txids.indexOf(txid);
  const raw = index < 0 ? undefined : await engine.ask("transactionBytes", [block, index]);
  return raw === undefined ? undefined : { raw, daaScore };
}
