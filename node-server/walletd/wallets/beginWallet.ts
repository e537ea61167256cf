/** Finds the block at which the scan of a new wallet begins, and makes its state. */
import type { DaaScore } from "@svc/shared/base/brand.ts";
import { restartOutbox } from "@svc/shared/wallet/reduce/outboxChain.ts";
import type { NodeTip } from "@svc/shared/wallet/state/ports.ts";
import type { Payment } from "@svc/shared/wallet/state/payment.ts";
import type { WalletIdentity } from "@svc/shared/wallet/run/openWallet.ts";
import { newWallet, type WalletState } from "@svc/shared/wallet/state/walletState.ts";
import { startBelow, type StartParts } from "@svc/shared/wallet/sync/birthday.ts";
import { inOrder } from "./loadWallet.ts";

/** What a wallet begins with. */
export type Beginning = {
  readonly identity: WalletIdentity;
  readonly birthday: DaaScore;
  readonly nextAddressIndex: number;
  /** Payments that the wallet made before, which exist nowhere else, as they stand when its first block was found. */
  readonly payments: () => readonly Payment[];
};

/** Makes the state of a wallet that has scanned nothing. Rejects with the node's errors. */
export async function beginWallet(
  parts: Omit<StartParts, "nowMs">,
  { identity, birthday, nextAddressIndex, payments }: Beginning,
  tip: NodeTip,
  signal: AbortSignal,
): Promise<WalletState> {
  const { block, historyMissing } = await startBelow(parts, birthday, tip, signal);
  const account = { ...identity, nextAddressIndex, birthday: block, bornOn: null, historyMissing };
  return { ...newWallet(account), outbox: inOrder(restartOutbox(payments(), block)) };
}
