/**
 * Evidence in a conformance run: what the engine serves of every chain block, judged as somebody judges it who holds nothing
 * of the chain (docs/light-client.md).
 */
import { callCore } from "@svc/shared/core/callCore.ts";
import type {
  CoreGlue,
  RawEngine,
  RawEvidenceJudge,
  RawProvedState,
  RawProvedTip,
} from "@svc/shared/core/generated/coreGlue.ts";
import {
  readMemberFacts,
  readStateFacts,
  readWorkFacts,
  type StateFacts,
} from "@svc/shared/protocol/facts/evidenceFacts.ts";
import { readShieldedFacts } from "@svc/shared/protocol/facts/shieldedFacts.ts";

/** What evidence was served and judged. */
export type EvidenceCount = {
  /** Openings, runs and memberships. */
  readonly pieces: number;
  readonly bytes: number;
};

/** Dependencies of the comparison. */
export type EvidenceParts = {
  readonly core: CoreGlue;
  readonly engine: RawEngine;
  readonly profileJson: string;
  /** Notes a difference between what was proved and what the engine says. */
  readonly check: (where: string, what: string, found: unknown, expected: unknown) => void;
};

/** Chain blocks that the run above each block goes over; its length is no matter of the recording. */
const RUN = 12;

/** Judges the evidence of every chain block between genesis and the tip. Errors: `evidence/*` for a piece that does not hold. */
export function compareEvidence(parts: EvidenceParts): EvidenceCount {
  const judge = callCore(() => new parts.core.EvidenceJudge(parts.profileJson, undefined, 0));
  try {
    return new EvidenceComparison(parts, judge).run();
  } finally {
    judge.free();
  }
}

class EvidenceComparison {
  readonly #parts: EvidenceParts;
  readonly #judge: RawEvidenceJudge;
  readonly #chain: readonly string[];
  #pieces = 0;
  #bytes = 0;

  constructor(parts: EvidenceParts, judge: RawEvidenceJudge) {
    this.#parts = parts;
    this.#judge = judge;
    this.#chain = chainOf(parts.engine);
  }

  run(): EvidenceCount {
    // Of a chain cut so short there is no state with work above.
    if (this.#chain.length < 3) return { pieces: 0, bytes: 0 };
    const top = this.#tipAt(this.#chain.length - 3);
    // The state after genesis is empty, which everybody knows.
    for (let index = 1; index + 1 < this.#chain.length; index += 1) {
      const tip = this.#tipAt(index);
      const state = stateOf(tip);
      tip.free();
      this.#compareState(index, state);
      if (state.logCount !== null && index + 2 < this.#chain.length) this.#comparePlace(index, top);
    }
    top.free();
    return { pieces: this.#pieces, bytes: this.#bytes };
  }

  #at(index: number): string {
    return this.#chain[Math.min(index, this.#chain.length - 1)] ?? "";
  }

  #piece(make: () => Uint8Array): Uint8Array {
    const bytes = callCore(make);
    this.#pieces += 1;
    this.#bytes += bytes.length;
    return bytes;
  }

  /** The state after a chain block with the work above it. */
  #tipAt(index: number): RawProvedTip {
    const { engine, check } = this.#parts;
    const [block, child, to] = [this.#at(index), this.#at(index + 1), this.#at(index + 1 + RUN)];
    const opening = this.#piece(() => engine.evidenceOpening(block, true));
    const run = this.#piece(() => engine.evidenceRun(child, to));
    const tip = callCore(() => this.#judge.tip(opening, run));
    const work = readWorkFacts(tip.work());
    check(block, "run", [work.base, work.tip], [child, to]);
    return tip;
  }

  #compareState(index: number, state: StateFacts): void {
    const { engine, check } = this.#parts;
    const block = this.#at(index);
    check(block, "opened state", [state.block, state.child], [block, this.#at(index + 1)]);
    const { root } = readShieldedFacts(callCore(() => engine.shieldedFacts(block)));
    check(block, "opened tree root", state.treeRoot, root);
  }

  /** The place of a block in the log of a tip, and the state before it that this proves. */
  #comparePlace(index: number, tip: RawProvedTip): void {
    const { engine, check } = this.#parts;
    const [before, block] = [this.#at(index - 1), this.#at(index)];
    const { block: at } = stateOf(tip);
    const path = this.#piece(() => engine.evidenceMembership(block, at));
    const member = readMemberFacts(callCore(() => this.#judge.member(tip, path)));
    check(block, "member", [member.parent, member.block], [before, block]);
    if (index === 1) return;
    const opening = this.#piece(() => engine.evidenceOpening(before, false));
    const older = callCore(() => this.#judge.older(tip, path, opening));
    check(before, "older state", readFreed(older).block, before);
  }
}

function stateOf(tip: RawProvedTip): StateFacts {
  return readFreed(tip.state());
}

function readFreed(state: RawProvedState): StateFacts {
  const facts = readStateFacts(state.facts());
  state.free();
  return facts;
}

function chainOf(engine: RawEngine): string[] {
  const chain: string[] = [];
  for (;;) {
    const hash = engine.chainHashAt(BigInt(chain.length));
    if (hash === undefined) return chain;
    chain.push(hash);
  }
}
