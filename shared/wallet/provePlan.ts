/**
 * Turns a planned payment into what the prover works from: paths and anchor added
 * (specification wallet 12.2). The prover checks each path against the anchor before it
 * begins.
 */
import { asAnchor, type Anchor, type DaaScore } from "../base/brand.ts";
import { encodeHex } from "../base/hex.ts";
import type { NoteTree } from "./noteTree.ts";
import type { PlannedPayment } from "./planner.ts";

/** The prover's plan in the form of its JSON; numbers of 64 bits are decimal text, bytes hex. */
export type ProvePlan = {
  readonly profile: unknown;
  readonly fvk: string;
  readonly daaScore: string;
  readonly anchor: Anchor;
  readonly anchorBlock: string;
  readonly spends: readonly {
    readonly recipient: string;
    readonly value: string;
    readonly rho: string;
    readonly rseed: string;
    readonly position: string;
    readonly path: string;
  }[];
  readonly outputs: readonly {
    readonly address: string;
    readonly value: string;
    readonly memo: string;
  }[];
  readonly fee: string;
  readonly recoverable: boolean;
};

/** What a plan needs beside the payment. */
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

/** The plan of a payment. Throws `shielded/bad-position` when the tree does not reach the anchor. */
export function provePlan(payment: PlannedPayment, context: PlanContext): ProvePlan {
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

/** The payment as the person wants it, for the signer to compare with what was proved. */
export type SignIntent = {
  readonly profile: unknown;
  readonly daaScore: string;
  readonly payments: ProvePlan["outputs"];
  readonly fee: string;
};

/** The intent that belongs to a plan. */
export function signIntent(plan: ProvePlan): SignIntent {
  const { profile, daaScore, outputs, fee } = plan;
  return { profile, daaScore, payments: outputs, fee };
}
