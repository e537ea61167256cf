/** Rule for the unit suite: which of its files take too much of the processor. */

/** Seconds of the processor above which a file is named. */
export const NAMED_SECONDS = 2;
/** Calibration loops above which a file fails. The loop runs in the process of the file, right after it. */
export const FAILED_LOOPS = 8;

/** Processor time of the tests and hooks of a file. */
export type UnitSeconds = {
  /** Seconds of the processor. */
  readonly seconds: number;
  /** Seconds of the calibration loop; null for a file that is quick without any comparison. */
  readonly loop: number | null;
};

declare module "vitest" {
  interface TaskMeta {
    /** Of a file: what its tests and hooks took. */
    unitSeconds?: UnitSeconds;
  }
}

/** The judgement of a file. */
export type UnitVerdict = "quick" | "named" | "failed";

/** Judges a file. A busy or slow machine stretches both figures, and so changes no failure. */
export function judgeUnit({ seconds, loop }: UnitSeconds): UnitVerdict {
  if (seconds <= NAMED_SECONDS) return "quick";
  return loop !== null && seconds > FAILED_LOOPS * loop ? "failed" : "named";
}

/**
 * Seconds of the calibration loop to hold a file's seconds against; null for a file that is quick without one. What one loop
 * would fail is held against the slowest of as many as the file may take: neighbours that come and go slowed the file, and
 * may be gone for one loop.
 */
export function loopBeside(seconds: number, calibrate: () => number): number | null {
  if (seconds <= NAMED_SECONDS) return null;
  let loop = calibrate();
  for (let more = 1; more < FAILED_LOOPS && seconds > FAILED_LOOPS * loop; more += 1) {
    loop = Math.max(loop, calibrate());
  }
  return loop;
}

/** The line of a file, for people. */
export function unitLine(file: string, { seconds, loop }: UnitSeconds): string {
  const loops = loop === null ? "" : `, ${(seconds / loop).toFixed(1)} calibration loops`;
  return `${file}: ${seconds.toFixed(1)} s of the processor${loops}`;
}
