/** Payment plan fixtures without notes: every action spends a dummy and pays nothing. */
import { encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";

/** Size, leaf and number of siblings of a tree without leaves. */
const EMPTY_TREE = new Uint8Array(41);
const NETWORK = "simnet";

/** A plan, as JSON, whose bundle has this many actions (at least two). */
export function dummyPlan(core: CoreGlue, actions: number): string {
  const fvk = callCore(() => core.fullViewingKey(new Uint8Array(32).fill(7)));
  const address = encodeHex(callCore(() => core.addressAt(fvk, 0)));
  const tree = callCore(() => new core.NoteTree(EMPTY_TREE));
  const anchor = encodeHex(callCore(() => tree.root(0n)));
  tree.free();
  return JSON.stringify({
    profile: JSON.parse(callCore(() => core.builtInProfile(NETWORK))),
    fvk: encodeHex(fvk),
    daaScore: "50",
    anchor,
    anchorBlock: "ab".repeat(32),
    spends: [],
    outputs: Array.from({ length: actions }, () => ({ address, value: "0", memo: "" })),
    fee: "0",
    recoverable: false,
  });
}
