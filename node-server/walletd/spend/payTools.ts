/** What payments of open wallets are made with: provers, signers, the node, and the prover's input of a payment at its turn. */
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { PayParts } from "@svc/shared/wallet/send/payReserved.ts";
import {
  planAtTurn,
  type NumberedPayment,
  type ReservePlace,
} from "@svc/shared/wallet/send/reservePayment.ts";
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

/** What `payReserved` works with for a wallet. */
export function payPartsOf(tools: PayTools, open: OpenWallet): PayParts {
  const { proofs, signerFor, node, clock, transactionId } = tools;
  const prover = proofs.proverFor(open.token);
  const signer = signerFor(open.token);
  return { sync: open, node, clock, prover, signer, transactionId };
}

/** What payments of an open wallet are reserved in. */
export function reservePlace(
  { clock }: Pick<PayTools, "clock">,
  { tree }: Pick<OpenWallet, "tree">,
  state: WalletState,
): ReservePlace {
  return { state, tree, nowMs: clock.nowMs() };
}

/** The prover's input of a reserved payment of an open wallet, as `planAtTurn` makes it. Throws as that does, and `wallet/opening`. */
export function provePlanAtTurn(
  { profile }: Pick<PayTools, "profile">,
  open: OpenWallet,
  payment: NumberedPayment,
): ProvePlan {
  const fvk = encodeHex(open.keys.fvk);
  return planAtTurn({ profile, fvk, recoverable: open.facts.recoverableHistory }, open, payment);
}
