/**
 * Emission schedule as a curve (specification consensus 10.3): what blocks mint from step to step, and how much that is together.
 * The core decides what a block mints; a test holds this copy to it at every step, and a page draws it only when it agrees
 * with the node's own document.
 */

/** What differs between networks. */
export type EmissionParameters = {
  readonly blocksPerSecond: bigint;
  /** DAA score from which the curve falls. */
  readonly startDaa: bigint;
  /** Sompi of a block before that. */
  readonly firstSubsidy: bigint;
};

/** The main network. */
export const MAINNET_EMISSION: EmissionParameters = {
  blocksPerSecond: 1n,
  startDaa: 0n,
  firstSubsidy: 50_000_000_000n,
};

/** Seconds of one step. */
const STEP_SECONDS = (2_629_800n * 3n) / 12n;
const STEPS_PER_MONTH = 4n;
/** The month from which the tail is a tenth, and the tail per second before and from there, in sompi. */
const TAIL = { dropMonth: 24n, early: 600_000_000n, late: 60_000_000n } as const;

/** The parent's sompi per second by step; from the last step on the tail is larger. */
const PARENT_MONTHLY: readonly bigint[] = [
  44_000_000_000n,
  41_530_469_757n,
  39_199_543_598n,
  36_999_442_271n,
  34_922_823_143n,
  32_962_755_691n,
  31_112_698_372n,
  29_366_476_791n,
  27_718_263_097n,
  26_162_556_530n,
  24_694_165_062n,
  23_308_188_075n,
  22_000_000_000n,
  20_765_234_878n,
  19_599_771_799n,
  18_499_721_135n,
  17_461_411_571n,
  16_481_377_845n,
  15_556_349_186n,
  14_683_238_395n,
  13_859_131_548n,
  13_081_278_265n,
  12_347_082_531n,
  11_654_094_037n,
  11_000_000_000n,
  10_382_617_439n,
  9_799_885_899n,
  9_249_860_567n,
  8_730_705_785n,
  8_240_688_922n,
  7_778_174_593n,
  7_341_619_197n,
  6_929_565_774n,
  6_540_639_132n,
  6_173_541_265n,
  5_827_047_018n,
  5_500_000_000n,
  5_191_308_719n,
  4_899_942_949n,
  4_624_930_283n,
];

/** Sompi that a block with this DAA score mints, development fee included. */
export function scheduledSubsidy(parameters: EmissionParameters, daaScore: bigint): bigint {
  const { blocksPerSecond: rate, startDaa, firstSubsidy } = parameters;
  if (daaScore < startDaa) return firstSubsidy;
  const step = (daaScore - startDaa) / rate / STEP_SECONDS;
  const tail = step / STEPS_PER_MONTH < TAIL.dropMonth ? TAIL.early : TAIL.late;
  const perSecond = PARENT_MONTHLY[Number(step)] ?? 0n;
  const [curve, floor] = [(ceilDiv(perSecond, rate) * 3n) / 22n, ceilDiv(tail, rate)];
  return curve > floor ? curve : floor;
}

/** The beginning of a step: what its blocks mint, and what all blocks before it have minted by the schedule, in sompi. */
export type EmissionStep = {
  readonly daaScore: bigint;
  readonly subsidy: bigint;
  readonly minted: bigint;
};

/** The first so many steps of the falling curve, each with what was minted before it. */
export function emissionSteps(
  parameters: EmissionParameters,
  steps: number,
): readonly EmissionStep[] {
  const { blocksPerSecond, startDaa, firstSubsidy } = parameters;
  const length = blocksPerSecond * STEP_SECONDS;
  let minted = startDaa * firstSubsidy;
  return Array.from({ length: steps }, (_, index) => {
    const daaScore = startDaa + BigInt(index) * length;
    const subsidy = scheduledSubsidy(parameters, daaScore);
    const step = { daaScore, subsidy, minted };
    minted += subsidy * length;
    return step;
  });
}

function ceilDiv(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}
