/** Fuzzer: runs one decoder with many mutated inputs that follow from a seed (the twin of crate `fuzz`). */
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { Chance, Mutator } from "./mutator.ts";

/** A reader of foreign bytes and what it promises. */
export type Decoder = {
  readonly name: string;
  /** Good inputs: each is taken. */
  readonly seeds: readonly Uint8Array[];
  /**
   * Decodes, and checks what was decoded: what is taken is written in the same bytes, or read as the same value. A refusal
   * is an `SvcError`; whatever else is thrown is a finding.
   */
  readonly run: (bytes: Uint8Array) => void;
  /** Makes a changed input pass its checksum. */
  readonly repair?: (bytes: Uint8Array) => Uint8Array;
  readonly isText?: boolean;
  /** One input is made where others get so many. */
  readonly weight?: number;
};

/** Number of inputs, and the seed that they follow from. */
export type FuzzPlan = { readonly seed: number; readonly inputs: number };

/** How often each outcome came; "taken", or the code of a refusal. */
export type Outcomes = ReadonlyMap<string, number>;

const TAKEN = "taken";
/** Failures of our own: no bytes may lead to them. */
const DEFECTS = new Set(["internal/unexpected", "engine/panic"]);
/** Inputs after which a decoder must have taken and refused some; one of great weight gets as many at every size. */
export const TELLING_INPUTS = 200;
const MAX_SHOWN = 2_048;

/** Runs the seeds and then the inputs made of them. Throws the first finding, with its input. */
export function fuzzDecoder(decoder: Decoder, plan: FuzzPlan): Outcomes {
  const { name, seeds } = decoder;
  for (const seed of seeds) {
    const outcome = outcomeOf(decoder, plan, seed);
    if (outcome !== TAKEN) throw finding(decoder, plan, `a seed has the outcome ${outcome}`, seed);
  }
  const mutator = new Mutator(new Chance(plan.seed, name), seeds, decoder.isText === true);
  const outcomes = new Map<string, number>();
  const weighed = Math.ceil(plan.inputs / (decoder.weight ?? 1));
  // A run that was asked to be shorter than that stays so.
  const inputs = Math.max(weighed, Math.min(plan.inputs, TELLING_INPUTS));
  for (let count = 0; count < inputs; count += 1) {
    const made = mutator.next();
    const repairs = decoder.repair !== undefined && mutator.wantsRepair();
    const input = repairs ? (decoder.repair?.(made) ?? made) : made;
    const outcome = outcomeOf(decoder, plan, input.slice());
    const before = outcomes.get(outcome) ?? 0;
    outcomes.set(outcome, before + 1);
    if (before === 0 || outcome === TAKEN) mutator.offer(input.slice(), before === 0);
  }
  if (inputs >= TELLING_INPUTS && (!outcomes.has(TAKEN) || outcomes.size < 2)) {
    throw finding(
      decoder,
      plan,
      `the inputs show nothing: ${[...outcomes.keys()]}`,
      new Uint8Array(),
    );
  }
  return outcomes;
}

function outcomeOf(decoder: Decoder, plan: FuzzPlan, input: Uint8Array): string {
  try {
    decoder.run(input);
    return TAKEN;
  } catch (error) {
    if (!(error instanceof SvcError) || DEFECTS.has(error.code)) {
      throw finding(decoder, plan, String(error), input, error);
    }
    // Its plain form crosses threads.
    JSON.stringify(error);
    return error.code;
  }
}

function finding(
  decoder: Decoder,
  plan: FuzzPlan,
  what: string,
  input: Uint8Array,
  cause?: unknown,
): Error {
  const text = decoder.isText === true ? JSON.stringify(new TextDecoder().decode(input)) : "";
  const shown = encodeHex(input.subarray(0, MAX_SHOWN));
  const where = `${decoder.name} (seed ${plan.seed})`;
  return new Error(`${where}: ${what}\n  ${input.length} bytes: ${shown}\n  ${text}`, { cause });
}
