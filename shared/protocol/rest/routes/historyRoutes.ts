/** Rows about what the index has counted over time (specification explorer A2 and A6). */
import * as v from "valibot";
import { integerOf, share, textOf } from "../../contract/answerFields.ts";
import { queryCount } from "../../contract/requestFields.ts";
import { PROTOCOL_LIMITS } from "../../protocolLimits.ts";
import { blockHash, coverage, decimalOf, displayOf } from "../restFields.ts";
import { route } from "../route.ts";

const HASH = "ab".repeat(32);
const COVERED = {
  coveredFrom: { daaScore: "1000000", timestamp: "1795400000000" },
  isComplete: true,
} as const;

/** Windows of the pulse, and their seconds. */
export const PULSE_WINDOWS = {
  "15m": 900,
  "1h": 3_600,
  "12h": 43_200,
  "24h": 86_400,
  "7d": 604_800,
  "30d": 2_592_000,
} as const;
/** A window of the pulse. */
export type PulseWindow = keyof typeof PULSE_WINDOWS;

/** Windows of the work history: their seconds, and those of a bin. */
export const WORK_WINDOWS = {
  "24h": { windowSeconds: 86_400, binSeconds: 300 },
  "7d": { windowSeconds: 604_800, binSeconds: 3_600 },
  "30d": { windowSeconds: 2_592_000, binSeconds: 10_800 },
  "1y": { windowSeconds: 31_536_000, binSeconds: 86_400 },
} as const;
/** A window of the work history. */
export type WorkWindow = keyof typeof WORK_WINDOWS;

/** A window of the query by its name. An unknown one is the first, as clients are used to. */
function windowField<W extends string>(windows: Readonly<Record<W, unknown>>, first: W) {
  const isWindow = (name: string): name is W => Object.hasOwn(windows, name);
  return v.optional(
    v.pipe(
      v.string("a window"),
      v.transform((name): W => (isWindow(name) ? name : first)),
    ),
    first,
  );
}

const bins = v.array(integerOf());
const displays = v.array(displayOf("A value of a bin; 0 when it is empty."));

const pulse = v.object({
  windowSeconds: v.literal(900),
  blocks15m: integerOf("Blocks of the last 15 minutes, as the DAA score counts them."),
  bps15m: displayOf("Blocks per second of the last 15 minutes."),
  averageBlockTime15m: displayOf("Seconds between blocks; 0 when there were none."),
  transactions15m: integerOf("Transactions that blocks of the last 15 minutes carry."),
  transactions1h: integerOf("Transactions that blocks of the last hour carry."),
  hashrate15m: displayOf("Hashes per second: 2 × difficulty × measured blocks per second."),
  binSeconds: v.literal(15),
  blockBins: bins,
  transactionBins: bins,
  difficultyBins: displays,
  hashrateBins: displays,
  workWindowSeconds: integerOf("Seconds of the asked window."),
  workBinSeconds: integerOf("Seconds of a bin of that window."),
  workDifficultyBins: displays,
  workHashrateBins: displays,
  timestamp: integerOf("Unix milliseconds: the end of the windows."),
  ...coverage,
});

const workHistory = v.object({
  windowSeconds: integerOf("Seconds of the window."),
  binSeconds: integerOf("Seconds of a bin."),
  ...coverage,
  points: v.array(
    v.object({
      t: integerOf("Unix seconds: the beginning of the bin."),
      difficulty: displayOf("Mean difficulty; 0 when the bin is empty."),
      bps: displayOf("Measured blocks per second."),
      hashrate: displayOf("Hashes per second: 2 × difficulty × measured blocks per second."),
      blocks: integerOf("Blocks of the graph."),
      reds: integerOf("Red blocks among them."),
      transactions: integerOf("Transactions that they carry, coinbases not counted."),
    }),
  ),
});

const reorg = v.object({
  t: integerOf("Unix milliseconds at which this node saw it."),
  depth: integerOf("Chain blocks that were left."),
  oldTip: blockHash,
  newTip: blockHash,
  forkPoint: v.nullable(blockHash),
  forkPointUnknown: v.pipe(
    v.nullable(v.picklist(["gone"])),
    v.description(
      "Why the fork point is null: gone, when the node asked for it, its block was deleted. Null where the fork point is known.",
    ),
  ),
  removed: integerOf("Chain blocks that were left."),
  added: integerOf(
    "Chain blocks that took their place; at least so many where the fork point is null.",
  ),
});

const moment = v.object({
  minute: integerOf("Unix milliseconds divided by 60,000."),
  count: integerOf("What there was most of."),
});

/** The rows by their names. */
export const HISTORY_ROUTES = {
  pulse: route({
    group: "history",
    method: "GET",
    path: "/info/pulse",
    credential: "none",
    scope: "any",
    query: v.object({ window: windowField(PULSE_WINDOWS, "15m") }),
    answer: pulse,
    refusals: ["http/unavailable"],
    about:
      "Tells how fast blocks come, how many transactions they carry and how much work stands behind them.",
    example: {
      answer: {
        windowSeconds: 900,
        blocks15m: 899,
        bps15m: 0.9989,
        averageBlockTime15m: 1.0011,
        transactions15m: 950,
        transactions1h: 3_800,
        hashrate15m: 162_288_500,
        binSeconds: 15,
        blockBins: Array.from({ length: 60 }, () => 15),
        transactionBins: Array.from({ length: 60 }, () => 16),
        difficultyBins: Array.from({ length: 60 }, () => 81_234_567.5),
        hashrateBins: Array.from({ length: 60 }, () => 162_469_135),
        workWindowSeconds: 900,
        workBinSeconds: 15,
        workDifficultyBins: Array.from({ length: 60 }, () => 81_234_567.5),
        workHashrateBins: Array.from({ length: 60 }, () => 162_469_135),
        timestamp: 1_795_678_901_234,
        ...COVERED,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  workHistory: route({
    group: "history",
    method: "GET",
    path: "/info/work-history",
    credential: "none",
    scope: "any",
    query: v.object({ window: windowField(WORK_WINDOWS, "24h") }),
    answer: workHistory,
    refusals: ["http/unavailable"],
    about: "Tells difficulty, block rate and hash rate over time.",
    example: {
      answer: {
        windowSeconds: 86_400,
        binSeconds: 300,
        ...COVERED,
        points: [
          {
            t: 1_795_678_800,
            difficulty: 81_234_567.5,
            bps: 1.01,
            hashrate: 164_093_826,
            blocks: 303,
            reds: 2,
            transactions: 17,
          },
        ],
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  reorgs: route({
    group: "history",
    method: "GET",
    path: "/info/reorgs",
    credential: "none",
    scope: "any",
    query: v.object({ limit: queryCount(50, 1, PROTOCOL_LIMITS.restReorgsMax) }),
    answer: v.object({
      windowSeconds: integerOf("Seconds for which this node has watched."),
      count: integerOf("Reorganisations that it saw in that time."),
      maxDepth: integerOf("The deepest one; 0 when there was none."),
      histogram: v.record(textOf(), integerOf()),
      recent: v.array(reorg),
    }),
    refusals: ["http/unavailable"],
    about:
      "Tells of the reorganisations of the selected chain that this node saw: another node may have seen others.",
    example: {
      answer: {
        windowSeconds: 604_800,
        count: 2,
        maxDepth: 3,
        histogram: { "1": 1, "3": 1 },
        recent: [
          {
            t: 1_795_678_901_234,
            depth: 3,
            oldTip: HASH,
            newTip: "ac".repeat(32),
            forkPoint: "cd".repeat(32),
            forkPointUnknown: null,
            removed: 3,
            added: 4,
          },
        ],
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  extremes: route({
    group: "history",
    method: "GET",
    path: "/info/extremes",
    credential: "none",
    scope: "any",
    answer: v.object({
      widest: v.array(moment),
      reddest: v.array(moment),
      deepest: v.array(reorg),
      ...coverage,
    }),
    refusals: ["http/unavailable"],
    about:
      "Tells the minutes with the most blocks and with the most red blocks, and the deepest reorganisations.",
    example: {
      answer: {
        widest: [{ minute: 29_927_981, count: 91 }],
        reddest: [{ minute: 29_927_981, count: 12 }],
        deepest: [],
        ...COVERED,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
  index: route({
    group: "history",
    method: "GET",
    path: "/info/index",
    credential: "none",
    scope: "any",
    answer: v.object({
      sink: v.nullable(blockHash),
      daaScore: decimalOf("DAA score of the newest chain block that is indexed."),
      behind: integerOf("Chain blocks of the node that are not indexed yet."),
      isRebuilding: v.boolean(),
      progress: share,
      hashes: integerOf("Hashes of blocks and transactions that the search by prefix goes over."),
      blocks: integerOf("Blocks that are indexed."),
      transactions: integerOf("Payments that are indexed."),
      formatVersion: integerOf("Version of the derived tables."),
      ...coverage,
    }),
    refusals: ["http/unavailable"],
    about: "Tells what the index of the node covers, and how far a rebuild is.",
    example: {
      answer: {
        sink: HASH,
        daaScore: "1276151",
        behind: 0,
        isRebuilding: false,
        progress: 1,
        hashes: 2_600_000,
        blocks: 1_300_000,
        transactions: 24_000,
        formatVersion: 1,
        ...COVERED,
      },
    },
    timeoutMs: PROTOCOL_LIMITS.restAnswerMs,
  }),
} as const;
