/** What payments of open wallets are made with: provers, signers, the node, and the prover's input of a payment at its turn. */
import type { Anchor } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { makeProvePlan } from "@svc/shared/wallet/plan/makeProvePlan.ts";
import type { PlannedPayment } from "@svc/shared/wallet/plan/planner.ts";
import type { PayParts } from "@svc/shared/wallet/send/payReserved.ts";
import { reserved, rootOf, tipToPayAt } from "@svc/shared/wallet/send/reservePayment.ts";
import type { ClockPort, NodePort, SignerPort } from "@svc/shared/wallet/state/ports.ts";
import type { ProvePlan } from "@svc/shared/wallet/state/provePlan.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { WalletToken } from "../keys/walletToken.ts";
import type { WalletStore } from "../store/walletStore.ts";
import type { OpenWallet } from "../wallets/openWallet.ts";
import type { ProofQueue } from "./proofQueue.ts";

/** Dependencies of spending. */
export type PayTools = {
  readonly store: WalletStore;
  readonly proofs: ProofQueue;
  readonly signerFor: (token: WalletToken) => SignerPort;
  readonly node: Pick<NodePort, "submit">;
  readonly clock: ClockPort;
  readonly policy: WalletPolicy;
  /** The core's function for the identity of a raw transaction. */
  readonly transactionId: (raw: Uint8Array) => string;
  /** The network profile, as JSON. */
  readonly profile: unknown;
};

/** A planned payment, and the root that was reserved with it. */
export type NumberedPayment = {
  readonly id: string;
  readonly planned: PlannedPayment;
  readonly root: Anchor;
};

/** What `payReserved` works with for a wallet. */
export function payPartsOf(tools: PayTools, open: OpenWallet): PayParts {
  const { proofs, signerFor, node, clock, transactionId } = tools;
  const prover = proofs.proverFor(open.token);
  const signer = signerFor(open.token);
  return { sync: open, node, clock, prover, signer, transactionId };
}

/** The state with planned payments that hold their notes. `idOf` names them by their place. Throws like `rootOf`. */
export function reserveAll(
  { clock }: Pick<PayTools, "clock">,
  { state, open }: { readonly state: WalletState; readonly open: OpenWallet },
  planned: readonly PlannedPayment[],
  idOf: (place: number) => string,
): { readonly state: WalletState; readonly payments: readonly NumberedPayment[] } {
  const { tree } = open;
  // All payments of a plan have one anchor.
  const roots = new Map<bigint, Anchor>();
  const payments = planned.map((one, place) => {
    const { leafEnd } = one.anchor;
    const root = roots.get(leafEnd) ?? rootOf(one, tree);
    roots.set(leafEnd, root);
    return { id: idOf(place), planned: one, root };
  });
  const nowMs = clock.nowMs();
  const next = payments.reduce((before, one) => reserved(before, { ...one, nowMs }), state);
  return { state: next, payments };
}

/**
 * The prover's input of a reserved payment when its turn has come: the paths of many would take long at once. Throws as
 * `tipToPayAt` does, `wallet/opening`, and `wallet/tree-mismatch` when blocks below the anchor were undone meanwhile.
 */
export function provePlanAtTurn(
  { profile }: Pick<PayTools, "profile">,
  open: OpenWallet,
  { planned, root }: NumberedPayment,
): ProvePlan {
  const plan = makeProvePlan(planned, {
    profile,
    fvk: encodeHex(open.keys.fvk),
    daaScore: tipToPayAt(open).daaScore,
    tree: open.tree,
    recoverable: open.facts.recoverableHistory,
  });
  if (plan.anchor === root) return plan;
  throw new SvcError("wallet/tree-mismatch", { expected: root, found: plan.anchor });
}
