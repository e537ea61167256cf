/** The bound of everything that a test waits for. It is there for what hangs: no verdict is by it, however slow the machine is. */

/** ms. */
export const HANG_MS = 20 * 60_000;
