/** Messages between the main thread and a reader thread. */
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import type { AskCall } from "../calls/engineMessages.ts";
import type { PlainAnswer } from "../calls/engineQuestions.ts";

/** Messages to the reader thread. */
export type ReaderRequest =
  | { readonly id: number; readonly call: AskCall }
  | { readonly stop: true };

/** Messages from the reader thread. */
export type ReaderReport =
  | { readonly kind: "opened" }
  | { readonly kind: "answer"; readonly id: number; readonly value: PlainAnswer }
  | { readonly kind: "refused"; readonly id: number; readonly error: ErrorJson }
  | { readonly kind: "failed"; readonly error: ErrorJson };

/** The start parameters of a reader thread: the folder that holds `consensus/`, and the canonical profile. */
export type ReaderWorkerData = { readonly root: string; readonly profile: string };
