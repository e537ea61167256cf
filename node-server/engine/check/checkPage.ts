/** Consistency check in bounded pages of blocks: replays them, judges their proofs, compares their records. */
import { decodeHex } from "@svc/shared/base/hex.ts";
import { abortable } from "@svc/shared/base/abort.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { RawEngine, RawReader } from "@svc/shared/core/generated/coreGlue.ts";
import { readBlockFacts, type BlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import { consensusTable } from "../../storage/layout.ts";
import { BlockReplay } from "./blockReplay.ts";
import { readResolveOutcome, type VerdictJob } from "../calls/engineFacts.ts";
import type { ProofJob } from "../calls/engineMessages.ts";
import {
  readingAt,
  recordDifference,
  requireSame,
  sameBytes,
  storedRecord,
} from "./storeDifference.ts";
import { readStatus, type StatusRecord } from "./storedRecords.ts";

/** The two stores of a check. */
export type CheckedStores = {
  /** The store under check. */
  readonly stored: RawReader;
  /** An engine that began with nothing and is told the same blocks. */
  readonly computed: RawEngine;
};

/** Dependencies of the pages. */
export type CheckPageParts = CheckedStores & {
  /** Judges a proof, or null to take the verdicts of the store under check. */
  readonly judge: ((job: ProofJob) => Promise<boolean>) | null;
  /** Lets waiting messages in. */
  readonly pause: () => Promise<void>;
  readonly signal: AbortSignal;
};

const STATUS = consensusTable("status");
const META = consensusTable("meta");
const PRUNING = new TextEncoder().encode("pruning");
/** Written when a header is taken in, and the body. */
const BLOCK_TABLES = ["headers", "ghostdag", "daa_excluded", "depths", "bodies", "witnesses"].map(
  consensusTable,
);
/** Written when a block is judged as a chain block. */
const CHAIN_TABLES = [
  "acceptance",
  "chain_state",
  "nullifier_diffs",
  "lane_diffs",
  "scan_records",
  "chain_evidence",
  "openings",
].map(consensusTable);
const PENDING = 3;
const VALID = 4;
const DISQUALIFIED = 5;
const VERDICT_UNKNOWN = 0;
const VERDICT_INVALID = 2;

/** A block that was handed over: whether it is on the selected chain, and then what it merges. */
type FedBlock = {
  readonly hash: string;
  readonly onChain: boolean;
  readonly merged?: readonly string[];
};

/** Replays and compares blocks page by page. */
export class CheckPages {
  readonly #parts: CheckPageParts;
  readonly #feed: BlockReplay;
  #jobs: VerdictJob[] = [];
  /** Blocks handed over and not compared. */
  #blocks: FedBlock[] = [];
  /** How many of them were already there when the page began. */
  #kept = 0;
  #fed = 0;

  constructor(parts: CheckPageParts) {
    this.#parts = parts;
    this.#feed = new BlockReplay(parts.stored, parts.computed);
  }

  /** Blocks that were found to be the same. */
  get compared(): number {
    return this.#fed - this.#blocks.length;
  }

  /** Whether it is time to end the page. */
  get isFull(): boolean {
    const { checkPageBlocks, checkPageProofs } = ENGINE_LIMITS;
    return (
      this.#blocks.length - this.#kept >= checkPageBlocks || this.#jobs.length >= checkPageProofs
    );
  }

  /** Adds a block with what is missing of its past. Returns the blocks that are new. */
  add(hash: string): readonly string[] {
    const { blocks, jobs } = this.#feed.feed(hash);
    for (const block of blocks) this.#blocks.push({ hash: block, onChain: false });
    this.#fed += blocks.length;
    this.#jobs.push(...jobs);
    return blocks;
  }

  /** Adds a block of the selected chain with what is missing of its past, and says what it merges. */
  addChain(hash: string): { readonly fed: readonly string[]; readonly facts: BlockFacts } {
    const fed = this.add(hash);
    // Genesis is nobody's to hand over.
    if (fed.length === 0) this.#fed += 1;
    else this.#blocks.pop();
    const computed = callCore(() => this.#parts.computed.blockFacts(hash));
    if (computed === undefined) throw new SvcError("chain/unknown-block", { hash });
    const facts = readBlockFacts(computed);
    this.#blocks.push({ hash, onChain: true, merged: [...facts.blues, ...facts.reds] });
    return { fed: fed.length === 0 ? [hash] : fed, facts };
  }

  /**
   * Ends a page of the selected chain: virtual goes to the heaviest block. Below the `last` page that may be one beside
   * the chain, so that blocks of the chain are not judged yet; these are compared with the next page. Errors:
   * `verify/difference`, `run/aborted`.
   */
  async endChain({ last }: { readonly last: boolean }): Promise<void> {
    await this.#judge(this.#jobs.splice(0));
    await this.#resolve();
    const early = last ? [] : this.#blocks.filter((block) => this.#isEarly(block));
    await this.#compareAll(new Set(early));
  }

  /** Ends a page of blocks beside the selected chain. Errors: `verify/difference`, `run/aborted`. */
  async endBeside(): Promise<void> {
    await this.#judge(this.#jobs.splice(0));
    await this.#compareAll(new Set());
  }

  async #compareAll(early: ReadonlySet<FedBlock>): Promise<void> {
    callCore(() => this.#parts.computed.flush());
    for (const block of this.#blocks) if (!early.has(block)) this.#compare(block);
    this.#blocks = [...early];
    this.#kept = early.size;
    await this.#parts.pause();
  }

  #isEarly({ hash, onChain }: FedBlock): boolean {
    if (!onChain) return false;
    const own = callCore(() => this.#parts.computed.storedRecord(STATUS, decodeHex(hash)));
    return own !== undefined && readStatus(own).stage === PENDING;
  }

  /** Lets the pruning point catch up: it goes one step at a time. */
  async settle(): Promise<void> {
    const record = (): Uint8Array | undefined =>
      callCore(() => this.#parts.computed.storedRecord(META, PRUNING));
    for (let before = record(), after; ; before = after) {
      await this.#resolve();
      after = record();
      if (sameBytes(before, after)) return;
    }
  }

  async #judge(jobs: readonly VerdictJob[]): Promise<void> {
    const { computed, signal } = this.#parts;
    const verdicts = jobs.map(async (job) => ({ job, valid: await this.#verdict(job) }));
    for (const { job, valid } of await abortable(Promise.all(verdicts), signal)) {
      callCore(() => computed.noteVerdict(job.txid, job.format, valid));
    }
  }

  async #verdict({ block, index, txid, format }: VerdictJob): Promise<boolean> {
    const { stored, computed, judge } = this.#parts;
    if (judge === null) {
      const status = storedRecord(stored, STATUS, decodeHex(block));
      return status === undefined || readStatus(status).verdicts[index - 1] !== VERDICT_INVALID;
    }
    const raw = callCore(() => computed.transactionBytes(block, index));
    if (raw === undefined) throw new SvcError("store/missing", { table: "bodies", key: block });
    return judge({ txid, format, raw });
  }

  async #resolve(): Promise<void> {
    for (;;) {
      const outcome = readResolveOutcome(
        callCore(() => this.#parts.computed.resolve(ENGINE_LIMITS.resolveStepBlocks)),
      );
      await this.#judge(outcome.needVerdicts);
      if (outcome.done && outcome.needVerdicts.length === 0) return;
      await this.#parts.pause();
    }
  }

  #compare(block: FedBlock): void {
    const key = decodeHex(block.hash);
    for (const table of BLOCK_TABLES) this.#compareRecord(table, key);
    const { onChain, merged = [] } = block;
    const [stored, computed] = this.#compareStatus(key, { onChain, isMerged: onChain });
    for (const other of merged) {
      this.#compareStatus(decodeHex(other), { onChain: false, isMerged: true });
    }
    if (stored.stage !== VALID || computed.stage !== VALID) return;
    for (const table of CHAIN_TABLES) this.#compareRecord(table, key);
  }

  #compareRecord(table: number, key: Uint8Array): void {
    const { stored, computed } = this.#parts;
    const own = callCore(() => computed.storedRecord(table, key));
    requireSame({ table, key }, storedRecord(stored, table, key), own);
  }

  /** Beside the chain it depends on the order of arrival whether a block was ever judged. */
  #compareStatus(
    key: Uint8Array,
    { onChain, isMerged }: { readonly onChain: boolean; readonly isMerged: boolean },
  ): readonly [StatusRecord, StatusRecord] {
    const place = { table: STATUS, key };
    const bytes = storedRecord(this.#parts.stored, STATUS, key);
    const own = callCore(() => this.#parts.computed.storedRecord(STATUS, key));
    if (bytes === undefined || own === undefined) throw recordDifference(place, bytes, own);
    const pair = [readingAt(place, () => readStatus(bytes)), readStatus(own)] as const;
    const [stored, computed] = pair;
    const judged = pair.every(({ stage }) => stage === VALID || stage === DISQUALIFIED);
    const agree =
      judged || onChain
        ? stored.stage === computed.stage && stored.reason === computed.reason
        : stored.stage >= PENDING;
    if (!agree || !sameVerdicts(pair, isMerged)) throw recordDifference(place, bytes, own);
    return pair;
  }
}

/** The verdicts of a merged block are known; one that nobody merged may wait for them. */
function sameVerdicts([a, b]: readonly [StatusRecord, StatusRecord], isMerged: boolean): boolean {
  if (a.verdicts.length !== b.verdicts.length) return false;
  return a.verdicts.every((verdict, index) => {
    const other = b.verdicts[index] ?? VERDICT_UNKNOWN;
    if (verdict === other) return true;
    return !isMerged && (verdict === VERDICT_UNKNOWN || other === VERDICT_UNKNOWN);
  });
}
