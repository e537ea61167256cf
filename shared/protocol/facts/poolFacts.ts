/** Schemas of the HTTP answers about mempool transactions and the local miner. */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { factsReader } from "./readFacts.ts";

const poolRow = v.object({
  txid: fields.txId,
  fee: fields.sompi,
  /** Serialized size in bytes, as fees are counted. */
  size: fields.u32,
  /** DAA score of the chain when it came in. */
  addedAtDaa: fields.daaScore,
});
const poolRows = v.object({ entries: v.array(poolRow) });
const submitAnswer = v.object({ txid: fields.txId });
const minerAnswer = v.object({
  address: fields.addressText,
  /** For display only. */
  blocksPerSecond: v.number(),
  minedBlocks: fields.u64,
});

/** A mempool transaction. */
export type PoolRow = v.InferOutput<typeof poolRow>;
/** State of the local miner. */
export type MinerAnswer = v.InferOutput<typeof minerAnswer>;

/** Reads the answer of `GET /v1/mempool`. Throws `codec/bad-json`. */
export const readPoolRows = factsReader(poolRows, "pool");
/** Reads the answer of `POST /v1/tx`. Throws `codec/bad-json`. */
export const readSubmitAnswer = factsReader(submitAnswer, "submission");
/** Reads the answer of `GET /local/mine`. Throws `codec/bad-json`. */
export const readMinerAnswer = factsReader(minerAnswer, "miner");
