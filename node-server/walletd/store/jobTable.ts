/** Work that lasts: what was asked, how far it is, how it ended. Ended jobs are kept for a while. */
import * as v from "valibot";
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { errorSchema } from "@svc/shared/wallet/state/paymentSchema.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { RowSeal } from "../../storage/rows/rowSeal.ts";
import { jsonCodec, type RowTable } from "../../storage/rows/rowTable.ts";
import { tellCounts, type TellFlaw } from "../../storage/rows/storeFlaw.ts";
import {
  countOf,
  keysFrom,
  numberKey,
  pairsFrom,
  nameKey,
  type StoreReader,
} from "../../storage/rows/storeKeys.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { sealedTable } from "./sealedTable.ts";
import { STORE_TABLES } from "./walletStoreLayout.ts";

/** What a job does. */
export type JobKind = "prove" | "send" | "sendMany" | "consolidate" | "rescan" | "payout";
/** Where a job stands; the last three are for ever. */
export type JobState = "waiting" | "running" | "done" | "failed" | "cancelled";

/** A job. */
export type JobRow = {
  /** 16 random bytes as hex. */
  readonly id: string;
  /** The wallet. */
  readonly token: string;
  readonly kind: JobKind;
  /** What was asked, in a form of its kind. */
  readonly request: string;
  /** The step it is at, in a word of its kind. */
  readonly phase: string;
  /** Parts that are done, and all of them; 0 of 0 before that is known. */
  readonly done: number;
  readonly total: number;
  readonly createdMs: TimestampMs;
  /** When it came to this state or step. */
  readonly updatedMs: TimestampMs;
  readonly state: JobState;
  /** What it ended with, in a form of its kind; null unless it is done. */
  readonly answer: string | null;
  /** Why it failed; null unless it did. */
  readonly error: ErrorJson | null;
};

const ID_BYTES = 16;
/** A state's place in keys is stored: new ones go to the end. */
const STATES: readonly JobState[] = ["waiting", "running", "done", "failed", "cancelled"];
const ENDED: readonly JobState[] = ["done", "failed", "cancelled"];
/** An index row has no content; its version is there for what may come. */
const INDEXED = Uint8Array.of(1);
const OPEN_FLAG = 0;
const ENDED_FLAG = 1;

const schema: v.GenericSchema<unknown, JobRow> = v.object({
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  token: v.string(),
  kind: v.picklist(["prove", "send", "sendMany", "consolidate", "rescan", "payout"]),
  request: v.string(),
  phase: v.string(),
  done: fields.u32,
  total: fields.u32,
  createdMs: fields.timestampMs,
  updatedMs: fields.timestampMs,
  state: v.picklist(["waiting", "running", "done", "failed", "cancelled"]),
  answer: v.nullable(v.string()),
  error: v.nullable(errorSchema),
});

/** True for a job that nothing happens to any more. */
export function hasEnded({ state }: Pick<JobRow, "state">): boolean {
  return ENDED.includes(state);
}

/** Hears of a job that is passed over, since it cannot be read. */
export type PassedOver = (id: string, error: SvcError) => void;

/** The jobs of all wallets. Reads throw as those of `RowTable` do, and `store/corrupt` for an index that names no job. */
export class JobTable {
  readonly #store: StoreReader;
  readonly #rows: RowTable<JobRow>;

  constructor(store: StoreReader, seal: RowSeal | null) {
    this.#store = store;
    this.#rows = sealedTable("jobs", jsonCodec(schema), seal);
  }

  /** A job, or undefined; also for a text that is no id. */
  get(id: string, reader: StoreReader = this.#store): JobRow | undefined {
    return /^[0-9a-f]{32}$/.test(id) ? this.#rows.get(reader, decodeHex(id)) : undefined;
  }

  /**
   * The jobs of a wallet: those that go on, the oldest first, then those that ended, in the order in which they did. With `passOver` none
   * throws `store/corrupt`.
   */
  *ofWallet(
    token: string,
    reader: StoreReader = this.#store,
    passOver: PassedOver | null = null,
  ): Generator<JobRow, void> {
    yield* this.#indexed(reader, STORE_TABLES.jobsByWallet, nameKey(token), passOver);
  }

  /** The jobs in a state, the oldest first. With `passOver` none throws `store/corrupt`. */
  *inState(state: JobState, passOver: PassedOver | null = null): Generator<JobRow, void> {
    yield* this.#indexed(this.#store, STORE_TABLES.jobsByState, stateKey(state), passOver);
  }

  /** How many jobs are in a state. No job is read for it. */
  countIn(state: JobState, reader: StoreReader = this.#store): number {
    let count = 0;
    for (const _ of pairsFrom(reader, STORE_TABLES.jobsByState, stateKey(state))) count += 1;
    return count;
  }

  /** Stores a job, new or changed. When it has ended, and too many of its wallet have, the one that ended first is forgotten. */
  put(batch: StoreBatch, job: JobRow): void {
    const before = this.get(job.id, batch);
    if (before !== undefined) this.#unindex(batch, before);
    this.#rows.put(batch, decodeHex(job.id), job);
    for (const { table, key } of indexKeys(job)) batch.put(table, key, INDEXED);
    if (hasEnded(job)) this.#forgetBeyond(batch, job.token);
  }

  /** Forgets a job. */
  delete(batch: StoreBatch, job: JobRow): void {
    this.#unindex(batch, job);
    this.#rows.delete(batch, decodeHex(job.id));
  }

  /** Forgets jobs that ended long ago, and returns how many: at most `storeExpiredRows`, after which there may be more. */
  expire(batch: StoreBatch, nowMs: TimestampMs): number {
    const until = nowMs - WALLETD_LIMITS.storeEndedJobMs;
    if (until < 0n) return 0;
    let left = WALLETD_LIMITS.storeExpiredRows;
    for (const state of ENDED) {
      const due = batch.range({
        table: STORE_TABLES.jobsByState,
        from: stateKey(state),
        to: concatBytes(stateKey(state), numberKey(until + 1n)),
        limit: left,
      });
      for (const { key } of due) this.delete(batch, this.#named(batch, key));
      left -= due.length;
    }
    return WALLETD_LIMITS.storeExpiredRows - left;
  }

  /** Checks all rows, and that both indexes agree with them. */
  audit(tell: TellFlaw): void {
    let expected = 0;
    for (const { key, row } of this.#rows.audit(this.#store, tell)) {
      expected += 1;
      if (encodeHex(key) !== row.id) tell("jobs", "a job under another key");
      const isIndexed = indexKeys(row).every(({ table, key: place }) =>
        this.#store.get(table, place),
      );
      if (!isIndexed) tell("jobs", `job ${row.id} is missing in an index`);
    }
    const { jobsByWallet, jobsByState } = STORE_TABLES;
    const [wallets, states] = [
      countOf(this.#store, jobsByWallet),
      countOf(this.#store, jobsByState),
    ];
    tellCounts(tell, "jobs_by_wallet", { found: wallets, expected });
    tellCounts(tell, "jobs_by_state", { found: states, expected });
  }

  /** Forgets the committed jobs of a wallet that is deleted. */
  deleteWallet(batch: StoreBatch, token: string): void {
    for (const job of this.ofWallet(token)) this.delete(batch, job);
  }

  *#indexed(
    reader: StoreReader,
    table: number,
    prefix: Uint8Array,
    passOver: PassedOver | null,
  ): Generator<JobRow, void> {
    for (const { key } of pairsFrom(reader, table, prefix)) {
      let job: JobRow;
      try {
        job = this.#named(reader, key);
      } catch (thrown) {
        if (passOver === null || !SvcError.is(thrown, "store/corrupt")) throw thrown;
        passOver(encodeHex(key.subarray(-ID_BYTES)), thrown);
        continue;
      }
      yield job;
    }
  }

  /** The job whose id an index key ends with. */
  #named(reader: StoreReader, key: Uint8Array): JobRow {
    const id = key.subarray(-ID_BYTES);
    const job = this.#rows.get(reader, id);
    if (job === undefined) throw this.#rows.corrupt(`no job ${encodeHex(id)}`);
    return job;
  }

  #unindex(batch: StoreBatch, job: JobRow): void {
    for (const { table, key } of indexKeys(job)) batch.put(table, key, null);
  }

  #forgetBeyond(batch: StoreBatch, token: string): void {
    const ended = concatBytes(nameKey(token), Uint8Array.of(ENDED_FLAG));
    const most = WALLETD_LIMITS.storeEndedJobs;
    const rows = batch.range({
      ...keysFrom(ended),
      table: STORE_TABLES.jobsByWallet,
      limit: most + 1,
    });
    for (const { key } of rows.slice(0, Math.max(0, rows.length - most))) {
      this.delete(batch, this.#named(batch, key));
    }
  }
}

function stateKey(state: JobState): Uint8Array {
  return Uint8Array.of(STATES.indexOf(state));
}

function indexKeys(job: JobRow): readonly { readonly table: number; readonly key: Uint8Array }[] {
  const ended = hasEnded(job);
  const place = concatBytes(numberKey(ended ? job.updatedMs : job.createdMs), decodeHex(job.id));
  const flag = Uint8Array.of(ended ? ENDED_FLAG : OPEN_FLAG);
  return [
    { table: STORE_TABLES.jobsByWallet, key: concatBytes(nameKey(job.token), flag, place) },
    { table: STORE_TABLES.jobsByState, key: concatBytes(stateKey(job.state), place) },
  ];
}
