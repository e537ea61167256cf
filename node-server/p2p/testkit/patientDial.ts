/** Dial limits of tests: an honest peer is never too late for them. */
import { STEP_HANG_MS } from "../../../tests/testkit/hangMs.ts";
import type { DialLimits } from "../link/grpcDialer.ts";

/** Takes minutes for each step, where a node takes a second for the first one. */
export const PATIENT_DIAL: DialLimits = {
  connectMs: STEP_HANG_MS,
  openMs: STEP_HANG_MS,
  closeMs: STEP_HANG_MS,
};
