/** Transactions of chain blocks, fetched from the engine for the pool. */
import * as v from "valibot";
import type { BlockHash, TxId } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import type { EngineHost } from "../consensus/engineHost.ts";

const applied = v.object({
  applied: v.array(v.object({ txid: fields.txId, block: fields.blockHash })),
});
const carried = v.object({ txids: v.array(fields.txId) });

/** The part of the engine that is asked. */
export type ChainSource = Pick<EngineHost, "ask">;

/** A transaction with its raw form. */
export type FoundTransaction = { readonly txid: TxId; readonly raw: Uint8Array };

/**
 * Raw forms of the transactions that a block, on the selected chain or once on it, applied and `wanted`
 * accepts. A block that was never judged has none.
 */
export async function appliedTransactions(
  engine: ChainSource,
  chainBlock: BlockHash,
  wanted: (txid: TxId) => boolean,
): Promise<FoundTransaction[]> {
  const facts = await engine.ask("chainFacts", [chainBlock]);
  if (facts === undefined) return [];
  const found: FoundTransaction[] = [];
  for (const { txid, block } of v.parse(applied, JSON.parse(facts)).applied) {
    if (!wanted(txid)) continue;
    const raw = await transactionOf(engine, block, txid);
    if (raw !== undefined) found.push({ txid, raw });
  }
  return found;
}

async function transactionOf(
  engine: ChainSource,
  block: BlockHash,
  txid: TxId,
): Promise<Uint8Array | undefined> {
  const facts = await engine.ask("blockFacts", [block]);
  if (facts === undefined) return undefined;
  const index = v.parse(carried, JSON.parse(facts)).txids.indexOf(txid);
  return index < 0 ? undefined : engine.ask("transactionBytes", [block, index]);
}
