/**
 * The step "on the chain": a block by its place in the anchor log of a state under headers whose work the visitor's browser recomputed
 * (docs/light-client.md). Blocks that no log has are shown by the headers above them alone, while these are in reach.
 */
import { asBlockHash, parseHash32, type BlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readProfile, type NetworkProfile } from "@svc/shared/chain/profile.ts";
import { checkpointOf } from "@svc/shared/light/checkpointOf.ts";
import { CoreJudge, type ProvedTipFacts } from "@svc/shared/light/coreJudge.ts";
import { logFromOf } from "@svc/shared/light/logFromOf.ts";
import { tipEvidence } from "@svc/shared/light/tipEvidence.ts";
import { blocksOfWork } from "@svc/shared/light/workBlocks.ts";
import type { EasedWork } from "@svc/shared/light/yardstick.ts";
import { supplyProof } from "@svc/shared/protocol/facts/checkProofs.ts";
import { PAGE_LIMITS } from "../../../pageLimits.ts";
import type { CheckContext } from "../checkContext.ts";
import {
  CHAIN_STEP,
  openStep,
  type ChainPlace,
  type CheckedFacts,
  type CheckStep,
} from "../checkReport.ts";
import { readDocument } from "../checkSource.ts";
import type { ChainReason } from "./chainReason.ts";
import type { ShownTip } from "./chainTips.ts";
import { chainYardstick } from "./chainYardstick.ts";

/** Depths of states for blocks that are younger than the first one: each block gets the deepest that has it. */
const YOUNG_DEPTHS: readonly bigint[] = [40n, 10n, 1n];

/** A block whose bytes have its hash, as far as its place on the chain needs it. */
export type ChainBlock = Pick<
  CheckedFacts,
  "hash" | "parents" | "bits" | "timestamp" | "daaScore" | "blueScore"
>;

/** What a server's refusal of evidence says. */
const REFUSALS: Readonly<Record<string, ChainReason>> = {
  "chain/pruned": "evidencePruned",
  "chain/unknown-block": "leftChain",
  "evidence/not-member": "notInLog",
};
/** Faults by which headers show less work than the network has. */
const EASY: ReadonlySet<string> = new Set([
  "evidence/below-level",
  "evidence/too-easy",
  "evidence/too-few-headers",
  "header/invalid-pow",
]);

/** Looks for the block in what the server shows of its chain. `subject`: which block it is. Rejects with defects alone. */
export async function chainStep(
  context: CheckContext,
  block: ChainBlock,
  subject: string,
): Promise<CheckStep> {
  const search = new ChainSearch(context, block, AbortSignal.timeout(PAGE_LIMITS.checkChainMs));
  if (!search.asksForWork) return open(subject, "noWork");
  if (block.parents.length === 0) return open(subject, "firstBlock");
  try {
    return await search.step(subject);
  } catch (error) {
    if (error instanceof Refusal) return open(subject, error.reason);
    if (error instanceof SvcError) return falseStep(subject, error.code);
    throw error;
  }
}

function open(subject: string, reason: ChainReason): CheckStep {
  return openStep(subject, CHAIN_STEP, reason);
}

function falseStep(subject: string, code: string): CheckStep {
  const reason: ChainReason = EASY.has(code) ? "chainEasy" : "chainFalse";
  const step = { subject, step: CHAIN_STEP, outcome: "differs", reason } as const;
  return { ...step, expected: "evidence that holds", found: code };
}

/** The server did not give what is needed: no difference. */
class Refusal extends Error {
  readonly reason: ChainReason;

  constructor(reason: ChainReason) {
    super(reason);
    this.reason = reason;
  }
}

/** The search for one block. */
class ChainSearch {
  readonly #context: CheckContext;
  readonly #profile: NetworkProfile;
  readonly #block: ChainBlock;
  readonly #hash: BlockHash;
  readonly #signal: AbortSignal;
  readonly #judge: CoreJudge;
  readonly #yardstick: EasedWork;

  constructor(context: CheckContext, block: ChainBlock, signal: AbortSignal) {
    this.#context = context;
    this.#profile = readProfile(context.profileJson);
    this.#block = block;
    this.#hash = asBlockHash(parseHash32(block.hash));
    this.#signal = signal;
    this.#judge = new CoreJudge(context.core, context.profileJson);
    this.#yardstick = chainYardstick(checkpointOf(context.profileDigest), block, context.nowMs());
  }

  get asksForWork(): boolean {
    return !this.#profile.skipProofOfWork;
  }

  async step(subject: string): Promise<CheckStep> {
    const logFrom = logFromOf(this.#profile);
    if (logFrom === null) return this.#linked(subject, "noLog");
    if (BigInt(this.#block.daaScore) < logFrom) return this.#linked(subject, "beforeLog");
    return this.#member(subject, await this.#tip());
  }

  /** The tip whose state is the deepest that may have the block in its log. */
  async #tip(): Promise<ShownTip> {
    const { tips } = this.#context;
    const score = BigInt(this.#block.blueScore);
    // A chain that is shorter than the depth may have no such state.
    const first = await asked(tips.first(this.#signal)).catch(nullWhenPruned);
    if (first !== null && first.named.blueScore >= score) return first;
    const under = first === null ? 1n : first.named.sinkBlueScore - score;
    const depth = YOUNG_DEPTHS.find((one) => one <= under) ?? 1n;
    const young = await asked(tips.at(depth, this.#signal));
    if (young.named.blueScore < score) throw new Refusal("youngBlock");
    return young;
  }

  async #member(subject: string, { named, evidence }: ShownTip): Promise<CheckStep> {
    const { port } = this.#context.tips;
    const [shown, membership] = await asked(
      Promise.all([evidence(this.#signal), port.membership(this.#hash, named.block, this.#signal)]),
    );
    const { tip, member } = this.#judge.member(this.#yardstick.floor, shown, membership);
    if (member.block !== this.#hash) return this.#other(subject, member.block);
    const number = member.index + 1n;
    // The log ends at the opened state; one block stands between that and the run.
    const between = (tip.state.logCount ?? number) - number + 1n;
    const isSinceFork = logFromOf(this.#profile) !== 0n;
    const place = { number: String(number), isSinceFork, ...this.#above(between, tip) };
    return { subject, step: CHAIN_STEP, outcome: "ok", reason: "inLog", place };
  }

  /** By the headers above it, without a log: the state after the block itself is opened. */
  async #linked(subject: string, otherwise: ChainReason): Promise<CheckStep> {
    const { tips } = this.#context;
    const { named } = await asked(tips.at(1n, this.#signal));
    const under = named.sinkBlueScore - BigInt(this.#block.blueScore);
    if (under > PAGE_LIMITS.checkTipBlocks) throw new Refusal(otherwise);
    const blocks = { block: this.#hash, child: await this.#child(), sink: named.sink };
    const shown = await asked(tipEvidence(tips.port, blocks, this.#signal));
    const tip = this.#judge.opened(this.#yardstick.floor, shown);
    if (tip.state.block !== this.#hash) return this.#other(subject, tip.state.block);
    const place = { number: null, isSinceFork: false, ...this.#above(1n, tip) };
    return { subject, step: CHAIN_STEP, outcome: "ok", reason: "linked", place };
  }

  /** The chain block above it, by the server's word. */
  async #child(): Promise<BlockHash> {
    const path = `/info/supply/${this.#hash}`;
    const document = await asked(this.#context.source.json(path));
    const { child } = readDocument(supplyProof, document, path);
    if (child === null) throw new Refusal("youngBlock");
    return asBlockHash(parseHash32(child));
  }

  /** What the server shows is about another block. */
  #other(subject: string, found: string): CheckStep {
    const reason: ChainReason = "chainOther";
    const step = { subject, step: CHAIN_STEP, outcome: "differs", reason } as const;
    return { ...step, expected: this.#hash, found };
  }

  /** `between`: chain blocks above the block, up to where the run begins. */
  #above(between: bigint, { work }: ProvedTipFacts): Pick<ChainPlace, "above" | "workMs"> {
    const { targetTimePerBlockMs } = this.#profile;
    const blocks = blocksOfWork(work, this.#yardstick.unit);
    return {
      above: String(between + work.blocks),
      workMs: String(blocks * BigInt(targetTimePerBlockMs)),
    };
  }
}

/** An answer of the server. Rejects with `Refusal` for whatever it does not give. */
async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    throw new Refusal(REFUSALS[error.code] ?? "noEvidence");
  }
}

function nullWhenPruned(error: unknown): null {
  if (error instanceof Refusal && error.reason === REFUSALS["chain/pruned"]) return null;
  throw error;
}
