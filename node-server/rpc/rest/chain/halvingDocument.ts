/** The document of `/info/halving`: when blocks mint less, and how much (specification explorer A2, consensus 10.3). */
import { formatCoins } from "@svc/shared/base/money.ts";
import { NumberText } from "@svc/shared/protocol/contract/numberText.ts";
import type { EmissionFacts } from "@svc/shared/protocol/facts/emissionFacts.ts";
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import { wholeNumber } from "../call/wholeNumber.ts";

/** Where the chain stands. */
export type EmissionPlace = {
  /** DAA score of the next block. */
  readonly daaScore: bigint;
  /** ms. Timestamp of the newest block of the chain. */
  readonly sinkTimestamp: bigint;
  /** ms. Between two blocks, as the rules aim at. */
  readonly blockMs: bigint;
};

const DAY_S = 86_400n;
const HOUR_S = 3_600n;
const MINUTE_S = 60n;
/** Two of a unit are told in that unit, less in the next smaller one. */
const AT_LEAST = 2n;
/** Hundredths of a percent of the whole. */
const WHOLE = 10_000n;

/** Makes the document. It depends on the chain alone, so every node with this sink writes the same. */
export function halvingDocument(
  { subsidy, next }: EmissionFacts,
  { daaScore, sinkTimestamp, blockMs }: EmissionPlace,
): RestAnswer<"halving"> {
  const common = { currentAmount: coinsOf(subsidy), daaScore: wholeNumber(daaScore) };
  if (next === null) {
    return {
      ...common,
      nextHalvingAmount: coinsOf(subsidy),
      reductionPercent: 0,
      reductionPending: false,
      atTailFloor: true,
      blocksRemaining: 0,
      nextReductionDaaScore: null,
      nextHalvingTimestamp: null,
      nextHalvingDate: "no further reductions scheduled",
    };
  }
  const blocks = next.daaScore - daaScore;
  const leftMs = blocks * blockMs;
  return {
    ...common,
    nextHalvingAmount: coinsOf(next.subsidy),
    reductionPercent: hundredths(((subsidy - next.subsidy) * WHOLE + subsidy / 2n) / subsidy),
    reductionPending: true,
    atTailFloor: false,
    blocksRemaining: wholeNumber(blocks),
    nextReductionDaaScore: wholeNumber(next.daaScore),
    nextHalvingTimestamp: wholeNumber((sinkTimestamp + leftMs) / 1_000n),
    nextHalvingDate: inWords(leftMs / 1_000n),
  };
}

/** Coins of an amount, as a number with all of its digits. */
export function coinsOf(sompi: bigint): NumberText {
  return new NumberText(formatCoins(sompi));
}

function hundredths(value: bigint): NumberText {
  return new NumberText(`${value / 100n}.${String(value % 100n).padStart(2, "0")}`);
}

function inWords(seconds: bigint): string {
  if (seconds >= AT_LEAST * DAY_S) return `in ~${seconds / DAY_S} days`;
  if (seconds >= AT_LEAST * HOUR_S) return `in ~${seconds / HOUR_S} hours`;
  if (seconds >= AT_LEAST * MINUTE_S) return `in ~${seconds / MINUTE_S} minutes`;
  return "in under a minute";
}
