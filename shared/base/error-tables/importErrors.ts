/**
 * Error registry, rows of snapshot imports, on both sides: what a peer sent of a pruning point does not hold, or a call came
 * too early.
 */
import type { CodeOf } from "../generated/codes.ts";
import { busy, defect, notNow, operator, ruleBroken, type ErrorInfo } from "./errorInfo.ts";

/** The registry rows of the areas above. */
export const importErrors: {
  readonly [C in CodeOf<"export" | "history" | "import" | "sync">]: ErrorInfo;
} = {
  "export/moved": busy("The chain moved while pruning point {pruningPoint} was being served."),

  "history/out-of-order": notNow("No records of history are wanted now.", false),
  "history/wrong-record": ruleBroken("The record of block {hash} does not fit: {reason}."),

  "import/incomplete": ruleBroken(
    "The headers sent for the import do not suffice to judge block {hash}: {table} {key} is missing.",
  ),
  "import/not-bound": notNow(
    "No block above the pruning point {pruningPoint} is known yet, so its state cannot be checked.",
  ),
  "import/not-empty": operator("An import needs an empty store."),
  "import/out-of-order": defect("The import was called in the wrong order: {call}."),
  // A network that is young, or a profile from a later day: no peer is to blame.
  "import/too-little-work": notNow(
    "The peer's chain shows work of {shown} hashes; this network's profile asks for {min}.",
    false,
  ),
  "import/too-many-headers": ruleBroken(
    "The import brings {count} headers, blocks or bytes; at most {max} are taken.",
  ),
  "import/too-many-nullifiers": ruleBroken(
    "The import brings {count} nullifiers; at most {max} are taken.",
  ),
  "import/unbound": defect(
    "Anchors from before the security fork below {pruningPoint} are not bound to the chain.",
  ),
  "import/unexpected-body": ruleBroken("The import did not ask for block {hash}.", "minor"),
  "import/wrong-binding": ruleBroken(
    "What is said to bind the anchor of block {hash} to the chain does not: {reason}.",
  ),
  "import/wrong-child": ruleBroken(
    "Block {hash} is not the child of the pruning point on the heaviest chain; that is {expected}.",
    "minor",
  ),
  "import/wrong-entry": ruleBroken(
    "Anchor {index} of the state claim does not fit the others: {reason}.",
  ),
  "import/wrong-ghostdag": ruleBroken("The GHOSTDAG data sent for block {hash} are wrong."),
  "import/wrong-header": ruleBroken(
    "Header {hash} has no place in the graph of the pruning point: {reason}.",
  ),
  "import/wrong-lanes": ruleBroken(
    "The lanes do not make the commitment of the pruning point: {found} instead of {expected}.",
  ),
  "import/wrong-nullifiers": ruleBroken(
    "The {count} nullifiers make {found}; the state claim says {expected}.",
  ),
  "import/wrong-points": ruleBroken(
    "The list of pruning points is wrong at number {index}: {reason}.",
  ),
  "import/wrong-state": ruleBroken(
    "The state claim is not what the network committed to ({reason}): {found} instead of {expected}.",
  ),

  // Whoever follows another chain than the operator wants, or has not come so far, does nothing wrong.
  "sync/checkpoint-missing": notNow(
    "The chain that the peer shows does not hold block {hash}, which --pruning-point asks for.",
    false,
  ),
  "sync/finality-conflict": ruleBroken(
    "The peer's chain lacks the pruning point of this node.",
    "minor",
  ),
  "sync/no-source": busy("No peer gives the blocks that are missing here."),
  "sync/not-ahead": notNow("The peer's chain does not have more work than this node's.", false),
  "sync/outdone": notNow("Another peer's proof shows more work than this peer's.", false),
};
