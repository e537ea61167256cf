/**
 * Makes the prover's input of a planned payment: Merkle paths and anchor added (specification wallet
 * 12.2). The prover checks each path against the anchor before it begins.
 */
import { asAnchor, type DaaScore } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import type { NoteTree } from "../state/noteTree.ts";
import type { PlannedPayment } from "./planner.ts";
import type { ProvePlan } from "../state/provePlan.ts";

/** What the prover's input needs beside the payment. */
export type PlanContext = {
  /** The network profile, as JSON. */
  readonly profile: unknown;
  /** Full viewing key, hex of 96 bytes. */
  readonly fvk: string;
  /** DAA score of the next block: it decides whether the bundle names its anchor block. */
  readonly daaScore: DaaScore;
  readonly tree: NoteTree;
  /** Whether the own history can be read back from the chain with the viewing key alone. */
  readonly recoverable: boolean;
};

/** Makes the prover's input of a payment. Throws `shielded/bad-position` when the tree does not reach the anchor. */
export function makeProvePlan(payment: PlannedPayment, context: PlanContext): ProvePlan {
  const size = payment.anchor.leafEnd;
  const anchor = asAnchor(encodeHex(context.tree.root(size)));
  return {
    profile: context.profile,
    fvk: context.fvk,
    daaScore: String(context.daaScore),
    anchor,
    anchorBlock: payment.anchor.hash,
    spends: payment.notes.map((note) => ({
      recipient: note.recipient,
      value: String(note.value),
      rho: note.rho,
      rseed: note.rseed,
      position: String(note.position),
      path: encodeHex(context.tree.path(note.position, size)),
    })),
    outputs: payment.payees.map(({ recipient, value, memo }) => ({
      address: recipient,
      value: String(value),
      memo,
    })),
    fee: String(payment.fee),
    recoverable: context.recoverable,
  };
}
