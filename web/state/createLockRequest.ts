/** Lock action of the wallet, with a confirmation while a payment is under way. */
import { createSignal, type Accessor } from "solid-js";
import type { WalletClient } from "./walletClient.ts";

/** The action and its open question. */
export type LockRequest = {
  /** Locks, or asks first when that would cancel a payment. */
  readonly request: () => void;
  /** True while the question is open. */
  readonly asking: Accessor<boolean>;
  readonly confirm: () => void;
  readonly dismiss: () => void;
};

/** A payment of which nothing has left ends with the lock, so its owner is asked. */
export function createLockRequest(client: WalletClient): LockRequest {
  const [asked, setAsked] = createSignal(false);
  // A payment over several transactions is gone on with once a part of it has left.
  const wouldCancel = () => {
    const { send } = client.snapshot;
    return send !== null && send.cancellable && send.out === 0;
  };
  const lock = () => void client.lock();
  return {
    request: () => (wouldCancel() ? setAsked(true) : lock()),
    // The payment may have left while the question stood: then there is nothing to ask any more.
    asking: () => asked() && wouldCancel(),
    confirm: lock,
    dismiss: () => setAsked(false),
  };
}
