/** The chain as a scanner told it last, as a row of D1: the sink, what was proved below it, and why the scanner's node is not believed. */
import * as v from "valibot";
import { fields } from "@svc/shared/base/fields.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import {
  asBlueScore,
  asTimestampMs,
  type BlueScore,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { workLadder } from "@svc/shared/invoice/factBatch.ts";
import { nodeFault, type NodeFault } from "@svc/shared/light/nodeFault.ts";
import type { ChainDepth, WorkLadder } from "@svc/shared/light/workLadder.ts";

/** The chain. */
export type ChainTip = {
  /** Of the sink; where its scanner proves what it tells, of the last header that was judged, and 0 before the first. */
  readonly blueScore: BlueScore;
  /** What was proved; null where the scanner believes its node. */
  readonly ladder: WorkLadder | null;
  /** When the block of the sink was mined, as its miner says. */
  readonly blockMs: TimestampMs;
  /** When a scanner told of it. */
  readonly toldMs: TimestampMs;
  /** What the scanner says against its node; null for nothing. */
  readonly fault: NodeFault | null;
};

/** What a batch says of the chain. */
export type ToldTip = {
  readonly depth: ChainDepth;
  readonly blockMs: TimestampMs;
  readonly fault: NodeFault | null;
};

const time = v.pipe(
  v.number(),
  v.transform((ms) => asTimestampMs(BigInt(ms))),
);
const parsed = v.pipe(
  v.string(),
  v.transform((json): unknown => JSON.parse(json)),
);
const form = v.object({
  blue_score: fields.blueScore,
  ladder: v.nullable(v.pipe(parsed, workLadder)),
  block_ms: time,
  told_ms: time,
  fault: v.nullable(v.pipe(parsed, nodeFault)),
});

const NONE = asBlueScore(0n);

/** The blue score that counts as the tip's: where nothing was proved yet no block is below it. */
export function scoreOf({ tip }: ChainDepth): BlueScore {
  return tip ?? NONE;
}

/** Writes the chain. Rejects with what D1 says. */
export async function writeChainTip(
  db: D1Database,
  { depth, blockMs, fault }: ToldTip,
  now: TimestampMs,
): Promise<void> {
  const [proved, against] = [depth.ladder, fault].map((part) =>
    part === null ? null : stableJson(part),
  );
  await db
    .prepare(
      "INSERT INTO chain_tip (one, blue_score, block_ms, told_ms, ladder, fault) VALUES (1, ?1, ?2, ?3, ?4, ?5) ON CONFLICT (one) DO UPDATE SET blue_score = ?1, block_ms = ?2, told_ms = ?3, ladder = ?4, fault = ?5",
    )
    .bind(String(scoreOf(depth)), Number(blockMs), Number(now), proved, against)
    .run();
}

/** Reads it; null where no scanner has told of one. Rejects with what D1 says. */
export async function readChainTip(db: D1Database): Promise<ChainTip | null> {
  const row = await db.prepare("SELECT * FROM chain_tip").first();
  if (row === null) return null;
  const { blue_score, block_ms, told_ms, ladder, fault } = v.parse(form, row);
  return { blueScore: blue_score, ladder, blockMs: block_ms, toldMs: told_ms, fault };
}
