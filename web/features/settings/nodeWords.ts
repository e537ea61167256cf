/** Texts of the list of nodes: the roles of each, and what it last said, which is its claim. */
import type { NodeWord } from "@svc/shared/wallet/node/otherNodes.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { countText, momentText } from "../../i18n/format.ts";
import { sentenceOf } from "../../i18n/sentence.ts";
import { t, type PlainKey } from "../../i18n/translate.ts";
import type { NodeRoles } from "../../state/nodeList.ts";
import type { OthersView } from "../../wallet-api/walletApi.ts";

/** Where a tip lies, and when its block was made. */
export type TipPlace = {
  readonly chainIndex: bigint;
  readonly blueScore: bigint;
  readonly timestamp: bigint | null;
};

/** A line of a node: what it is about, and what is known of it. */
export type NodeRow = { readonly label: string; readonly value: string };

/** What the words depend on beside the node itself: the time, and how high the followed node says that its chain is. */
export type ListMoment = { readonly nowMs: number; readonly followedScore: bigint | null };

/** The roles of a node, as words. `roles` are those of this load of the page. */
export function roleTexts(
  url: string,
  roles: NodeRoles,
  { asked, pays }: Pick<OthersView, "asked" | "pays">,
): readonly string[] {
  const words = pays === url ? [t("nodes.rolePays")] : [];
  if (url === roles.followed) return [t("nodes.roleFollowed"), ...words];
  if (url === asked) return [t("nodes.roleSecond"), ...words];
  if (url === roles.second) return [t("nodes.roleReplaced"), ...words];
  return [t(roles.spare.includes(url) ? "nodes.roleSpare" : "nodes.roleNone"), ...words];
}

const STATES: { readonly [S in NodeWord["state"]]: PlainKey } = {
  unasked: "nodes.unasked",
  online: "settings.nodeOnline",
  offline: "settings.nodeOffline",
  refused: "nodes.refused",
};

/** What a node that is not followed last said. */
export function wordRows(word: NodeWord, moment: ListMoment): readonly NodeRow[] {
  const rows = [{ label: t("nodes.state"), value: t(STATES[word.state]) }];
  const { askedMs, answerMs, tip, problem } = word;
  if (askedMs !== null) {
    rows.push({ label: t("nodes.asked"), value: momentText(askedMs, moment.nowMs) });
  }
  if (answerMs !== null) rows.push(answerRow(answerMs));
  if (tip !== null) {
    rows.push({ label: t("nodes.network"), value: tip.network === "" ? "—" : tip.network });
    rows.push({ label: t("nodes.tip"), value: tipText(tip, moment) });
  }
  if (word.state !== "unasked")
    rows.push({ label: t("nodes.agrees"), value: t(agreementOf(word)) });
  if (problem !== null) rows.push({ label: t("nodes.fault"), value: sentenceOf(problem) });
  return rows;
}

/** How long a node took for its last answer. */
export function answerRow(answerMs: bigint): NodeRow {
  return { label: t("nodes.answer"), value: t("nodes.answerMs", { time: countText(answerMs) }) };
}

/** The block at the tip, its time, and where it lies beside the followed node's. */
export function tipText(claim: TipPlace, moment: ListMoment): string {
  const { chainIndex, blueScore, timestamp } = claim;
  const block = countText(chainIndex);
  const tip =
    timestamp === null
      ? block
      : t("nodes.tipAt", { block, time: momentText(timestamp, moment.nowMs) });
  const above = moment.followedScore === null ? 0n : blueScore - moment.followedScore;
  if (above > WALLET_LIMITS.walletSyncedWithin) return t("nodes.tipAhead", { tip, count: above });
  if (-above > WALLET_LIMITS.walletSyncedWithin)
    return t("nodes.tipBehind", { tip, count: -above });
  return tip;
}

/** Contradictions first: a block that was proved says more than a comparison. */
function agreementOf({ records, hasProved }: NodeWord): PlainKey {
  if (hasProved === false) return "nodes.agreesNo";
  if (records === "other") return "nodes.agreesOther";
  if (records === "same") return "nodes.agreesSame";
  return hasProved === true ? "nodes.agreesYes" : "nodes.agreesUnknown";
}
