/** Rows about supply, the shielded pool, the block reward and its reductions. */
import * as v from "valibot";
import { flagOf, hex, integerOf, textOf } from "../../contract/answerFields.ts";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { blockHash, decimalOf, displayOf } from "../restFields.ts";
import { route } from "../route.ts";

const subsidyCoins = displayOf("Coins of a block, development fee included.");

const shielded = v.object({
  anchor: v.nullable(hex(32)),
  blueScore: decimalOf("Blue score of the block after which all of this holds."),
  emissionPerBlock: subsidyCoins,
  noteCount: integerOf("Notes of the pool, spent ones among them."),
  nullifierCount: integerOf("Nullifiers that were revealed by payments with effect."),
  turnstileIn: decimalOf("Sompi that blocks have minted into the pool."),
  turnstileOut: decimalOf("Sompi that have left the pool and are not minted again."),
  blockHash,
  daaScore: decimalOf("DAA score of that block."),
});

const coinSupply = v.object({
  circulatingSupply: decimalOf("Sompi in the pool after the newest block of the chain."),
  maxSupply: v.null(),
  emissionModel: v.literal("perpetual-tail"),
});

const halving = v.object({
  currentAmount: subsidyCoins,
  nextHalvingAmount: displayOf(
    "Coins of a block after the next reduction; the current ones at the floor.",
  ),
  reductionPercent: displayOf(
    "By how much the next reduction lowers them, with two decimals; 0 at the floor.",
  ),
  reductionPending: flagOf("Whether there is a further reduction."),
  atTailFloor: flagOf("Whether there is none."),
  blocksRemaining: integerOf(
    "Blocks until the next reduction, as the DAA score counts them; 0 at the floor.",
  ),
  nextReductionDaaScore: v.nullable(integerOf("DAA score of the first block after it.")),
  nextHalvingTimestamp: v.nullable(
    integerOf("Unix seconds: when it comes if blocks come at their target rate."),
  ),
  nextHalvingDate: textOf("The same in words, seen from the newest block."),
  daaScore: integerOf("DAA score of the next block."),
});

/** The rows by their names. */
export const SUPPLY_ROUTES = {
  shielded: route({
    group: "supply",
    method: "GET",
    path: "/info/shielded",
    credential: "none",
    scope: "any",
    answer: shielded,
    about: "Tells of the shielded pool after the newest block of the chain.",
    example: {
      answer: {
        anchor: "11".repeat(32),
        blueScore: "1276100",
        emissionPerBlock: 56.63245875,
        noteCount: 2_600_000,
        nullifierCount: 48_000,
        turnstileIn: "7663980000000000",
        turnstileOut: "0",
        blockHash: "ab".repeat(32),
        daaScore: "1276151",
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  coinSupply: route({
    group: "supply",
    method: "GET",
    path: "/info/coinsupply",
    credential: "none",
    scope: "any",
    answer: coinSupply,
    about: "Tells how many coins there are. There is no most: the emission never ends.",
    example: {
      answer: {
        circulatingSupply: "7663980000000000",
        maxSupply: null,
        emissionModel: "perpetual-tail",
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  blockReward: route({
    group: "supply",
    method: "GET",
    path: "/info/blockreward",
    credential: "none",
    scope: "any",
    answer: v.object({ blockreward: subsidyCoins }),
    about: "Tells what the next block mints.",
    example: { answer: { blockreward: 56.63245875 } },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  halving: route({
    group: "supply",
    method: "GET",
    path: "/info/halving",
    credential: "none",
    scope: "any",
    answer: halving,
    about: "Tells when blocks mint less, and how much. Twelve of these steps halve what they mint.",
    example: {
      answer: {
        currentAmount: 56.63245875,
        nextHalvingAmount: 53.45392308,
        reductionPercent: 5.61,
        reductionPending: true,
        atTailFloor: false,
        blocksRemaining: 38_748,
        nextReductionDaaScore: 1_314_900,
        nextHalvingTimestamp: 1_795_717_649,
        nextHalvingDate: "in ~11 hours",
        daaScore: 1_276_152,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
} as const;
