/** Dial limits of tests: an honest peer is never too late for them. */
import type { DialLimits } from "../link/grpcDialer.ts";

/** Takes a minute for each step, where a node takes a second for the first one. */
export const PATIENT_DIAL: DialLimits = { connectMs: 60_000, openMs: 60_000, closeMs: 60_000 };
