/** The sink as a scanner told it last, as a row of D1. */
import * as v from "valibot";
import { fields } from "@svc/shared/base/fields.ts";
import { asTimestampMs, type BlueScore, type TimestampMs } from "@svc/shared/base/brand.ts";
import type { AcceptingBlock } from "@svc/shared/invoice/invoice.ts";

/** The sink. */
export type ChainTip = {
  readonly blueScore: BlueScore;
  /** When its block was mined, as its miner says. */
  readonly blockMs: TimestampMs;
  /** When a scanner told of it. */
  readonly toldMs: TimestampMs;
};

const time = v.pipe(
  v.number(),
  v.transform((ms) => asTimestampMs(BigInt(ms))),
);
const form = v.object({ blue_score: fields.blueScore, block_ms: time, told_ms: time });

/** Writes the sink. Rejects with what D1 says. */
export async function writeChainTip(
  db: D1Database,
  { blueScore, timestampMs }: AcceptingBlock,
  now: TimestampMs,
): Promise<void> {
  await db
    .prepare(
      "INSERT INTO chain_tip (one, blue_score, block_ms, told_ms) VALUES (1, ?1, ?2, ?3) ON CONFLICT (one) DO UPDATE SET blue_score = ?1, block_ms = ?2, told_ms = ?3",
    )
    .bind(String(blueScore), Number(timestampMs), Number(now))
    .run();
}

/** Reads it; null where no scanner has told of one. Rejects with what D1 says. */
export async function readChainTip(db: D1Database): Promise<ChainTip | null> {
  const row = await db.prepare("SELECT * FROM chain_tip").first();
  if (row === null) return null;
  const { blue_score, block_ms, told_ms } = v.parse(form, row);
  return { blueScore: blue_score, blockMs: block_ms, toldMs: told_ms };
}
