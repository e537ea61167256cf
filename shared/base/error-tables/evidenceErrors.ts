/** Error registry, rows of evidence: what a node or a receipt shows of the chain does not hold. */
import type { CodeOf } from "../generated/codes.ts";
import { caller, type ErrorInfo } from "./errorInfo.ts";

/** Evidence decodes and is false. */
const REFUSED = 422;

/** The registry rows of area `evidence`. */
export const evidenceErrors: { readonly [C in CodeOf<"evidence">]: ErrorInfo } = {
  "evidence/behind-other": caller(
    "Another node shows work up to blue score {other}; this one only up to {found}.",
    REFUSED,
  ),
  "evidence/below-level": caller(
    "Header {hash} reaches block level {level}; its run claims {min}.",
    REFUSED,
  ),
  "evidence/contradicted": caller(
    "This node left block {block}, above which the work of the network was shown.",
    REFUSED,
  ),
  "evidence/foreign-coinbase": caller(
    "The transaction shown is not the coinbase of block {hash}.",
    REFUSED,
  ),
  "evidence/no-log": caller("The state of block {block} holds no anchor log.", REFUSED),
  "evidence/no-parent": caller("Block {hash} has no parent whose state it could show.", REFUSED),
  "evidence/not-in-tree": caller("The note shown does not stand in the tree {root}.", REFUSED),
  "evidence/not-linked": caller("Header {hash} does not follow from the one before it.", REFUSED),
  "evidence/not-member": caller(
    "The path of entry {index} does not lead to the anchor log of {count} blocks.",
    REFUSED,
  ),
  "evidence/not-shown": caller(
    "This node does not show the work above its blocks: {reason}.",
    REFUSED,
  ),
  "evidence/other-challenge": caller(
    "The receipt was not made for the challenge that was asked.",
    REFUSED,
  ),
  "evidence/other-coins": caller(
    "This node told of other mined coins than the chain commits to at block {block}.",
    REFUSED,
  ),
  "evidence/other-header": caller(
    "The pieces of evidence are about different headers: {found} instead of {expected}.",
    REFUSED,
  ),
  "evidence/other-network": caller(
    "The receipt is of the network {found}; this one is {expected}.",
    REFUSED,
  ),
  "evidence/other-notes": caller(
    "This node left out or made up payments: at block {block} the chain commits to other notes.",
    REFUSED,
  ),
  "evidence/other-nullifiers": caller(
    "This node left out or made up spends: at block {block} the chain commits to other nullifiers.",
    REFUSED,
  ),
  "evidence/other-page": caller(
    "Another node tells the records after block {block} otherwise.",
    REFUSED,
  ),
  "evidence/other-payload": caller("Payment {txid} is not the one that this node told.", REFUSED),
  "evidence/other-scores": caller(
    "This node told another score or time of block {block}: {found} instead of {expected}.",
    REFUSED,
  ),
  "evidence/other-state": caller(
    "The parts shown are not the state that the coinbase commits to: {found} instead of {expected}.",
    REFUSED,
  ),
  "evidence/stale-tip": caller(
    "The newest block that this node shows is older than the clock allows.",
    REFUSED,
  ),
  "evidence/too-easy": caller(
    "A header has the difficulty {bits}, which is easier than the floor {floor}.",
    REFUSED,
  ),
  "evidence/too-few-headers": caller(
    "The run shows {count} headers of its block level; at least {min} are needed.",
    REFUSED,
  ),
  "evidence/unknown-work": caller("This program knows no work of this network yet.", REFUSED),
};
