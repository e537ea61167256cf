/**
 * Conformance run: loads a recorded chain through the engine's public calls, block by block, and compares every value that
 * the recording holds with what the engine computed.
 */
import { performance } from "node:perf_hooks";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue, RawEngine } from "@svc/shared/core/generated/coreGlue.ts";
import type { RawVerifier } from "@svc/shared/core/generated/proverGlue.ts";
import { readBlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import { readChainFacts } from "@svc/shared/protocol/facts/chainFacts.ts";
import { readShieldedFacts } from "@svc/shared/protocol/facts/shieldedFacts.ts";
import { encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import {
  readInsertOutcome,
  readResolveOutcome,
  type VerdictJob,
} from "@svc/node-server/engine/calls/engineFacts.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import { blockOf, type Corpus, type RecordedBlock, type Witnesses } from "./corpus.ts";
import { compareEvidence, type EvidenceCount } from "./compareEvidence.ts";
import { rowOfPage } from "./recordedRow.ts";

/** The result of a run. */
export type ConformanceReport = {
  readonly blocks: number;
  readonly chainBlocks: number;
  readonly states: number;
  /** Pieces of evidence of the chain blocks, which hold for who has nothing of the chain, and their bytes. */
  readonly evidencePieces: number;
  readonly evidenceBytes: number;
  readonly mismatches: number;
  /** Loading only: insertion, proofs and chain state; comparing is left out. */
  readonly blocksPerSecond: number;
  /** The first differences, in words. */
  readonly differences: readonly string[];
};

/** Dependencies of a run besides the corpus. */
export type ConformanceParts = {
  readonly core: CoreGlue;
  /** Builds the verifying key; called when the first payment arrives. */
  readonly verifier: () => Promise<RawVerifier>;
  readonly progress: (blocks: number) => void;
};

const SHOWN_DIFFERENCES = 20;
const PROGRESS_EVERY = 500;
const RESOLVE_BLOCKS = 64;

class Comparison {
  mismatches = 0;
  readonly differences: string[] = [];

  check(where: string, what: string, found: unknown, recorded: unknown): void {
    if (text(found) === text(recorded)) return;
    this.mismatches += 1;
    if (this.differences.length < SHOWN_DIFFERENCES) {
      this.differences.push(`${where} ${what}: ${text(found)}, recorded ${text(recorded)}`);
    }
  }
}

function text(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "bigint" ? String(item) : item,
  );
}

class Run {
  readonly comparison = new Comparison();
  readonly #parts: ConformanceParts;
  readonly #profile: string;
  readonly #engine: RawEngine;
  readonly #witnesses: Witnesses;
  #verifier: RawVerifier | null = null;

  constructor(parts: ConformanceParts, profileJson: string, witnesses: Witnesses) {
    this.#parts = parts;
    this.#witnesses = witnesses;
    this.#profile = callCore(() => parts.core.canonicalProfile(profileJson));
    const store = kvHostStore(new MemoryKv());
    this.#engine = callCore(() => new parts.core.Engine(store, this.#profile));
  }

  /** Hands in a block and moves virtual as far as it goes. */
  async load(recorded: RecordedBlock): Promise<void> {
    const { hash, timestamp } = recorded.header;
    const raw = this.#rawOf(recorded);
    const outcome = readInsertOutcome(callCore(() => this.#engine.insertBlock(raw, timestamp)));
    this.comparison.check(hash, "outcome", outcome.kind, "accepted");
    this.comparison.check(hash, "hash", outcome.hash, hash);
    if (outcome.kind === "accepted") await this.#judge(outcome.needVerdicts);
    for (let done = false; !done;) {
      const step = readResolveOutcome(callCore(() => this.#engine.resolve(RESOLVE_BLOCKS)));
      await this.#judge(step.needVerdicts);
      done = step.done;
    }
  }

  #rawOf(recorded: RecordedBlock): Uint8Array {
    return encodeRawBlock(blockOf(recorded, this.#witnesses));
  }

  async #judge(jobs: readonly VerdictJob[]): Promise<void> {
    for (const { block, index, txid, format } of jobs) {
      this.#verifier ??= await this.#parts.verifier();
      const verifier = this.#verifier;
      const raw = this.#engine.transactionBytes(block, index);
      if (raw === undefined) throw new Error(`${block} is not stored`);
      const fault = callCore(() => verifier.verifyTransaction(this.#profile, raw, format));
      callCore(() => this.#engine.noteVerdict(txid, format, fault === ""));
    }
  }

  /** Compares a block's place in the graph, once its own insertion is over. */
  compareBlock(recorded: RecordedBlock): void {
    const { header, verboseData, transactions } = recorded;
    const found = this.#engine.blockFacts(header.hash);
    if (found === undefined) return this.comparison.check(header.hash, "block", null, "present");
    const facts = readBlockFacts(found);
    const check = (what: string, value: unknown, expected: unknown): void =>
      this.comparison.check(header.hash, what, value, expected);
    check("disqualified", facts.status === "disqualified", false);
    check("selected parent", facts.selectedParent, verboseData.selectedParentHash);
    check("blues", facts.blues, verboseData.mergeSetBluesHashes);
    check("reds", facts.reds.toSorted(), verboseData.mergeSetRedsHashes.toSorted());
    check("blue score", facts.blueScore, header.blueScore);
    check("blue work", facts.blueWork, header.blueWork);
    check("DAA score", facts.daaScore, header.daaScore);
    const ids = transactions.map((transaction) => transaction.verboseData.transactionId);
    check("transaction ids", facts.txids, ids);
    this.#compareHashes(recorded);
  }

  #compareHashes(recorded: RecordedBlock): void {
    const raw = this.#engine.blockBytes(recorded.header.hash);
    if (raw === undefined) {
      return this.comparison.check(recorded.header.hash, "stored bytes", null, "present");
    }
    const expected = {
      hash: recorded.header.hash,
      txids: recorded.transactions.map((transaction) => transaction.verboseData.transactionId),
      txHashes: recorded.transactions.map((transaction) => transaction.verboseData.hash),
      computeMasses: recorded.transactions.map((transaction) =>
        String(transaction.verboseData.computeMass),
      ),
    };
    const found: unknown = JSON.parse(callCore(() => this.#parts.core.computeHashes(raw)));
    const sorted = (value: object): unknown =>
      Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    if (typeof found !== "object" || found === null) return;
    this.comparison.check(recorded.header.hash, "stored bytes", sorted(found), sorted(expected));
    const same = Buffer.from(raw).equals(Buffer.from(this.#rawOf(recorded)));
    this.comparison.check(recorded.header.hash, "stored bytes unchanged", same, true);
  }

  /** Compares chain membership, minted notes and applied payments. Returns the number of chain blocks. */
  async compareChain(corpus: Corpus): Promise<number> {
    let chainBlocks = 0;
    for await (const recorded of corpus.chain()) {
      chainBlocks += 1;
      const { hash } = recorded;
      const facts = this.#engine.chainFacts(hash);
      const onChain = this.#engine.chainIndexOf(hash) !== undefined;
      this.comparison.check(hash, "on the selected chain", onChain, true);
      if (facts === undefined || !onChain) continue;
      const applied = readChainFacts(facts).applied.map(({ txid }) => txid);
      this.comparison.check(hash, "applied set", applied, recorded.acceptedTxids);
      const row = rowOfPage(callCore(() => this.#engine.recordOf(hash)));
      for (const [key, value] of Object.entries(row)) {
        this.comparison.check(hash, key, value, Reflect.get(recorded, key));
      }
    }
    return chainBlocks;
  }

  /** Compares trees and supplies. Returns their number. */
  async compareStates(corpus: Corpus): Promise<number> {
    let states = 0;
    for await (const { blockHash, ...recorded } of corpus.states()) {
      states += 1;
      const facts = readShieldedFacts(callCore(() => this.#engine.shieldedFacts(blockHash)));
      for (const [key, value] of Object.entries(recorded)) {
        if (value !== undefined)
          this.comparison.check(blockHash, key, Reflect.get(facts, key), value);
      }
    }
    return states;
  }

  /** Judges what is served as evidence of each chain block. */
  compareEvidence(): EvidenceCount {
    return compareEvidence({
      core: this.#parts.core,
      engine: this.#engine,
      profileJson: this.#profile,
      check: (...difference) => this.comparison.check(...difference),
    });
  }

  /** Whether a block is on the selected chain must be the same for every block, not only for the listed ones. */
  compareMembership(recorded: RecordedBlock): void {
    const { hash } = recorded.header;
    const found = this.#engine.chainIndexOf(hash) !== undefined;
    this.comparison.check(hash, "chain membership", found, recorded.verboseData.isChainBlock);
  }
}

/** Runs a whole corpus. `complete` is false for a corpus cut short, whose recorded chain may end elsewhere. */
export async function runConformance(
  corpus: Corpus,
  parts: ConformanceParts,
  complete: boolean,
): Promise<ConformanceReport> {
  const run = new Run(parts, corpus.profile(), await corpus.witnesses());
  let blocks = 0;
  let loadingMs = 0;
  for await (const recorded of corpus.blocks()) {
    if (blocks > 0) {
      const started = performance.now();
      await run.load(recorded);
      loadingMs += performance.now() - started;
    }
    run.compareBlock(recorded);
    blocks += 1;
    if (blocks % PROGRESS_EVERY === 0) parts.progress(blocks);
  }
  const chainBlocks = await run.compareChain(corpus);
  const states = await run.compareStates(corpus);
  if (complete) for await (const recorded of corpus.blocks()) run.compareMembership(recorded);
  const { pieces: evidencePieces, bytes: evidenceBytes } = run.compareEvidence();
  const { mismatches, differences } = run.comparison;
  const blocksPerSecond = Math.round((blocks / Math.max(loadingMs, 1)) * 1000);
  const counts = { blocks, chainBlocks, states, evidencePieces, evidenceBytes };
  return { ...counts, mismatches, blocksPerSecond, differences };
}
