/**
 * Bounds of what tests wait for. They are there for what hangs, and so large that no verdict is by them, however slow the
 * machine is.
 */

/** ms. A test whose own bound is another one than its project's. */
export const HANG_MS = 20 * 60_000;

/** ms. One step of a test: less than a test, so that what hangs is named. */
export const STEP_HANG_MS = 8 * 60_000;
