/**
 * Check of what a block of the chain is shown to have merged, applied and dropped. Its header commits to what it merged and accepted; the
 * note tree after it, in the coinbase of the block above, to what moved value. Which payment is which, the blocks that carry them show.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { acceptanceProof, type AcceptanceProof } from "@svc/shared/protocol/facts/checkProofs.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import type { CheckContext } from "./checkContext.ts";
import {
  holds,
  openStep,
  readBlockReport,
  readSteps,
  type CheckedFacts,
  type CheckStep,
} from "./checkReport.ts";
import { readDocument } from "./checkSource.ts";
import { listText, sameStep, type ShownBlock } from "./compareShown.ts";

/** Subnetwork of coinbases. */
const COINBASE_LANE = `01${"00".repeat(19)}`;
/** Steps about the chain block that its own check has said already, or that are about its coinbase alone. */
const OWN_SUBJECTS: ReadonlySet<string> = new Set(["carrier", "transaction"]);

type Judged = {
  readonly txid: string;
  readonly block: string;
  readonly effect: "applied" | "dropped";
};

/** A block whose bytes have its hash and carry the transactions that its header names. */
export type SoundBlock = { readonly facts: CheckedFacts; readonly bytes: Uint8Array };

/** The steps. Nothing that the server withholds is a difference. Throws `codec/bad-json`. */
export async function judgedSteps(
  context: CheckContext,
  shown: ShownBlock,
  own: SoundBlock,
): Promise<readonly CheckStep[]> {
  const { facts } = own;
  const table = tableOf(shown);
  if (!shown.verboseData.isChainBlock && table === null) {
    return [
      openStep("shown", "selectedParentHash", "besideChain"),
      openStep("shown", "mergeset", "besideChain"),
    ];
  }
  if (facts.parents.length === 0) {
    // The first block stands on nothing.
    const judged = (table ?? []).map(({ txid }) => txid);
    return [
      sameStep("mergeset", "", listText(mergesetOf(shown))),
      sameStep("judged", "", listText(judged)),
    ];
  }
  const told = await chainBlockProof(context, own);
  if (told === null) return unknown(table, "notServed");
  const { steps, proof, parent } = told;
  const isSequenced =
    holds(steps, "accepting", "parent") && holds(steps, "accepting", "sequencing");
  const said = steps
    .filter(({ subject }) => !OWN_SUBJECTS.has(subject))
    .map((step) => (step.subject === "accepting" ? { ...step, subject: "block" } : step));
  if (!isSequenced || parent === null) {
    const reason = proof.lanes === null ? "lanesUnknown" : "stateNotShown";
    return [...said, ...unknown(table, reason)];
  }
  const judged = await judgedStep(context, { proof, steps, table });
  return [...said, ...mergeSteps(shown, { facts, parent, proof }), ...judged];
}

/** The payments that the page shows as judged; null where it shows no table. */
function tableOf({ extra: { applied, dropped } }: ShownBlock): readonly Judged[] | null {
  if (applied === null) return null;
  const as = (effect: Judged["effect"]) => (one: (typeof applied)[number]) => ({
    txid: one.transaction_id,
    block: one.block_hash,
    effect,
  });
  return [...applied.map(as("applied")), ...(dropped ?? []).map(as("dropped"))];
}

function unknown(table: readonly Judged[] | null, reason: string): readonly CheckStep[] {
  const names = table === null ? ["mergeset"] : ["mergeset", "judged"];
  return names.map((step) => openStep("shown", step, reason));
}

/** What a node tells of a chain block, and what of it holds. */
export type ChainBlockProof = {
  readonly steps: readonly CheckStep[];
  readonly proof: AcceptanceProof;
  /** Null where its bytes are no block. */
  readonly parent: CheckedFacts | null;
};

/** What the node tells of a chain block, held against headers; null where it does not tell it. Throws `codec/bad-json`. */
export async function chainBlockProof(
  context: CheckContext,
  { facts: { hash, transactions }, bytes }: SoundBlock,
): Promise<ChainBlockProof | null> {
  const { core, source, profileJson } = context;
  const path = `/blocks/${hash}/acceptance`;
  const document = await served(source.json(path));
  if (document === null) return null;
  const proof = readDocument(acceptanceProof, document, path);
  const bytesAt = (of: string) => served(source.bytes(`/blocks/${of}/bytes`));
  const [parent, child] = await Promise.all([
    bytesAt(proof.selectedParent),
    proof.child === null ? null : bytesAt(proof.child),
  ]);
  if (parent === null) return null;
  const claim = { txid: transactions[0]?.txid ?? "", carrier: hash, isApplied: true };
  const [claimJson, proofJson] = [JSON.stringify(claim), JSON.stringify(proof)];
  const steps = readSteps(
    callCore(() =>
      core.checkAcceptance(
        profileJson,
        claimJson,
        proofJson,
        bytes,
        bytes,
        parent,
        child ?? undefined,
      ),
    ),
  );
  return { steps, proof, parent: soundFacts(context, proof.selectedParent, parent) };
}

/** An answer; null where the server does not give it: what is pruned or refused is no lie. Rejects else. */
async function served<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    const isWithheld =
      SvcError.is(error, "http/not-found") || SvcError.is(error, "wallet/node-unreachable");
    if (isWithheld) return null;
    throw error;
  }
}

/** A block by its hash; null where the server does not give it, or gives another. */
export async function servedBlock(context: CheckContext, hash: string): Promise<SoundBlock | null> {
  const bytes = await served(context.source.bytes(`/blocks/${hash}/bytes`));
  const facts = bytes === null ? null : soundFacts(context, hash, bytes);
  return bytes === null || facts === null ? null : { facts, bytes };
}

function soundFacts(
  { core, profileJson }: CheckContext,
  hash: string,
  bytes: Uint8Array,
): CheckedFacts | null {
  const { steps, facts } = readBlockReport(
    callCore(() => core.checkBlock(profileJson, hash, bytes)),
  );
  const isSound = holds(steps, "block", "headerHash") && holds(steps, "block", "merkleRoot");
  return isSound ? facts : null;
}

function mergesetOf({ verboseData }: ShownBlock): readonly string[] {
  return [...verboseData.mergeSetBluesHashes, ...verboseData.mergeSetRedsHashes].toSorted();
}

type Merged = {
  readonly facts: CheckedFacts;
  readonly parent: CheckedFacts;
  readonly proof: AcceptanceProof;
};

/** The header commits to the merged blocks, and by its blue score to how many of them are blue, but not to which. */
function mergeSteps(shown: ShownBlock, { facts, parent, proof }: Merged): readonly CheckStep[] {
  const merged = proof.merged.map(({ hash }) => hash).toSorted();
  const blues = BigInt(facts.blueScore) - BigInt(parent.blueScore);
  return [
    sameStep("mergeset", listText(merged), listText(mergesetOf(shown))),
    sameStep("blueCount", String(blues), String(shown.verboseData.mergeSetBluesHashes.length)),
  ];
}

type Table = {
  readonly proof: AcceptanceProof;
  readonly steps: readonly CheckStep[];
  readonly table: readonly Judged[] | null;
};

/** Whether the table has every payment that the block accepted, each with its effect. */
async function judgedStep(
  context: CheckContext,
  { proof, steps, table }: Table,
): Promise<readonly CheckStep[]> {
  if (table === null) return [];
  const accepted = proof.accepted.filter(({ lane }) => lane !== COINBASE_LANE);
  const whole = sameStep(
    "judged",
    listText(accepted.map(({ txid }) => txid).toSorted()),
    listText(table.map(({ txid }) => txid).toSorted()),
  );
  if (whole.outcome !== "ok" || table.length === 0) return [whole];
  const words = table.some(({ effect }) => effect === "dropped")
    ? [openStep("shown", "dropReasons", "nodesWord")]
    : [];
  // The coinbase's own effect is proven by the very steps that prove those of the payments.
  if (!holds(steps, "transaction", "outcome")) {
    const reason = proof.child === null ? "noBlockAbove" : "stateNotShown";
    return [openStep("shown", "judged", reason), ...words];
  }
  return [await effectsStep(context, proof, table), ...words];
}

/** The effects that the commitments of the payments have among those that the tree grew by. */
async function effectsStep(
  context: CheckContext,
  proof: AcceptanceProof,
  table: readonly Judged[],
): Promise<CheckStep> {
  const carriers = new Map<string, CheckedFacts | null>();
  const hashes = [...new Set(table.map(({ block }) => block))];
  if (hashes.length > PAGE_LIMITS.checkCarriers) return openStep("shown", "judged", "tooMany");
  for (const hash of hashes) {
    const bytes = await served(context.source.bytes(`/blocks/${hash}/bytes`));
    if (bytes === null) return openStep("shown", "judged", "notServed");
    const isMerged = proof.merged.some((one) => one.hash === hash);
    carriers.set(hash, isMerged ? soundFacts(context, hash, bytes) : null);
  }
  const grown = proof.applied.map(({ commitments }) => listText(commitments));
  const expected = table.map(({ txid, block }) => {
    const carried = carriers.get(block)?.transactions.find((one) => one.txid === txid);
    if (carried === undefined) return `${txid}:elsewhere`;
    // A copy with the same notes is no second payment: each growth is that of one.
    const at = carried.payment === null ? -1 : grown.indexOf(listText(carried.payment.commitments));
    if (at !== -1) grown.splice(at, 1);
    return `${txid}:${at === -1 ? "dropped" : "applied"}`;
  });
  return sameStep(
    "judged",
    listText(expected),
    listText(table.map(({ txid, effect }) => `${txid}:${effect}`)),
  );
}
