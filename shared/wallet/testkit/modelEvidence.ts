/**
 * Evidence of a `ChainModel`: a source that serves what a chain holds, and a judge that knows the true chain as work and commitments
 * would show it. A claim about anything else is refused with the code of the core's judge.
 */
import {
  asAnchor,
  asBlockHash,
  asHash32,
  asTimestampMs,
  type BlockHash,
  type BlueScore,
} from "../../base/brand.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import type {
  EvidenceJudge,
  ProvedStateFacts,
  ProvedTipFacts,
  WorkFloor,
} from "../../light/coreJudge.ts";
import type {
  EvidencePort,
  MemberEvidence,
  NullifierPart,
  TipEvidence,
} from "../../light/evidencePort.ts";
import type { MemberFacts } from "../../protocol/facts/evidenceFacts.ts";
import { requireWork } from "../../light/requireWork.ts";
import { workOfBits } from "../../light/workBlocks.ts";
import type { EvidenceParts } from "../state/ports.ts";
import type { ChainModel } from "./chainModel.ts";
import { modelMultiply } from "./modelLedger.ts";
import { FoldTree } from "./ports.ts";

/** Bits of every header of a model. */
export const MODEL_BITS = 0x1d00ffff;

/** The digest of the model's product: its digits, of nothing zeros. */
export function modelDigest(product: string): string {
  return product.padStart(64, "0");
}

/** A state as the model's openings tell it. */
export type ModelState = {
  readonly block: string;
  readonly child: string;
  readonly treeRoot: string;
  readonly product: string;
  readonly minted: string;
  readonly blueScore: string;
};

type ModelRun = { readonly from: string; readonly to: string; readonly bits: number };

/** Serves evidence of one chain; what is asked for is kept as text. */
export class ModelEvidence implements EvidencePort {
  readonly asked: string[] = [];
  readonly model: ChainModel;
  /** Thrown by every call while it stands there. */
  fault: SvcError | null = null;
  /** How many blocks below the one asked for a run ends, as those of a block level do. */
  short = 0;

  constructor(model: ChainModel) {
    this.model = model;
  }

  async opening(of: BlockHash, part: NullifierPart, _signal?: AbortSignal): Promise<Uint8Array> {
    this.#enter(`opening ${of} ${part}`);
    return bytesOf(this.stateOf(of));
  }

  async membership(of: BlockHash, at: BlockHash, _signal?: AbortSignal): Promise<Uint8Array> {
    this.#enter(`membership ${of} ${at}`);
    this.#place(of);
    return bytesOf({ of, at });
  }

  async run(from: BlockHash, to: BlockHash, _signal?: AbortSignal): Promise<Uint8Array> {
    this.#enter(`run ${from} ${to}`);
    const low = this.#place(from);
    const high = this.#place(to) - this.short;
    const end = high > low ? (this.model.at(high)?.hash ?? to) : to;
    return bytesOf({ from, to: end, bits: MODEL_BITS } satisfies ModelRun);
  }

  /** The state after a block. */
  stateOf(of: string): ModelState {
    const index = this.#place(of);
    const block = this.model.at(index);
    const child = this.model.at(index + 1);
    if (child === undefined) throw new SvcError("chain/unknown-block", { hash: of });
    const leaves = new FoldTree(decodeHex(this.model.leavesUpTo(index)));
    const blocks = Array.from({ length: index }, (_, at) => this.model.at(at + 1));
    return {
      block: of,
      child: child.hash,
      treeRoot: encodeHex(leaves.root(leaves.size())),
      product: modelMultiply(blocks.flatMap((past) => (past?.spent ? [past.spent] : []))),
      minted: String(blocks.reduce((sum, past) => sum + (past?.minted ?? 0n), 0n)),
      blueScore: String(block?.blueScore ?? 0n),
    };
  }

  #place(hash: string): number {
    const index = this.model.indexOf(hash);
    if (index === undefined) throw new SvcError("chain/unknown-block", { hash });
    return index;
  }

  #enter(question: string): void {
    this.asked.push(question);
    if (this.fault !== null) throw this.fault;
  }
}

/** Knows the true chain, and refuses claims about another one. */
export class ModelJudge implements EvidenceJudge {
  readonly #truth: ModelEvidence;
  readonly floors: (WorkFloor | null)[] = [];

  constructor(truth: ChainModel) {
    this.#truth = new ModelEvidence(truth);
  }

  tip(floor: WorkFloor | null, evidence: TipEvidence): ProvedTipFacts {
    return requireWork(this.opened(floor, evidence), true);
  }

  opened(floor: WorkFloor | null, { opening, run }: TipEvidence): ProvedTipFacts {
    this.floors.push(floor);
    const claimed: ModelRun = claimOf(run);
    const { model } = this.#truth;
    const [from, to] = [model.indexOf(claimed.from), model.indexOf(claimed.to)];
    const tip = to === undefined ? undefined : model.at(to);
    if (from === undefined || to === undefined || tip === undefined) {
      throw new SvcError("header/invalid-pow", { value: "0", target: "0", witness: "none" });
    }
    const proved = this.#state(opening);
    if (proved.state.child !== claimed.from) {
      const data = { expected: proved.state.child, found: claimed.from };
      throw new SvcError("evidence/other-header", data);
    }
    const blocks = BigInt(to - from);
    const work = {
      base: asBlockHash(claimed.from),
      tip: tip.hash,
      blocks,
      work: (workOfBits(claimed.bits) * blocks).toString(16),
      blocksOfTip: blocks,
      bits: claimed.bits,
      timestamp: tip.timestamp,
      daaScore: tip.daaScore,
      blueScore: tip.blueScore,
    };
    return { ...proved, work };
  }

  older(floor: WorkFloor | null, evidence: TipEvidence, older: MemberEvidence) {
    const tip = this.tip(floor, evidence);
    return { tip, older: this.#state(older.opening) };
  }

  members(
    floor: WorkFloor | null,
    evidence: TipEvidence,
    paths: readonly Uint8Array[],
  ): readonly (MemberFacts | SvcError)[] {
    const { state } = this.tip(floor, evidence);
    return paths.map((path) => this.#member(claimOf(path), state.block));
  }

  #member({ of, at }: { readonly of: string; readonly at: string }, block: string) {
    const { model } = this.#truth;
    const [index, top] = [model.indexOf(of), model.indexOf(block)];
    const found = index === undefined ? undefined : model.at(index);
    const isBelow = index !== undefined && top !== undefined && index <= top && at === block;
    if (found === undefined || index === undefined || !isBelow) {
      return new SvcError("evidence/not-member", { index: 0n, count: 0n });
    }
    return {
      index: BigInt(index),
      block: found.hash,
      parent: asBlockHash(model.at(index - 1)?.hash ?? ""),
      treeRoot: asAnchor("00".repeat(32)),
      blueScore: found.blueScore,
    };
  }

  #state(opening: Uint8Array): ProvedStateFacts {
    const claimed: ModelState = claimOf(opening);
    const expected = this.#truth.stateOf(claimed.block);
    if (JSON.stringify(expected) !== JSON.stringify(claimed)) {
      const data = { expected: expected.treeRoot, found: claimed.treeRoot };
      throw new SvcError("evidence/other-state", data);
    }
    const state = {
      block: asBlockHash(claimed.block),
      child: asBlockHash(claimed.child),
      treeRoot: asAnchor(claimed.treeRoot),
      nullifierRoot: asHash32(modelDigest(claimed.product)),
      cumulativeCoinbase: BigInt(claimed.minted),
      cumulativeFees: 0n,
      logCount: 1n,
      blueScore: this.#blueScoreOf(claimed.block),
    };
    return { state, product: claimed.product };
  }

  #blueScoreOf(hash: string): BlueScore | null {
    const index = this.#truth.model.indexOf(hash);
    return index === undefined ? null : (this.#truth.model.at(index)?.blueScore ?? null);
  }
}

/** Evidence parts of a wallet whose node serves `source`, on a chain that truly is `truth`. */
export function modelEvidence(source: EvidencePort, truth: ChainModel): EvidenceParts {
  return {
    source,
    judge: new ModelJudge(truth),
    multiply: modelMultiply,
    digest: modelDigest,
    logFrom: 0n,
    checkpoint: { bits: MODEL_BITS, timestamp: asTimestampMs(0n) },
  };
}

/** The bytes of a claim. */
export function bytesOf(claim: object): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(claim));
}

function claimOf(bytes: Uint8Array) {
  return JSON.parse(new TextDecoder().decode(bytes));
}
