/** The floor of work below a header that is known: the longer ago that was, the easier the work that still counts. */
import type { WorkFloor } from "./coreJudge.ts";

/** How work may fall: so many factors of two at once, and one more for each such time. */
export type Easing = { readonly halvings: number; readonly everyMs: bigint };

/** The judge takes no more. */
const MOST_HALVINGS = 255;

/** The floor at `nowMs` below bits that held at `knownMs`, by the caller's own clock. */
export function easedFloor(
  { bits, knownMs }: { readonly bits: number; readonly knownMs: bigint },
  { halvings, everyMs }: Easing,
  nowMs: bigint,
): WorkFloor {
  const age = nowMs > knownMs ? nowMs - knownMs : 0n;
  return { bits, halvings: Math.min(MOST_HALVINGS, halvings + Number(age / everyMs)) };
}
