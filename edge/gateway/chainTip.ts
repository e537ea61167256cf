/** The chain as a scanner told it last, as a row of D1: the sink, and what was proved below it. */
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
};

const time = v.pipe(
  v.number(),
  v.transform((ms) => asTimestampMs(BigInt(ms))),
);
const ladder = v.pipe(
  v.string(),
  v.transform((json): unknown => JSON.parse(json)),
  workLadder,
);
const form = v.object({
  blue_score: fields.blueScore,
  ladder: v.nullable(ladder),
  block_ms: time,
  told_ms: time,
});

const NONE = asBlueScore(0n);

/** The blue score that counts as the tip's: where nothing was proved yet no block is below it. */
export function scoreOf({ tip }: ChainDepth): BlueScore {
  return tip ?? NONE;
}

/** Writes the chain. Rejects with what D1 says. */
export async function writeChainTip(
  db: D1Database,
  depth: ChainDepth,
  blockMs: TimestampMs,
  now: TimestampMs,
): Promise<void> {
  const proved = depth.ladder === null ? null : stableJson(depth.ladder);
  await db
    .prepare(
      "INSERT INTO chain_tip (one, blue_score, block_ms, told_ms, ladder) VALUES (1, ?1, ?2, ?3, ?4) ON CONFLICT (one) DO UPDATE SET blue_score = ?1, block_ms = ?2, told_ms = ?3, ladder = ?4",
    )
    .bind(String(scoreOf(depth)), Number(blockMs), Number(now), proved)
    .run();
}

/** Reads it; null where no scanner has told of one. Rejects with what D1 says. */
export async function readChainTip(db: D1Database): Promise<ChainTip | null> {
  const row = await db.prepare("SELECT * FROM chain_tip").first();
  if (row === null) return null;
  const { blue_score, ladder: proved, block_ms, told_ms } = v.parse(form, row);
  return { blueScore: blue_score, ladder: proved, blockMs: block_ms, toldMs: told_ms };
}
