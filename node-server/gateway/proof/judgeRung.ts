/** Judges the evidence of one state: the header above it, what it commits to, and the work since the state before it. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { EvidenceJudge, WorkFloor } from "@svc/shared/light/coreJudge.ts";
import type { TipEvidence } from "@svc/shared/light/evidencePort.ts";
import { workOfBits } from "@svc/shared/light/workBlocks.ts";
import type { Rung } from "./rungs.ts";
import type { ProvedStep } from "./scanProof.ts";

/** What a node showed. */
export type ShownRung = {
  /** The opening of the state. */
  readonly opening: Uint8Array;
  /** The run of one header: the one that the opening stands in. */
  readonly header: Uint8Array;
  /** The opening of the state before it, and the run from there; null for the first. */
  readonly since: TipEvidence | null;
};

/**
 * The step. Throws what the judge throws, `evidence/other-header` for evidence of another block, and `evidence/other-notes`,
 * `evidence/other-scores` where the chain commits to something else than was scanned.
 */
export function judgeRung(
  {
    judge,
    floor,
  }: {
    readonly judge: Pick<EvidenceJudge, "tip" | "opened">;
    readonly floor: WorkFloor | null;
  },
  { block, child, treeRoot }: Rung & { readonly treeRoot: string },
  from: ProvedStep | null,
  { opening, header, since }: ShownRung,
): ProvedStep {
  const { state, work } = judge.opened(floor, { opening, run: header });
  sameHeader(child.hash, state.child);
  sameHeader(child.hash, work.tip);
  sameHeader(block.hash, state.block);
  const before = since === null || from === null ? null : judge.tip(floor, since).work;
  if (from !== null && before !== null) {
    sameHeader(from.child.hash, before.base);
    // A run of a block level ends at its last header of that level, below the child. None ends above it: its work would count twice.
    if (before.blueScore >= work.blueScore) sameHeader(child.hash, before.tip);
  }
  if (state.treeRoot !== treeRoot) {
    const data = { block: block.hash, expected: state.treeRoot, found: treeRoot };
    throw new SvcError("evidence/other-notes", data);
  }
  for (const [hash, expected, found] of [
    [child.hash, work.blueScore, child.blueScore],
    [block.hash, state.blueScore ?? block.blueScore, block.blueScore],
  ] as const) {
    if (expected === found) continue;
    throw new SvcError("evidence/other-scores", { block: hash, expected, found });
  }
  const { bits, blueScore, timestamp } = work;
  const below = from === null ? 0n : from.total;
  const fresh = before === null ? workOfBits(bits) : BigInt(`0x${before.work}`);
  return {
    ...{ hash: block.hash, chainIndex: block.chainIndex, blueScore: block.blueScore },
    child: { hash: child.hash, bits, blueScore, timestamp },
    total: below + fresh,
  };
}

function sameHeader(expected: string, found: string): void {
  if (expected !== found) throw new SvcError("evidence/other-header", { expected, found });
}
