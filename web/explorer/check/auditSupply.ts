/** Supply audit: minted coins, fees and pool after a block, from what the next block commits to. */
import type * as v from "valibot";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { supplyProof, type SupplyProof } from "@svc/shared/protocol/facts/checkProofs.ts";
import { SUPPLY_ROUTES } from "@svc/shared/protocol/rest/routes/supplyRoutes.ts";
import { bytesOf, orNone, type CheckContext } from "./checkContext.ts";
import {
  openStep,
  readBlockReport,
  readSupplyReport,
  type CheckStep,
  type SupplyReport,
} from "./checkReport.ts";
import { readDocument } from "./checkSource.ts";
import { sameStep, stepsOf } from "./compareShown.ts";

const SHOWN_PATH = "/info/shielded";
const COINS_PATH = "/info/coinsupply";
/** Root of burn receipts where there are none. */
const NO_RECEIPTS = "00".repeat(32);
type ShownPool = v.InferOutput<typeof SUPPLY_ROUTES.shielded.answer>;

/** What a page shows: the pool, and the sum of all coins. */
type Shown = { readonly pool: ShownPool; readonly coins: string | null };

/**
 * Audits the supply. `shown` and `coins`: the documents of the pool and of the sum as a page shows them, asked for when left out. Where
 * no block stands above the shown block yet, the supply of the block below it is audited, and a step says that what is shown is not
 * proven. Rejects as the source does.
 */
export async function auditSupply(
  context: CheckContext,
  shown?: unknown,
  coins?: unknown,
): Promise<SupplyReport> {
  const { source } = context;
  const document = shown ?? (await source.json(SHOWN_PATH));
  const pool = readDocument(SUPPLY_ROUTES.shielded.answer, document, SHOWN_PATH);
  const sum = coins ?? (await orNone(source.json(COINS_PATH)));
  const told = await proofOf(context, pool.blockHash);
  if (told === null) return notServed(context);
  const known: Shown = {
    pool,
    coins:
      sum === null
        ? null
        : readDocument(SUPPLY_ROUTES.coinSupply.answer, sum, COINS_PATH).circulatingSupply,
  };
  if (told.child !== null) return audit(context, told, known);
  const bytes = await bytesOf(source, pool.blockHash);
  const below = bytes === null ? null : parentIn(context, pool.blockHash, bytes);
  const lower = below === null ? null : await proofOf(context, below);
  return audit(context, lower ?? told, null);
}

/** Audits the supply after this block. Rejects as the source does. */
export async function auditSupplyAt(context: CheckContext, hash: string): Promise<SupplyReport> {
  const told = await proofOf(context, hash);
  return told === null ? notServed(context) : audit(context, told, null);
}

/** The proof of this block; null where none of it is served. Throws `codec/bad-json` for the proof of another block. */
async function proofOf({ source }: CheckContext, hash: string): Promise<SupplyProof | null> {
  const path = `/info/supply/${hash}`;
  const document = await orNone(source.json(path));
  if (document === null) return null;
  const proof = readDocument(supplyProof, document, path);
  if (proof.block === hash) return proof;
  throw new SvcError("codec/bad-json", { reason: `${path} is about ${proof.block}` });
}

function notServed({ isKnownNetwork }: CheckContext): SupplyReport {
  const step: CheckStep = {
    subject: "supply",
    step: "statePreimage",
    outcome: "notProvable",
    reason: "notServed",
  };
  return { steps: [step], figures: null, at: null, isKnownNetwork };
}

function parentIn(
  { core, profileJson }: CheckContext,
  hash: string,
  bytes: Uint8Array,
): string | null {
  const { facts } = readBlockReport(callCore(() => core.checkBlock(profileJson, hash, bytes)));
  return facts?.parents[0]?.[0] ?? null;
}

async function audit(
  context: CheckContext,
  proof: SupplyProof,
  shown: Shown | null,
): Promise<SupplyReport> {
  const { core, source, profileJson, isKnownNetwork } = context;
  const [block, child] = await Promise.all([
    bytesOf(source, proof.block),
    proof.child === null ? null : bytesOf(source, proof.child),
  ]);
  if (block === null) return notServed(context);
  const told = readSupplyReport(
    callCore(() => core.checkSupply(profileJson, JSON.stringify(proof), block, child ?? undefined)),
  );
  const isProven = told.steps.some(
    ({ step, outcome }) => step === "statePreimage" && outcome === "ok",
  );
  const compared = compareSupply(shown, proof, told.figures?.pool ?? "");
  const steps = [...told.steps, ...compared];
  return {
    steps: isProven ? steps : steps.map(unproven),
    figures: isProven ? told.figures : null,
    at: isProven ? { block: proof.block, daaScore: proof.daaScore } : null,
    isKnownNetwork,
  };
}

/** Numbers that no block commits to prove nothing, however well they fit each other. */
function unproven(step: CheckStep): CheckStep {
  const isOfNumbers = step.subject === "supply" || step.subject === "shown";
  return isOfNumbers && step.outcome === "ok"
    ? { subject: step.subject, step: step.step, outcome: "notProvable", reason: "stateNotShown" }
    : step;
}

function compareSupply(
  shown: Shown | null,
  proof: SupplyProof,
  poolSum: string,
): readonly CheckStep[] {
  const open = (step: string, reason: string) => openStep("shown", step, reason);
  const emission = open("emission", "byRules");
  if (shown === null) {
    return [
      open("document", "newest"),
      open("supply", "newest"),
      open("burned", "newest"),
      emission,
    ];
  }
  // The document of the sum names no block: another number may be that of another block, or a lie.
  const sum: CheckStep =
    shown.coins === poolSum
      ? { subject: "shown", step: "supply", outcome: "ok", found: poolSum }
      : open("supply", shown.coins === null ? "notServed" : "otherBlock");
  return [...comparePool(shown.pool, proof), burnedStep(shown.pool, proof), sum, emission];
}

/** The state has a root of receipts and no sum of them. No receipts are no burned coins. */
function burnedStep({ turnstileOut }: ShownPool, { state }: SupplyProof): CheckStep {
  return state.burnRoot === NO_RECEIPTS
    ? sameStep("burned", "0", turnstileOut)
    : openStep("shown", "burned", "notCommitted");
}

function comparePool(shown: ShownPool, { block, state, frontier, ...scores }: SupplyProof) {
  return stepsOf([
    ["blockHash", block, shown.blockHash],
    ["turnstileIn", state.cumulativeCoinbase, shown.turnstileIn],
    ["noteCount", frontier.size, String(shown.noteCount)],
    ["anchor", state.treeRoot, shown.anchor ?? ""],
    ["blueScore", scores.blueScore, shown.blueScore],
    ["daaScore", scores.daaScore, shown.daaScore],
  ]);
}
