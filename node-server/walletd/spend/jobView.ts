/** Read model of a job: how far it is, how long it takes yet, how it ended. */
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import type { PaymentState } from "@svc/shared/wallet/state/payment.ts";
import type { JobKind, JobRow, JobState } from "../store/jobTable.ts";
import type { ProvingPace } from "./provingPace.ts";
import type { WorkProgress } from "./spendWork.ts";

/** The step of a job that spends; the empty text once it has ended. */
export type SpendPhase = "planning" | "proving" | "signing" | "broadcasting" | "";

/** A job as its caller sees it. */
export type JobView = {
  readonly id: string;
  readonly kind: JobKind;
  readonly state: JobState;
  readonly phase: string;
  /** Transactions that are out, and all of them; 0 of 0 before that is known. */
  readonly done: number;
  readonly total: number;
  /** Seconds of proving that are left, by the proofs made so far; null when nobody knows. Waiting for others is not in it. */
  readonly secondsLeft: number | null;
  readonly createdMs: TimestampMs;
  readonly updatedMs: TimestampMs;
  /** The JSON of the answer, for one that is done. */
  readonly body: string | null;
  /** Why it was not done in full. */
  readonly error: ErrorJson | null;
};

/** Makes the view of a job. `atHand` is the state of the payment at hand. */
export function jobView(
  row: JobRow,
  live: { readonly progress: WorkProgress | null; readonly atHand: PaymentState | null } | null,
  pace: ProvingPace,
): JobView {
  const { id, kind, state, createdMs, updatedMs, answer: body, error } = row;
  const ended = { id, kind, state, createdMs, updatedMs, body, error };
  const { phase, done, total } = row;
  if (live === null) return { ...ended, phase, done, total, secondsLeft: null };
  const { progress } = live;
  if (progress === null) return { ...ended, phase, done, total, secondsLeft: null };
  const now = phaseOf(live.atHand);
  const proved = now === "proving" ? progress.atHand * progress.proved : progress.atHand;
  return {
    ...ended,
    phase: now,
    done: progress.done,
    total: progress.total,
    secondsLeft: pace.secondsFor(progress.actions - proved),
  };
}

function phaseOf(state: PaymentState | null): SpendPhase {
  switch (state) {
    case null:
    case "draft":
    case "planned":
    case "proving":
      return "proving";
    case "signing":
    case "signed":
      return "signing";
    default:
      return "broadcasting";
  }
}
