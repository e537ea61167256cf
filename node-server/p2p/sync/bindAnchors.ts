/**
 * Fetches the proofs (bindings) of an imported state's anchors from before the security fork, from any peer that has them
 * (decision record 29).
 */
import { isOfClass } from "@svc/shared/base/codeClasses.ts";
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { announces } from "@svc/shared/protocol/p2p/p2pServices.ts";
import type { StagedImport } from "../../engine/import/stagedImport.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Peer } from "../peers/peer.ts";
import { fetchBindings, type PointParts } from "./fetchPoint.ts";

/** Dependencies of the binding of anchors. */
export type BindParts = Pick<PointParts, "meter" | "steadyMs" | "signal"> & {
  readonly staged: Pick<StagedImport, "wantsBindings" | "bindings" | "waiveBindings">;
  /** Whose state it is. */
  readonly peer: Peer;
  /** Who else may have what binds it. */
  readonly others: () => readonly Peer[];
  readonly log: Log;
};

/**
 * Fetches and applies the bindings of a claimed state's anchors, if any of the anchors need one. Where nobody has the bindings,
 * the anchors are taken as they came: the reference's nodes have nothing of the kind. Rejects with `import/wrong-entry` where
 * the claim is false.
 */
export async function bindAnchors(parts: BindParts, point: BlockHash): Promise<void> {
  const { staged, peer, others, signal, log } = parts;
  const able = [peer, ...others().filter((other) => other !== peer)].filter(({ introduction }) =>
    announces(introduction.services, "anchorBindings"),
  );
  for (const giver of able) {
    if (!(await staged.wantsBindings(signal))) return;
    await bindFrom(parts, giver, point);
  }
  if (!(await staged.wantsBindings(signal))) return;
  log.warn(
    { code: "import/unbound", pruningPoint: point },
    "nobody has what binds the anchors from before the security fork: they are taken as the peer claims them",
  );
  await staged.waiveBindings(signal);
}

/** What came of it stays; a giver that sends what does not hold loses its link, unless the state itself is false. */
async function bindFrom(parts: BindParts, { link }: Peer, point: BlockHash): Promise<void> {
  try {
    await fetchBindings({ ...parts, link }, point);
  } catch (thrown) {
    const fault = SvcError.from(thrown);
    const isOfState = fault.code === "import/wrong-entry" || link === parts.peer.link;
    if (parts.signal.aborted || isOfState || isOfClass(fault, "own")) throw fault;
    link.end(fault);
  }
}
