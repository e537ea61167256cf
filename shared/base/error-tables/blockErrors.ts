/** Error registry, rows of blocks: header, body, coinbase, the rules that need the block's own chain, and pruning proofs. */
import type { CodeOf } from "../generated/codes.ts";
import { missing, notNow, ruleBroken, type ErrorInfo } from "./errorInfo.ts";

type Area = "header" | "body" | "coinbase" | "virtual" | "proof";

/** The registry rows of the areas above. */
export const blockErrors: { readonly [C in CodeOf<Area>]: ErrorInfo } = {
  "header/bad-parents": ruleBroken(
    "The block's parents are not written in their one valid form: {reason}.",
  ),
  "header/blue-work-too-large": ruleBroken("The block claims more work than can exist."),
  "header/bounded-merge": ruleBroken(
    "The block merges {block}, which is too far below it.",
    "major",
  ),
  "header/invalid-parent": ruleBroken("Parent {parent} of the block is invalid."),
  "header/invalid-pow": ruleBroken("The block lacks the proof of work for its difficulty."),
  "header/known-invalid": ruleBroken("Block {hash} was found invalid before: {reason}."),
  // A miner that found two witnesses shows each to other nodes: those in between are honest.
  "header/level-conflict": notNow(
    "The block takes its parent {parent} for one of level {claimed}; its witness here makes it level {level}.",
  ),
  "header/mergeset-too-big": ruleBroken(
    "The block merges {count} blocks; at most {max} are allowed.",
  ),
  "header/missing-parents": notNow("Parents of the block are unknown: {parents}."),
  "header/no-parents": ruleBroken("The block names no parent."),
  "header/origin-parent": ruleBroken("The block names the root of the graph as its parent."),
  "header/pruning-violation": ruleBroken(
    "The block does not build on the pruning point {pruningPoint}.",
    "major",
  ),
  "header/related-parents": ruleBroken(
    "Parent {ancestor} of the block is an ancestor of parent {descendant}.",
  ),
  "header/time-too-far-ahead": notNow(
    "The block's time {timestamp} is ahead of this clock; at most {max} is accepted now.",
  ),
  "header/time-too-old": ruleBroken("The block's time {timestamp} is not after {min}."),
  "header/too-many-parents": ruleBroken(
    "The block names {count} parents; at most {max} are allowed.",
  ),
  "header/wrong-bits": ruleBroken("The block's difficulty is {found}; it must be {expected}."),
  "header/wrong-blue-score": ruleBroken(
    "The block's blue score is {found}; it must be {expected}.",
  ),
  "header/wrong-blue-work": ruleBroken("The block's blue work is {found}; it must be {expected}."),
  "header/wrong-daa-score": ruleBroken("The block's DAA score is {found}; it must be {expected}."),
  "header/wrong-indirect-parents": ruleBroken("The block's parents of level {level} are wrong."),
  "header/wrong-pruning-point": ruleBroken(
    "The block names pruning point {found}; it must be {expected}.",
  ),
  "header/wrong-version": ruleBroken(
    "The block has version {found}; at its height it must be {expected}.",
  ),

  "body/bad-merkle-root": ruleBroken("The block's transactions do not match its header.", "major"),
  "body/chained-transaction": ruleBroken("Transaction {txid} spends an output of its own block."),
  "body/compute-mass": ruleBroken("The block costs {mass} to compute; at most {max} is allowed."),
  "body/double-spend": ruleBroken("Two transactions of the block spend {outpoint}."),
  "body/duplicate-transaction": ruleBroken("The block holds transaction {txid} twice."),
  "body/first-not-coinbase": ruleBroken("The block does not begin with a coinbase."),
  "body/lane-gas": ruleBroken("A lane of the block uses {gas} gas; at most {max} is allowed."),
  "body/multiple-coinbases": ruleBroken("Transaction {index} of the block is a second coinbase."),
  "body/no-transactions": ruleBroken("The block is empty; it must hold a coinbase."),
  "body/pruned": missing("Block {hash} is older than what this node keeps."),
  "body/storage-mass": ruleBroken("The block's storage mass is {mass}; at most {max} is allowed."),
  "body/too-many-lanes": ruleBroken("The block touches {count} lanes; at most {max} are allowed."),
  "body/transient-mass": ruleBroken(
    "The block's transient mass is {mass}; at most {max} is allowed.",
  ),

  "coinbase/bad-recipient": ruleBroken("The coinbase does not pay a shielded address: {reason}."),
  "coinbase/bad-storage-mass": ruleBroken("The coinbase commits to storage mass."),
  "coinbase/carries-commitment": ruleBroken(
    "The coinbase carries a merge-mining commitment, which its height forbids.",
  ),
  "coinbase/extra-too-long": ruleBroken(
    "The coinbase's extra data has {length} bytes; at most {max} fit.",
    "none",
  ),
  "coinbase/has-inputs": ruleBroken("The coinbase has inputs."),
  "coinbase/payload-too-long": ruleBroken(
    "The coinbase's payload has {length} bytes; at most {max} are allowed.",
  ),
  "coinbase/payload-too-short": ruleBroken(
    "The coinbase's payload has {length} bytes; it needs {min}.",
  ),
  "coinbase/script-too-long": ruleBroken(
    "The coinbase's script has {length} bytes; at most {max} are allowed.",
  ),
  "coinbase/too-many-outputs": ruleBroken(
    "The coinbase has {count} outputs; at most {max} are allowed.",
  ),
  "coinbase/wrong-blue-score": ruleBroken(
    "The coinbase names blue score {found}; the header says {expected}.",
  ),
  "coinbase/wrong-subsidy": ruleBroken(
    "The coinbase names subsidy {found}; the emission is {expected}.",
  ),

  "virtual/bad-transactions": ruleBroken(
    "{count} of the block's {total} transactions are not valid on its own chain, first {txid}: {reason}.",
    "minor",
  ),
  "virtual/disqualified": ruleBroken("Block {hash} cannot be on the selected chain.", "minor"),
  "virtual/finality-violation": notNow(
    "The chain of block {hash} contradicts what is final here.",
    false,
  ),
  "virtual/supply-mismatch": ruleBroken(
    "Minted coins and collected fees do not add up: {found} instead of {expected}.",
  ),
  "virtual/wrong-accepted-ids": ruleBroken(
    "The block commits to other accepted transactions: {found} instead of {expected}.",
  ),
  "virtual/wrong-coinbase": ruleBroken(
    "The block's coinbase is {found}; the rules build {expected}.",
  ),
  "virtual/wrong-selected-parent-order": ruleBroken(
    "The block's first parent is {found}; it must be {expected}.",
  ),
  "virtual/wrong-state-root": ruleBroken(
    "The block's shielded state root is {found}; it must be {expected}.",
  ),
  "virtual/wrong-utxo-commitment": ruleBroken(
    "The block's UTXO commitment is {found}; it must be {expected}.",
  ),

  "proof/blue-work-not-growing": ruleBroken(
    "Header {hash} at level {level} of the pruning proof claims no more blue work than its parent {parent}.",
  ),
  "proof/claimed-work": ruleBroken(
    "The pruning point claims blue work of {claimed}; its proof shows {shown}.",
  ),
  "proof/duplicate": ruleBroken("Level {level} of the pruning proof holds header {hash} twice."),
  "proof/empty-level": ruleBroken("Level {level} of the pruning proof has no header."),
  "proof/header-below-level": ruleBroken(
    "Header {hash} of the pruning proof is listed at level {level} and reaches level {found}.",
  ),
  "proof/last-not-tip": ruleBroken(
    "Level {level} of the pruning proof ends with {found}; its greatest header is {expected}.",
  ),
  "proof/missing-depth-block": ruleBroken(
    "Level {level} of the pruning proof does not hold {hash}, which the level above needs.",
  ),
  "proof/too-many-headers": ruleBroken(
    "The pruning proof has {count} headers; at most {max} are allowed.",
  ),
  "proof/too-short": ruleBroken(
    "Level {level} of the pruning proof has blue score {blueScore}; it must have {min} or begin at genesis.",
  ),
  "proof/unknown-parents": ruleBroken(
    "Header {hash} at level {level} of the pruning proof has no parent in the proof.",
  ),
  "proof/wrong-level-count": ruleBroken(
    "The pruning proof has {found} levels; the network has {expected}.",
  ),
  "proof/wrong-tip": ruleBroken(
    "Level {level} of the pruning proof ends with {found}, which is neither the pruning point {pruningPoint} nor its parent.",
  ),
};
