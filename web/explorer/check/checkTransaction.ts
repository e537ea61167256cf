/** Check of a transaction: that a block carries it, that a chain block accepted it, and whether that moved value. */
import { callCore } from "@svc/shared/core/callCore.ts";
import {
  acceptanceProof,
  supplyProof,
  type AcceptanceProof,
} from "@svc/shared/protocol/facts/checkProofs.ts";
import { BLOCK_ROUTES } from "@svc/shared/protocol/rest/routes/blockRoutes.ts";
import { TRANSACTION_ROUTES } from "@svc/shared/protocol/rest/routes/transactionRoutes.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { chainStep } from "./chain/chainStep.ts";
import { bytesOf, orNone, type CheckContext } from "./checkContext.ts";
import {
  holds,
  openStep,
  readBlockReport,
  readSteps,
  type CheckedFacts,
  type CheckReport,
  type CheckStep,
} from "./checkReport.ts";
import { readDocument } from "./checkSource.ts";
import { compareTransaction, sameStep, type ShownTransaction } from "./compareShown.ts";

/** The report of a transaction. */
export type TransactionReport = CheckReport & {
  /** The bytes of the block that carries it; null where they are not served. */
  readonly carrier: Uint8Array | null;
  /** DAA score of that block as decimal text. */
  readonly daaScore: string | null;
};

/** Checks the transaction with this id. `shown`: its document as a page shows it, asked for when left out. Rejects as the source does. */
export async function checkTransaction(
  context: CheckContext,
  txid: string,
  shown?: unknown,
): Promise<TransactionReport> {
  const path = `/transactions/${txid}`;
  const document = shown ?? (await orNone(context.source.json(path)));
  if (document === null) return nothing(context, "unknown");
  const told = readDocument(TRANSACTION_ROUTES.transaction.answer, document, path);
  if (told.transaction_id !== txid) {
    const step = { subject: "shown", step: "transaction_id", outcome: "differs" } as const;
    const steps = [{ ...step, expected: txid, found: told.transaction_id }];
    return { ...nothing(context, "unknown"), steps };
  }
  if (told.status === "waiting") return nothing(context, "waiting");
  if (told.status === "included") return included(context, told, "notMerged");
  const accepting = told.accepting_block_hash ?? (await mergedBy(context, told));
  return accepting === null
    ? included(context, told, "notServed")
    : accepted(context, told, accepting);
}

/** The chain block that is said to have merged a dropped payment: its document names none, since that accepted nothing. */
async function mergedBy(
  { source }: CheckContext,
  { block_hash }: ShownTransaction,
): Promise<string | null> {
  const [hash] = block_hash;
  const path = `/blocks/${hash}`;
  const document = hash === undefined ? null : await orNone(source.json(path));
  if (document === null) return null;
  const { extra, verboseData } = readDocument(BLOCK_ROUTES.block.answer, document, path);
  if (!verboseData.isChainBlock) return extra.mergedBy;
  // A block of the chain is merged by the one above it.
  const place = `/info/supply/${hash}`;
  const told = await orNone(source.json(place));
  return told === null ? null : readDocument(supplyProof, told, place).child;
}

function open(step: string, reason: string): CheckStep {
  return openStep("transaction", step, reason);
}

function nothing({ isKnownNetwork }: CheckContext, reason: string): TransactionReport {
  return { steps: [open("carried", reason)], carrier: null, daaScore: null, isKnownNetwork };
}

/** That it is in a block can be shown, and nothing else, for this reason. */
async function included(
  context: CheckContext,
  told: ShownTransaction,
  reason: "notMerged" | "notServed",
): Promise<TransactionReport> {
  const [hash] = told.block_hash;
  const bytes = hash === undefined ? null : await bytesOf(context.source, hash);
  if (hash === undefined || bytes === null) return nothing(context, "notServed");
  const { steps, facts } = factsOf(context, hash, bytes);
  const isCarried = facts?.transactions.some(({ txid }) => txid === told.transaction_id) === true;
  const carried: CheckStep = isCarried
    ? { subject: "carrier", step: "carried", outcome: "ok", found: told.transaction_id }
    : {
        subject: "carrier",
        step: "carried",
        outcome: "differs",
        expected: told.transaction_id,
        found: "no such transaction",
      };
  const shown = facts === null ? [] : compareTransaction(context, told, facts, null);
  const others = await otherCarriers(context, told, hash);
  return {
    steps: [
      ...steps,
      carried,
      ...others,
      ...shown,
      open("accepted", reason),
      open("outcome", reason),
    ],
    carrier: bytes,
    daaScore: facts?.daaScore ?? null,
    isKnownNetwork: context.isKnownNetwork,
  };
}

async function accepted(
  context: CheckContext,
  told: ShownTransaction,
  accepting: string,
): Promise<TransactionReport> {
  const { core, source, profileJson, isKnownNetwork } = context;
  const path = `/blocks/${accepting}/acceptance`;
  const document = await orNone(source.json(path));
  if (document === null) return included(context, told, "notServed");
  const proof = readDocument(acceptanceProof, document, path);
  const hash = carrierOf(proof, told);
  const [carrier, own, parent, child] = await Promise.all([
    bytesOf(source, hash),
    bytesOf(source, proof.block),
    bytesOf(source, proof.selectedParent),
    proof.child === null ? null : bytesOf(source, proof.child),
  ]);
  if (carrier === null || own === null || parent === null) {
    return included(context, told, "notServed");
  }
  const claim = { txid: told.transaction_id, carrier: hash, isApplied: told.status === "applied" };
  const steps = readSteps(
    callCore(() =>
      core.checkAcceptance(
        profileJson,
        JSON.stringify(claim),
        JSON.stringify(proof),
        carrier,
        own,
        parent,
        child ?? undefined,
      ),
    ),
  );
  const { facts } = factsOf(context, hash, carrier);
  const isNamed = told.accepting_block_hash !== null;
  const block = factsOf(context, proof.block, own);
  const place = isNamed ? block.facts : null;
  const shown = facts === null ? [] : compareTransaction(context, told, facts, place);
  const [onChain, others] = await Promise.all([
    onChainSteps(context, block),
    otherCarriers(context, told, hash),
  ]);
  return {
    steps: [...onChain, ...namedSteps(accepting, proof.block), ...steps, ...others, ...shown],
    carrier,
    daaScore: facts?.daaScore ?? null,
    isKnownNetwork,
  };
}

/** The proof may be of another block than the one that was shown to accept it. */
function namedSteps(expected: string, found: string): readonly CheckStep[] {
  if (expected === found) return [];
  const step = { subject: "shown", step: "accepting_block_hash", outcome: "differs" } as const;
  return [{ ...step, expected, found }];
}

/** Where the accepting block stands on the chain; nothing of bytes that are not that block's. */
async function onChainSteps(
  context: CheckContext,
  { steps, facts }: JudgedBytes,
): Promise<readonly CheckStep[]> {
  if (facts === null || !holds(steps, "block", "headerHash")) return [];
  return [await chainStep(context, facts, "accepting")];
}

/** Whether the other blocks that are shown to carry it do: their headers name it. That there are no more of them, nothing shows. */
async function otherCarriers(
  context: CheckContext,
  { transaction_id: txid, block_hash }: ShownTransaction,
  known: string,
): Promise<readonly CheckStep[]> {
  const others = [...new Set(block_hash)].filter((hash) => hash !== known);
  if (others.length === 0) return [];
  const steps: CheckStep[] = [];
  for (const hash of others.slice(0, PAGE_LIMITS.checkCarriers)) {
    const bytes = await bytesOf(context.source, hash);
    if (bytes === null) return [openStep("shown", "carriers", "notServed")];
    const { steps: own, facts } = factsOf(context, hash, bytes);
    const isSound = holds(own, "block", "headerHash") && holds(own, "block", "merkleRoot");
    const carries = isSound && facts?.transactions.some((one) => one.txid === txid) === true;
    if (!carries) steps.push(sameStep("carriers", txid, `not in ${hash}`));
  }
  if (steps.length > 0) return steps;
  return others.length > PAGE_LIMITS.checkCarriers
    ? [openStep("shown", "carriers", "tooMany")]
    : [{ subject: "shown", step: "carriers", outcome: "ok", found: String(others.length) }];
}

/** The block that carries it by the proof, else by the document. */
function carrierOf(
  proof: AcceptanceProof,
  { transaction_id: txid, block_hash }: ShownTransaction,
): string {
  const of = (list: readonly { readonly txid: string; readonly block: string }[]) =>
    list.find((one) => one.txid === txid)?.block;
  const own = block_hash.includes(proof.block) ? proof.block : undefined;
  return of(proof.applied) ?? of(proof.dropped) ?? own ?? block_hash[0] ?? proof.block;
}

type JudgedBytes = {
  readonly steps: readonly CheckStep[];
  readonly facts: CheckedFacts | null;
};

function factsOf(
  { core, profileJson }: CheckContext,
  hash: string,
  bytes: Uint8Array,
): JudgedBytes {
  return readBlockReport(callCore(() => core.checkBlock(profileJson, hash, bytes)));
}
