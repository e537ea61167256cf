/** What the main thread and a reading thread say to each other. */
import type { ErrorJson } from "@svc/shared/base/svcError.ts";
import type { AskCall, PlainAnswer } from "./engineMessages.ts";

/** Main thread → reading thread. */
export type ReaderRequest =
  | { readonly id: number; readonly call: AskCall }
  | { readonly stop: true };

/** Reading thread → main thread. */
export type ReaderReport =
  | { readonly kind: "opened" }
  | { readonly kind: "answer"; readonly id: number; readonly value: PlainAnswer }
  | { readonly kind: "refused"; readonly id: number; readonly error: ErrorJson }
  | { readonly kind: "failed"; readonly error: ErrorJson };

/** What a reading thread is started with: the folder that holds `consensus/`, and the canonical profile. */
export type ReaderWorkerData = { readonly root: string; readonly profile: string };
