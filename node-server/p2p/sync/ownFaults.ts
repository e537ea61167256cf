/** Which errors of catching up are this node's own: another peer would meet them too, and none is to blame. */
import type { SvcError } from "@svc/shared/base/svcError.ts";

const OWN_FAULTS: ReadonlySet<SvcError["code"]> = new Set([
  "engine/abi-mismatch",
  "engine/bad-call",
  "engine/not-imported",
  "engine/out-of-memory",
  "engine/overflow",
  "engine/panic",
  "engine/restarted",
  "export/moved",
  "history/out-of-order",
  "import/not-empty",
  "import/out-of-order",
  "internal/unexpected",
  "node/stopping",
  "queue/closed",
  "queue/full",
  "run/aborted",
  "store/commit-failed",
  "store/corrupt",
  "store/map-full",
  "store/damaged",
  "store/missing",
  "store/no-room",
  "store/profile-mismatch",
  "store/read-failed",
  "store/unreadable",
  "store/version",
  "sync/no-source",
]);

/** Whether an error is this node's own, or passes by itself, and not the fault of the peer that is asked. */
export function isOwnFault({ code }: SvcError): boolean {
  return OWN_FAULTS.has(code);
}
