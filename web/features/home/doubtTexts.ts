/** Texts for a node in doubt: what it was found at, what that means, and what stays proved. */
import type { Code } from "@svc/shared/base/generated/codes.ts";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import { isNoLie, isOfNode } from "@svc/shared/wallet/proof/isNoLie.ts";
import type { ShownBlock } from "@svc/shared/wallet/view/shownChain.ts";
import type { EvidenceView } from "../../wallet-api/walletApi.ts";
import { momentText, workTimeText } from "../../i18n/format.ts";
import { t, type PlainKey } from "../../i18n/translate.ts";
import { isHealedByScan } from "./healing.ts";

/** A doubt in words. */
export type DoubtTexts = {
  readonly title: string;
  readonly text: string;
  /** How far the chain is proved, and whether what lies above counts. */
  readonly proved: string;
  /** The node contradicts the work of the chain; otherwise it only shows too little. */
  readonly isContradiction: boolean;
  /** Another node may do better. */
  readonly isOfNode: boolean;
};

/** What the chain commits to or a second node says otherwise, and what is missing. Every other fault of evidence is one of its bytes. */
const FAULTS: { readonly [C in Code]?: readonly [title: PlainKey, text: PlainKey] } = {
  "evidence/other-notes": ["doubt.notes", "doubt.contradictsText"],
  "evidence/other-nullifiers": ["doubt.spends", "doubt.contradictsText"],
  "evidence/other-coins": ["doubt.coins", "doubt.contradictsText"],
  "evidence/other-scores": ["doubt.scores", "doubt.contradictsText"],
  "evidence/other-payload": ["doubt.payload", "doubt.contradictsText"],
  "evidence/contradicted": ["doubt.left", "doubt.contradictsText"],
  "evidence/other-page": ["doubt.page", "doubt.elsewhereText"],
  "evidence/behind-other": ["doubt.behind", "doubt.elsewhereText"],
  "evidence/too-easy": ["doubt.easy", "doubt.brokenText"],
  "evidence/too-few-headers": ["doubt.easy", "doubt.brokenText"],
  "evidence/not-shown": ["doubt.notShown", "doubt.notShownText"],
  "evidence/unknown-work": ["doubt.unmeasured", "doubt.unmeasuredText"],
};

/** The words for what the node was found at; `asOfMs` is the time of its newest block. */
export function doubtTexts(
  { doubt, last }: Pick<EvidenceView, "doubt" | "last">,
  { asOfMs, nowMs }: { readonly asOfMs: bigint; readonly nowMs: number },
): DoubtTexts | null {
  if (doubt === null) return null;
  const isContradiction = !isNoLie(doubt);
  const proved = isContradiction ? countedText(last, nowMs) : keptText(last, nowMs);
  const rest = { proved, isContradiction, isOfNode: isOfNode(doubt) };
  if (doubt.code === "evidence/stale-tip") {
    const title = t("doubt.stale", { time: momentText(asOfMs, nowMs) });
    return { title, text: t("doubt.staleText"), ...rest };
  }
  const [title, text] = FAULTS[doubt.code] ?? ["doubt.broken", "doubt.brokenText"];
  return { title: t(title), text: t(text), ...rest };
}

/** Whether the doubt is what the one notice is about: a lie that was found says more than what a scan would heal. */
export function showsDoubt({
  evidence: { doubt },
  problem,
}: {
  readonly evidence: Pick<EvidenceView, "doubt">;
  readonly problem: ErrorJson | null;
}): boolean {
  if (doubt === null) return false;
  return problem === null || (!isNoLie(doubt) && isHealedByScan(problem));
}

/** What stands in the place of a sum that is not known: one that a liar tells will not be found. */
export function unknownText({ doubt }: Pick<EvidenceView, "doubt">): string {
  return t(doubt === null || isNoLie(doubt) ? "home.unknown" : "doubt.noSum");
}

function countedText(last: ShownBlock | null, nowMs: number): string {
  if (last === null) return t("doubt.provedNothing");
  const moment = momentOf(last, nowMs);
  const { backing } = last;
  if (backing.kind !== "work") return t("doubt.provedNoWork", { moment });
  return t("doubt.provedWork", { moment, time: workTimeText(backing.ms) });
}

function keptText(last: ShownBlock | null, nowMs: number): string {
  if (last === null) return t("doubt.keptNothing");
  const moment = momentOf(last, nowMs);
  const { backing } = last;
  if (backing.kind !== "work") return t("doubt.keptNoWork", { moment });
  return t("doubt.keptWork", { moment, time: workTimeText(backing.ms) });
}

/** The time of a block, else its number. */
function momentOf({ timestamp, chainIndex }: ShownBlock, nowMs: number): string {
  return timestamp === null
    ? t("doubt.block", { number: chainIndex })
    : momentText(timestamp, nowMs);
}
