/** View model of a payment's progress: the names of its stages, and how far the progress bar stands. */
import type { SendStage, SendView } from "../../wallet-api/walletApi.ts";
import type { PlainKey } from "../../i18n/translate.ts";

/** A stage with its name and what happens in it. */
export type StageTexts = {
  readonly stage: Exclude<SendStage, "paused" | "sent" | "failed">;
  readonly name: PlainKey;
  readonly text: PlainKey;
};

/** The stages in order. */
export const STAGES: readonly StageTexts[] = [
  { stage: "building", name: "send.stageBuilding", text: "send.buildingText" },
  { stage: "proving", name: "send.stageProving", text: "send.provingText" },
  { stage: "signing", name: "send.stageSigning", text: "send.signingText" },
  { stage: "broadcasting", name: "send.stageBroadcasting", text: "send.broadcastingText" },
];

/** Where each stage begins on the bar: nearly all the time goes into the proof. */
const BEGINS: { readonly [S in SendStage]: number } = {
  building: 0,
  proving: 0.06,
  signing: 0.94,
  broadcasting: 0.97,
  paused: 0,
  sent: 1,
  failed: 0,
};

/** Seconds in which the bar covers two thirds of what is left of the preparation. */
const PREPARATION_PACE = 10;

/**
 * How much of the whole payment is done, 0 to 1; never falls while the payment goes on. The
 * preparation cannot tell how far it is, so the bar creeps towards its end and never reaches it.
 */
export function overallFraction(
  send: Pick<SendView, "stage" | "fraction" | "part" | "parts">,
  elapsedSeconds: number,
): number {
  if (send.stage === "sent" || send.stage === "failed") return BEGINS[send.stage];
  return (send.part - 1 + partFraction(send, elapsedSeconds)) / send.parts;
}

/** How much of the transaction at hand is done. */
function partFraction(send: Pick<SendView, "stage" | "fraction">, elapsedSeconds: number): number {
  const begin = BEGINS[send.stage];
  if (send.stage === "building") {
    return BEGINS.proving * (1 - Math.exp(-elapsedSeconds / PREPARATION_PACE));
  }
  if (send.stage !== "proving") return begin;
  return begin + (BEGINS.signing - begin) * Math.min(1, Math.max(0, send.fraction ?? 0));
}

/** What the payment screen shows: one of these replaces the other. */
export type SendStep = "form" | "review" | "progress" | "end";

/** The step of a screen with this payment, and with or without a payment put up for review. */
export function stepOf(send: Pick<SendView, "stage"> | null, reviewing: boolean): SendStep {
  if (send === null) return reviewing ? "review" : "form";
  return isEnd(send.stage) ? "end" : "progress";
}

/** Nothing more happens by itself, or not now. */
function isEnd(stage: SendStage): boolean {
  return stage === "paused" || stage === "sent" || stage === "failed";
}

/** Whether a stage lies behind, is running, or is to come. */
export function stageState(stage: SendStage, current: SendStage): "done" | "now" | "next" {
  const order = STAGES.map((texts) => texts.stage);
  const at = order.findIndex((name) => name === stage);
  const now = current === "sent" ? order.length : order.findIndex((name) => name === current);
  if (at < now) return "done";
  return at === now ? "now" : "next";
}
