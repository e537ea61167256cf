/** Reports of checks: steps with what was expected and found, as the core answers them (docs/formats.md 3.11). */
import * as v from "valibot";

const outcome = v.picklist(["ok", "differs", "notProvable"]);

const step = v.object({
  /** What the step is about: a block by its role, the transaction, the supply, what was shown. */
  subject: v.string(),
  step: v.string(),
  outcome,
  expected: v.optional(v.string()),
  found: v.optional(v.string()),
  /** Why it cannot be proven, or in which way it holds. */
  reason: v.optional(v.string()),
});

const steps = v.array(step);

const blockFacts = v.object({
  hash: v.string(),
  version: v.number(),
  parents: v.array(v.array(v.string())),
  hashMerkleRoot: v.string(),
  acceptedIdMerkleRoot: v.string(),
  utxoCommitment: v.string(),
  timestamp: v.string(),
  bits: v.number(),
  /** Null where the target of the bits is nothing: the core has no number for it. */
  difficulty: v.nullable(v.number()),
  nonce: v.string(),
  daaScore: v.string(),
  blueScore: v.string(),
  blueWork: v.string(),
  pruningPoint: v.string(),
  work: v.picklist(["genesis", "notAsked", "native", "merged", "missing"]),
  /** Id of the parent network's block that carries the work. */
  parentBlock: v.nullable(v.string()),
  /** What its coinbase says of the miner, in hexadecimal. */
  miner: v.nullable(v.object({ script: v.string(), extra: v.string() })),
  transactions: v.array(
    v.object({
      txid: v.string(),
      kind: v.picklist(["coinbase", "payment"]),
      /** Bytes, as fees are counted. */
      size: v.number(),
      outputs: v.array(v.object({ value: v.string(), script: v.string() })),
      payment: v.nullable(
        v.object({ actions: v.number(), fee: v.string(), commitments: v.array(v.string()) }),
      ),
    }),
  ),
});

const figures = v.object({
  minted: v.string(),
  fees: v.string(),
  pool: v.string(),
  scheduled: v.string(),
  carriedFee: v.string(),
  slot: v.string(),
  unexplained: v.string(),
  noteCount: v.string(),
  verifyingKey: v.string(),
});

const blockReport = v.object({ steps, facts: v.nullable(blockFacts) });
const stepsReport = v.object({ steps });
const supplyReport = v.object({ steps, figures: v.nullable(figures) });

/** How a step came out. */
export type Outcome = v.InferOutput<typeof outcome>;
/** Where a block was shown to stand on the chain; all numbers are decimal text. */
export type ChainPlace = {
  /** Its number among the chain blocks of the anchor log, the first one being 1; null where no log has it. */
  readonly number: string | null;
  /** The log began later than the network did: with its security fork. */
  readonly isSinceFork: boolean;
  /** Chain blocks above it, as far as the server showed them. */
  readonly above: string;
  /** Milliseconds of the whole network's work that were recomputed above it. */
  readonly workMs: string;
};
/** One step. */
export type CheckStep = v.InferOutput<typeof step> & { readonly place?: ChainPlace };
/** A block as its bytes say it is; 64-bit numbers are decimal text. */
export type CheckedFacts = v.InferOutput<typeof blockFacts>;
/** Figures of a supply audit: decimal text of sompi, of notes for the note count. */
export type SupplyFigures = v.InferOutput<typeof figures>;

/** Name of the step that tells whether a block stands on the chain. */
export const CHAIN_STEP = "onChain";

/** The report of a check. */
export type CheckReport = {
  readonly steps: readonly CheckStep[];
  /** Whether the network is one that this program knows; of another one the profile is the server's word. */
  readonly isKnownNetwork: boolean;
};

/** The report of a block. */
export type BlockReport = CheckReport & { readonly facts: CheckedFacts | null };
/** The report of a supply audit. */
export type SupplyReport = CheckReport & {
  /** Null where nothing commits to them. */
  readonly figures: SupplyFigures | null;
  /** The block after which they hold. */
  readonly at: { readonly block: string; readonly daaScore: string } | null;
};

/** Reads the core's report of a block. */
export const readBlockReport = (json: string) => v.parse(blockReport, JSON.parse(json));
/** Reads the core's steps. */
export const readSteps = (json: string) => v.parse(stepsReport, JSON.parse(json)).steps;
/** Reads the core's report of a supply. */
export const readSupplyReport = (json: string) => v.parse(supplyReport, JSON.parse(json));

/** What is checked. */
export type CheckKind = "block" | "transaction" | "supply" | "disclosure";

/** What the steps say together. Partly: something that the page shows is not proven. */
export type Verdict = Outcome | "partly";

type NeededStep = Pick<CheckStep, "subject" | "step"> & {
  /** What the step must have found. */
  readonly found?: string;
  /** Another step that says as much. */
  readonly or?: string;
  /** Only where a report has the step: the page shows what it is about. */
  readonly isOptional?: boolean;
};

/** Steps without which a check proves too little of what a page shows. */
const NEEDED: { readonly [K in CheckKind]: readonly NeededStep[] } = {
  block: [
    { subject: "block", step: "headerHash" },
    { subject: "block", step: "work", or: "genesis" },
    { subject: "block", step: "merkleRoot" },
    { subject: "shown", step: "document" },
    { subject: "shown", step: "judged", isOptional: true },
  ],
  transaction: [
    { subject: "transaction", step: "outcome" },
    { subject: "shown", step: "document" },
  ],
  supply: [
    { subject: "child", step: "statePreimage" },
    { subject: "shown", step: "document" },
    { subject: "shown", step: "supply" },
  ],
  disclosure: [
    { subject: "disclosure", step: "payment" },
    { subject: "transaction", step: "outcome", found: "applied" },
  ],
};

/** The worst that any step says; "ok" only where every step that the check needs holds. */
export function verdictOf(kind: CheckKind, report: CheckReport): Verdict {
  const { steps: list } = report;
  if (list.some((one) => one.outcome === "differs")) return "differs";
  if (!list.some((one) => one.outcome === "ok")) return "notProvable";
  return missingOf(kind, report).length === 0 ? "ok" : "partly";
}

/** The needed steps that do not hold, with the reasons where there are any. */
export function missingOf(kind: CheckKind, report: CheckReport): readonly CheckStep[] {
  return NEEDED[kind].flatMap((needed) => {
    const { subject, step, or, found, isOptional = false } = needed;
    const own = report.steps.filter((one) => one.subject === subject);
    if (isOptional && !own.some((one) => one.step === step)) return [];
    const isMet = own.some(
      (one) =>
        (one.step === step || one.step === or) &&
        (isOk(one) || isNotAsked(one, report)) &&
        (found === undefined || one.found === found),
    );
    if (isMet) return [];
    const other = own.some((one) => one.step === step && isOk(one)) ? { reason: "noEffect" } : {};
    const open: CheckStep = { subject, step, outcome: "notProvable", ...other };
    return [own.find((one) => one.step === step && !isOk(one)) ?? open];
  });
}

/** A step that nothing here proves, for this reason. */
export function openStep(subject: string, step: string, reason: string): CheckStep {
  return { subject, step, outcome: "notProvable", reason };
}

/** Whether the report says that this step holds. */
export function holds(list: readonly CheckStep[], subject: string, step: string): boolean {
  return list.some((one) => one.subject === subject && one.step === step && isOk(one));
}

function isOk({ outcome: word }: CheckStep): boolean {
  return word === "ok";
}

/** A network that this program knows may ask for no work. Of another one that is the server's word. */
function isNotAsked({ step: name, reason }: CheckStep, { isKnownNetwork }: CheckReport): boolean {
  return isKnownNetwork && name === "work" && reason === "notAsked";
}
