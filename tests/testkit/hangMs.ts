/**
 * Bounds of what tests wait for. They are there for what hangs, and so large that no verdict is by them, however slow the
 * machine is.
 */

/** ms. A test. */
export const HANG_MS = 20 * 60_000;

/** ms. One step of a test: less than a test, so that what hangs is named. */
export const STEP_HANG_MS = 8 * 60_000;

/** ms. A test that builds a page or a package twice, or that takes many minutes at the full size. */
export const LONG_HANG_MS = 60 * 60_000;
