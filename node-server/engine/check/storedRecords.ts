/** Decoders of the engine's stored records that a check reads itself. */
import { ByteReader } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";

const HASH_BYTES = 32;
/** The form of status records. */
const STATUS_VERSION = 1;

/** A record of the status table. */
export type StatusRecord = {
  /** 1 invalid, 2 header only, 3 pending, 4 valid, 5 disqualified. */
  readonly stage: number;
  /** One per transaction after the coinbase: 0 unknown, 1 valid, 2 invalid. */
  readonly verdicts: Uint8Array;
  /** The code of a refusal, else empty. */
  readonly reason: string;
};

/** Reads a record of the status table. Errors: `codec/…`. */
export function readStatus(bytes: Uint8Array): StatusRecord {
  const reader = new ByteReader(bytes);
  const version = reader.u8();
  if (version !== STATUS_VERSION) {
    throw new SvcError("codec/version", { expected: STATUS_VERSION, found: version });
  }
  const stage = reader.u8();
  const verdicts = reader.block();
  const reason = readText(reader.take(reader.u16()));
  reader.finish();
  return { stage, verdicts, reason };
}

function readText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new SvcError("codec/bad-utf8", {}, error);
  }
}

/** The counters record: how many headers and bodies a store says it has. */
export type CountersRecord = { readonly headers: bigint; readonly bodies: bigint };

/** Reads the counters. Errors: `codec/…`. */
export function readCounters(bytes: Uint8Array): CountersRecord {
  const reader = new ByteReader(bytes);
  const counters = { headers: reader.u64(), bodies: reader.u64() };
  reader.finish();
  return counters;
}

/** The pruning record: where a store begins. */
export type PruningRecord = {
  /** The pruning point. */
  readonly point: string;
  /** Its number among all. */
  readonly index: bigint;
  /** The one that was swept last. */
  readonly swept: string;
  /** The lowest chain block whose scan record is held. */
  readonly historyBase: string;
  /** An import has not proved the state at the pruning point yet. */
  readonly isStateMissing: boolean;
};

const STATE_MISSING = 1;

/** Reads the pruning record. Errors: `codec/…`. */
export function readPruning(bytes: Uint8Array): PruningRecord {
  const reader = new ByteReader(bytes);
  const hash = (): string => encodeHex(reader.take(HASH_BYTES));
  const record = { point: hash(), index: reader.u64(), swept: hash(), historyBase: hash() };
  const flags = reader.u8();
  if (flags > STATE_MISSING) {
    throw new SvcError("codec/number-out-of-range", { text: `${flags}`, max: STATE_MISSING });
  }
  reader.finish();
  return { ...record, isStateMissing: flags === STATE_MISSING };
}

/** The plan record of a pruning: what is being deleted below a pruning point, and how far that has come. */
export type PlanRecord = {
  /** The pruning point. */
  readonly point: string;
  /** Its number among all. */
  readonly index: bigint;
  /** From 1 to `PHASE_DONE`. */
  readonly phase: number;
};

/** The form of plans. */
const PLAN_VERSION = 1;
/** The phase of a plan in which nothing is left to do. */
export const PHASE_DONE = 7;

/** Reads a plan up to its cursor. Errors: `codec/…`, `store/corrupt`. */
export function readPlan(bytes: Uint8Array): PlanRecord {
  const reader = new ByteReader(bytes);
  const found = reader.u8();
  if (found !== PLAN_VERSION) {
    throw new SvcError("codec/version", { expected: PLAN_VERSION, found });
  }
  const plan = { point: encodeHex(reader.take(HASH_BYTES)), index: reader.u64() };
  const phase = reader.u8();
  // The floor and the blue score of the segment; a cursor follows.
  reader.take(HASH_BYTES);
  reader.u64();
  if (phase < 1 || phase > PHASE_DONE) {
    throw new SvcError("store/corrupt", { table: "meta", reason: "pruning plan" });
  }
  return { ...plan, phase };
}
