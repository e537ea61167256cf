/**
 * Figures of a wallet that holds its node to the work: what evidence weighs, and what its checks cost beside scanning, on one core.
 *
 * The chain is mined here at the easiest work, so its headers are as long as those of the main network with one parent. The anchor log of a
 * longer chain has as many more hashes as its length has digits; those are added by number.
 */
import { readFileSync } from "node:fs";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asLeafPosition,
  asTimestampMs,
  asTxId,
} from "@svc/shared/base/brand.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue, RawEngine } from "@svc/shared/core/generated/coreGlue.ts";
import { CoreJudge } from "@svc/shared/light/coreJudge.ts";
import {
  encodeContainer,
  readContainer,
  readRecords,
  type ScanRecord,
} from "@svc/shared/protocol/http/recordContainer.ts";
import { poolRecord } from "@svc/shared/wallet/node/poolRecord.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { isDue, usedUntil } from "@svc/shared/wallet/sync/evidencePlan.ts";
import type { ProofReach } from "@svc/shared/wallet/proof/chainProof.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import type { BenchOptions } from "../run/bench.ts";
import { median } from "../run/median.ts";
import { engineWith, minedChain } from "../chain/minedChain.ts";

/**
 * The main network's rules with the easiest proof of work, and block levels that begin there: a run of many minutes has then as many
 * headers as where work is hard.
 */
const WORKING = JSON.stringify({
  ...JSON.parse(readFileSync(new URL("../../profiles/worked.json", import.meta.url), "utf8")),
  maxBlockLevel: 254,
});
const KIB = 1_024;
/** Blocks of the mined chain: as many as evidence of many minutes needs, and some. */
const BLOCKS = 1_100;
/** Chain blocks of a day and of a year at one a second. */
const DAY = 86_400;
const YEAR = 365 * DAY;
/** Bytes that the witness of a merge-mined header adds (docs/light-client.md). */
const WITNESS = 400;
/** A page of busy blocks. */
const PAGE_BLOCKS = 16;
const PAGE_ACTIONS = 64;
/** Recorded payments whose actions fill it. */
const PAYMENTS = ["first", "plain", "waiting", "later"];

/** The figures. */
export type SyncFigures = {
  /** Committed checks of a busy day over its scanning. */
  readonly check_share: number;
  readonly nullifiers_per_s: number;
  /** Milliseconds to judge evidence of many minutes. */
  readonly judge_ms: number;
  /** To open a wallet after so long: both reaches, and the proof of where it began. */
  readonly evidence_kib: Readonly<Record<"day" | "year" | "year_merged", number>>;
  readonly evidence_kib_per_day: Readonly<Record<"native" | "merged", number>>;
};

/** Measures. Throws where a piece of evidence does not hold. */
export function syncFigures(
  core: CoreGlue,
  options: Pick<BenchOptions, "rounds" | "signal">,
): SyncFigures {
  const blocks = minedChain(core, { profile: WORKING, base: [], count: BLOCKS, mark: "light" });
  const engine = engineWith(core, WORKING, blocks);
  try {
    const pieces = piecesOf(core, engine);
    const cost = costOf(core, options);
    const judge_ms = samples(options, () => pieces.judge());
    // A busy day: as many actions as its blocks hold on average, judged at its end.
    const actions = DAY * 2;
    const checks = actions * cost.checkMs + judge_ms;
    return {
      check_share: checks / (actions * cost.scanMs),
      nullifiers_per_s: 1_000 / cost.checkMs,
      judge_ms,
      evidence_kib: {
        day: pieces.opened(DAY, 0) / KIB,
        year: pieces.opened(YEAR, 0) / KIB,
        year_merged: pieces.opened(YEAR, WITNESS) / KIB,
      },
      evidence_kib_per_day: { native: pieces.aDay(0) / KIB, merged: pieces.aDay(WITNESS) / KIB },
    };
  } finally {
    engine.free();
  }
}

/** Bytes and headers of one piece. */
type Piece = { readonly bytes: number; readonly headers: number };

function piecesOf(core: CoreGlue, engine: RawEngine) {
  const profileJson = callCore(() => core.canonicalProfile(WORKING));
  const hashAt = (index: number) => engine.chainHashAt(BigInt(index)) ?? "";
  const opening = (index: number, withProduct: boolean) =>
    callCore(() => engine.evidenceOpening(hashAt(index), withProduct));
  const tipAt = (depth: bigint) => {
    const index = BLOCKS - Number(depth);
    const run = callCore(() => engine.evidenceRun(hashAt(index + 1), hashAt(BLOCKS)));
    return { opening: opening(index, false), run };
  };
  const [far, near] = [
    tipAt(WALLET_LIMITS.evidenceFarDepth),
    tipAt(WALLET_LIMITS.evidenceNearDepth),
  ];
  const judge = new CoreJudge(core, profileJson);
  const start = {
    opening: opening(10, true),
    membership: callCore(() =>
      engine.evidenceMembership(
        hashAt(11),
        hashAt(BLOCKS - Number(WALLET_LIMITS.evidenceFarDepth)),
      ),
    ),
  };
  judge.older(null, far, start);
  judge.tip(null, near);
  const sizes = { far: pieceOf(far), near: pieceOf(near) };
  const started = start.opening.length + start.membership.length;
  const sizeOf = ({ bytes, headers }: Piece, witness: number) => bytes + headers * witness;
  return {
    judge: () => judge.tip(null, far),
    /** Bytes to open a wallet on a chain of so many blocks. */
    opened: (length: number, witness: number) => {
      const all = sizeOf(sizes.far, witness) + sizeOf(sizes.near, witness) + started + witness;
      // Three openings with their peaks, and one path.
      return all + 32 * (3 * digitsOf(length) + digitsOf(length));
    },
    aDay: (witness: number) =>
      bytesOfDay("far", sizeOf(sizes.far, witness)) +
      bytesOfDay("near", sizeOf(sizes.near, witness)),
  };
}

/** The headers of a run, and the one of the opening. A run's count of links stands behind its base header. */
function pieceOf({ opening, run }: { opening: Uint8Array; run: Uint8Array }): Piece {
  const bytes = opening.length + run.length;
  // No header is shorter than this one of one parent, so there are no more of them.
  return { bytes, headers: Math.ceil(run.length / SHORTEST) + 1 };
}

/** Bytes of a header with one parent. */
const SHORTEST = 330;

const digitsOf = (length: number) => Math.ceil(Math.log2(length));

/** What one reach sends on the first day of a wallet that stays open. */
function bytesOfDay(reach: ProofReach, bytes: number): number {
  let sent = 0;
  let due = asBlueScore(0n);
  let shown: ReturnType<typeof asBlueScore> | null = null;
  for (let score = 0; score < DAY; score += 1) {
    const tip = asBlueScore(BigInt(score));
    if (!isDue(tip, reach, { due, tip: shown })) continue;
    sent += bytes;
    due = usedUntil(tip, reach, bytes, { due, blockTimeMs: 1_000n });
    shown = tip;
  }
  return sent;
}

/** Milliseconds an action: all that is public of a page, and the trial decryption of one key beside it. */
function costOf(core: CoreGlue, options: Pick<BenchOptions, "rounds" | "signal">) {
  const { profile } = readPaymentFixture();
  const profileJson = core.builtInProfile(profile);
  const fvk = callCore(() => core.fullViewingKey(new Uint8Array(32).fill(9)));
  const page = busyPage(core, profileJson);
  const [owner, nobody] = [
    new core.Scanner(profileJson, fvk),
    new core.Scanner(profileJson, new Uint8Array()),
  ];
  try {
    const scan = (scanner: typeof owner) => () =>
      callCore(() => scanner.scanRecords(page.body, page.count));
    const actions = PAGE_BLOCKS * PAGE_ACTIONS;
    const checkMs = samples(options, scan(nobody)) / actions;
    const wholeMs = samples(options, scan(owner)) / actions;
    return { checkMs, scanMs: wholeMs - checkMs };
  } finally {
    owner.free();
    nobody.free();
  }
}

/** Blocks full of the recorded payments' actions, over and over. */
function busyPage(core: CoreGlue, profileJson: string) {
  const fixture = readPaymentFixture();
  const daaScore = BigInt(fixture.forkIndex);
  const known = PAYMENTS.flatMap((name) => {
    const { raw } = fixture.payment(name);
    const frame = callCore(() => core.mempoolFrame(profileJson, raw, daaScore));
    const [record] = readRecords(poolRecord(frame).page);
    return record?.transactions.flatMap(({ actions }) => actions) ?? [];
  });
  const records = Array.from({ length: PAGE_BLOCKS }, (_, block): ScanRecord => {
    const turned = Array.from({ length: PAGE_ACTIONS }, (_unused, at) => known[at % known.length]);
    const actions = turned.filter((action) => action !== undefined);
    const hash = (block + 1).toString(16).padStart(64, "0");
    return {
      hash: asBlockHash(hash),
      blueScore: asBlueScore(BigInt(block + 1)),
      daaScore: asDaaScore(BigInt(block + 1)),
      timestamp: asTimestampMs(BigInt(block) * 1_000n),
      firstLeaf: asLeafPosition(BigInt(block * PAGE_ACTIONS)),
      coinbaseTxid: asTxId(hash),
      outputs: [],
      transactions: [{ txid: asTxId(hash), actions }],
    };
  });
  return readContainer(encodeContainer(asChainIndex(1n), records), PAGE_BLOCKS);
}

/** The median of the samples in milliseconds of this process: what else runs on the machine does not count. */
function samples(
  { rounds, signal }: Pick<BenchOptions, "rounds" | "signal">,
  task: () => unknown,
): number {
  return median(
    Array.from({ length: rounds }, () => {
      throwIfAborted(signal);
      const began = process.cpuUsage();
      task();
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1_000;
    }),
  );
}
