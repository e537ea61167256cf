/** Bound of what page tests wait for. */
import { STEP_HANG_MS } from "../../../tests/testkit/hangMs.ts";

/** ms. How long a test looks for something at most: less than a test may take, so that what is not there is named. */
export const POLL_MS = STEP_HANG_MS;
