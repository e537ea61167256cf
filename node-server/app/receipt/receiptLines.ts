/** Output of `svc receipt check`: the facts of a receipt in lines for people, and in one line of JSON for programs. */
import { formatCoins } from "@svc/shared/base/money.ts";
import { minerOdds } from "@svc/shared/light/workBlocks.ts";
import { standsNear } from "@svc/shared/light/receiptRange.ts";
import type { ReceiptFacts } from "@svc/shared/protocol/facts/receiptFacts.ts";
import { isoTime } from "../../platform/time/clock.ts";
import { readMemo } from "@svc/shared/wallet/state/memo.ts";

/** The end of the calendar, in milliseconds. */
const LATEST_MS = 8_640_000_000_000_000n;

/** The network, as far as the words need it. */
export type ReceiptNetwork = {
  /** False where blocks take no work. */
  readonly asksForWork: boolean;
  readonly targetTimePerBlockMs: bigint;
};

/** The lines. */
export function receiptLines(
  facts: ReceiptFacts,
  address: string,
  network: ReceiptNetwork,
): readonly string[] {
  const { value, block, blueScore, time, challenge, disclosure } = facts;
  return [
    `recipient    ${address}`,
    `amount       ${formatCoins(value)} (${value} sompi)`,
    `paid         in block ${block} or before`,
    `blue score   ${blueScore === null ? "not shown" : String(blueScore)}`,
    `time         ${time === null ? "not shown" : `${timeText(time)}, as the miner of the block told it`}`,
    `stands on    ${standing(facts, network)}`,
    ...measureLines(facts, network),
    ...(standsNear(facts) && network.asksForWork
      ? [
          `note         only ${facts.depth} chain blocks below that header: its branch may have been left`,
        ]
      : []),
    `challenge    ${challengeText(challenge)}`,
    ...(disclosure === null
      ? []
      : [
          `payment      ${disclosure.txid}, action ${disclosure.index}, as the payer says`,
          `memo         ${memoText(disclosure.memo)}`,
          ...(disclosure.spent === null
            ? []
            : [`spent        a note of ${disclosure.spent} sompi`]),
        ]),
  ];
}

/** One line of JSON; numbers of 64 bits as decimal text. */
export function receiptJson(facts: ReceiptFacts, address: string): string {
  const whole = { address, ...facts };
  return JSON.stringify(whole, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

function standing({ grade, work, blocks, header }: ReceiptFacts, network: ReceiptNetwork): string {
  if (!network.asksForWork) return "nothing: this network proves nothing";
  const span = blocks === null ? "" : `, ${spanOf(blocks, network)} of the whole network's work,`;
  const hashes = `${BigInt(`0x${work}`)} hashes${span}`;
  return grade === "chain"
    ? `headers that the node showed: a forger needs at least ${hashes} to make them`
    : `the work of header ${header} alone: a forger needs ${hashes} on average`;
}

/** That nothing measures the hashes; of a receipt by one header's work, what luck makes. */
function measureLines(
  { grade, blocks }: ReceiptFacts,
  { asksForWork, targetTimePerBlockMs }: ReceiptNetwork,
): readonly string[] {
  if (!asksForWork) return [];
  if (blocks === null) {
    return [
      "measure      none: this program knows no work of this network; --bits names the difficulty of a header of today",
    ];
  }
  if (grade === "chain") return [];
  const { ms, dayChance } = minerOdds(blocks, targetTimePerBlockMs);
  return [
    `luck         a miner with 5 % of the network makes such a header in ${timeOf(ms)} on average, and within one day with a chance of ${percent(dayChance)}`,
  ];
}

/** A chance for people: rounded up, so that none is told as smaller than it is. */
function percent(chance: number): string {
  return chance < 0.001 ? "less than 0.1 %" : `${Math.ceil(chance * 1_000) / 10} %`;
}

/** Blocks as the time that the whole network needs for them. */
function spanOf(blocks: bigint, { targetTimePerBlockMs }: ReceiptNetwork): string {
  return timeOf(blocks * targetTimePerBlockMs);
}

function timeOf(ms: bigint): string {
  const seconds = Number(ms / 1_000n);
  if (seconds < 120) return `about ${seconds} seconds`;
  if (seconds < 7_200) return `about ${Math.round(seconds / 60)} minutes`;
  if (seconds < 172_800) return `about ${Math.round(seconds / 3_600)} hours`;
  return `about ${Math.round(seconds / 86_400)} days`;
}

function challengeText(challenge: ReceiptFacts["challenge"]): string {
  if (challenge === null) return "none";
  const { text, isAnswered } = challenge;
  const who = isAnswered
    ? "signed by the payee"
    : "not signed: who held the receipt may have written it";
  return `${JSON.stringify(text)} (${who})`;
}

/** A memo may hold what moves a terminal's cursor: it is shown as JSON writes it. */
function memoText(hex: string): string {
  const memo = readMemo(hex);
  if (memo.kind === "empty") return "none";
  return memo.kind === "text" ? JSON.stringify(memo.text) : `${memo.hex} (no text)`;
}

/** A forger writes what he likes, also a time that no calendar has. */
function timeText(time: bigint): string {
  return time > LATEST_MS ? String(time) : isoTime(time);
}
