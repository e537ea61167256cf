/** Payments that a node knows, waiting or applied. */
import * as v from "valibot";
import { PATIENCE_MS } from "./networkSizes.ts";
import { untilSo, type NodeProcess } from "./nodeProcess.ts";

const chainRows = v.object({
  rows: v.array(v.object({ applied: v.array(v.object({ txid: v.string() })) })),
});
const pool = v.object({ entries: v.array(v.object({ txid: v.string() })) });

/**
 * Ids of those that wait, of those that a block of the chain applied, and of those in the last one, which the next will
 * apply.
 */
export async function paymentsOf(node: NodeProcess): Promise<readonly string[]> {
  const waiting = await fetch(`${node.http}/v1/mempool`);
  const entries = v.parse(pool, await waiting.json()).entries;
  const chain = await fetch(`${node.http}/v1/chain?limit=200`);
  const { rows } = v.parse(chainRows, await chain.json());
  const { sink } = await node.tip();
  const value = { hash: sink, includeTransactions: false };
  const { block } = await node.grpc.call({ $case: "getBlock", value });
  const ids = [...entries, ...rows.flatMap((row) => row.applied)].map(({ txid }) => txid);
  return [...ids, ...(block?.verboseData?.transactionIds ?? [])];
}

/** Waits until a node knows all of these. After a start it judges those that wait once more. */
export async function untilKnown(node: NodeProcess, txids: Iterable<string>): Promise<void> {
  const missing = new Set(txids);
  await untilSo(async () => {
    for (const txid of await paymentsOf(node)) missing.delete(txid);
    return missing.size === 0;
  }, PATIENCE_MS).catch((error: unknown) => {
    throw new Error(`${node.spec.name} lacks ${[...missing].join(", ")}: ${String(error)}`);
  });
}
