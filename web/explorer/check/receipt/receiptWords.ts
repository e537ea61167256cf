/** Words of a receipt that was checked: what it shows and what it stands on, in the language of the page. */
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import { standsNear } from "@svc/shared/light/receiptRange.ts";
import { minerOdds } from "@svc/shared/light/workBlocks.ts";
import type { ReceiptFacts } from "@svc/shared/protocol/facts/receiptFacts.ts";
import { readMemo } from "@svc/shared/wallet/state/memo.ts";
import type { PageLocale } from "@svc/shared/explorer/pageLocale.ts";
import { workTimeText } from "../chain/workTimeText.ts";
import type { CheckTexts } from "../checkTexts.ts";
import type { ReceiptReport } from "./checkReceipt.ts";

/** One line. */
export type ReceiptLine = {
  readonly label: string;
  readonly value: string;
  /** Addresses and hashes. */
  readonly isMono?: boolean;
};

/** The language, and its texts. */
export type ReceiptTexts = { readonly texts: CheckTexts; readonly locale: PageLocale };

/** The end of the calendar, in milliseconds. */
const LATEST_MS = 8_640_000_000_000_000n;

/** What it shows, line by line. */
export function receiptLines(
  { facts, address }: NonNullable<ReceiptReport["shown"]>,
  { texts, locale }: ReceiptTexts,
): readonly ReceiptLine[] {
  const { t } = texts;
  const line = (label: string, value: string): ReceiptLine => ({ label, value });
  const { value, block, blueScore, time, depth, challenge } = facts;
  return [
    { ...line(t("receipt.recipient"), address), isMono: true },
    line(t("receipt.amount"), texts.coins(String(value))),
    line(t("receipt.block"), t("receipt.blockValue", { block })),
    line(
      t("receipt.score"),
      blueScore === null ? t("receipt.notShown") : texts.count(String(blueScore)),
    ),
    line(
      t("receipt.time"),
      time === null
        ? t("receipt.notShown")
        : t("receipt.timeValue", { time: timeText(time, locale) }),
    ),
    line(t("receipt.depth"), texts.count(String(depth))),
    ...challengeLines(challenge, texts),
    ...disclosureLines(facts, texts),
  ];
}

function disclosureLines({ disclosure }: ReceiptFacts, { t, coins }: CheckTexts): ReceiptLine[] {
  if (disclosure === null) return [];
  const { txid, memo, spent } = disclosure;
  const read = readMemo(memo);
  const said = read.kind === "empty" ? t("disclosure.noMemo") : null;
  return [
    { label: t("receipt.payment"), value: t("receipt.paymentValue", { txid }) },
    { label: t("disclosure.memo"), value: said ?? (read.kind === "text" ? read.text : memo) },
    ...(spent === null ? [] : [{ label: t("receipt.spent"), value: coins(String(spent)) }]),
  ];
}

/** The text has a line of its own: whatever it says, it says nothing of who signed it. */
function challengeLines(challenge: ReceiptFacts["challenge"], { t }: CheckTexts): ReceiptLine[] {
  const label = t("receipt.challenge");
  if (challenge === null) return [{ label, value: t("receipt.noChallenge") }];
  const { text, isAnswered } = challenge;
  const by = t(isAnswered ? "receipt.answered" : "receipt.unanswered");
  return [
    { label, value: text },
    { label: t("receipt.signedBy"), value: by },
  ];
}

/** What it stands on: what it takes to make up such a one. */
export function standingText(
  { shown, asksForWork }: Pick<ReceiptReport, "shown" | "asksForWork">,
  { texts: { t }, locale }: ReceiptTexts,
): string {
  if (shown === null) return "";
  if (!asksForWork) return t("receipt.noWork");
  const { grade, work } = shown.facts;
  const hashes = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 }).format(
    BigInt(`0x${work}`),
  );
  return t(grade === "chain" ? "receipt.byChain" : "receipt.byWork", { hashes });
}

/** The work as time of the whole network, and what luck makes of one header; or that nothing measures it. Empty for nothing to say. */
export function measureText(
  { shown, asksForWork, blockTimeMs }: Pick<ReceiptReport, "shown" | "asksForWork" | "blockTimeMs">,
  { texts: { t }, locale }: ReceiptTexts,
): string {
  if (shown === null || !asksForWork) return "";
  const { grade, blocks } = shown.facts;
  if (blocks === null) return t("receipt.unmeasured");
  const time = workTimeText(blocks * blockTimeMs, locale);
  if (grade === "chain") return t("receipt.chainTime", { time });
  const { ms, dayChance } = minerOdds(blocks, blockTimeMs);
  const form = { style: "percent", maximumSignificantDigits: 2 } as const;
  const chance = new Intl.NumberFormat(locale, form).format(dayChance);
  return t("receipt.workTime", { time, longer: workTimeText(ms, locale), chance });
}

/** Whether the receipt may be one of a branch that the chain left. */
export function mayBeLeft({
  shown,
  asksForWork,
}: Pick<ReceiptReport, "shown" | "asksForWork">): boolean {
  return shown !== null && asksForWork && standsNear(shown.facts);
}

/** Why it is refused, or was not checked: one sentence. */
export function refusalText({ code }: Pick<ErrorJson, "code">, { t }: CheckTexts): string {
  if (code === "evidence/other-network") return t("receipt.otherNetwork", { code });
  if (code === "evidence/other-challenge") return t("receipt.otherChallenge", { code });
  if (code === "keys/bad-signature") return t("receipt.badAnswer", { code });
  if (code === "airgap/frame-checksum") return t("receipt.misread", { code });
  if (code.startsWith("airgap/") || code.startsWith("codec/"))
    return t("receipt.noReceipt", { code });
  return t("receipt.false", { code });
}

/** Why a node's chain could not be asked, or does not hold the receipt. */
export function anchorText({ code }: Pick<ErrorJson, "code">, { t }: CheckTexts): string {
  if (code === "chain/unknown-block" || code === "evidence/not-member") {
    return t("receipt.notOnChain", { code });
  }
  if (code === "evidence/not-shown") return t("receipt.tooYoung", { code });
  return t("receipt.noNode", { code });
}

/** A forger writes what he likes, also a time that no calendar has. */
function timeText(time: bigint, locale: PageLocale): string {
  if (time > LATEST_MS) return String(time);
  const form = new Intl.DateTimeFormat(locale, {
    dateStyle: "long",
    timeStyle: "long",
    timeZone: "UTC",
  });
  return form.format(Number(time));
}
