/** Made-up payments for tests of the relay, which does not look into them. */
import { rawTransactionOf } from "@svc/shared/protocol/p2p/p2pTransaction.ts";

/** The raw payment of a number, with a payload of so many bytes. */
export function numberedPayment(number: number, payloadBytes = 8): Uint8Array {
  return rawTransactionOf({
    version: 1,
    inputs: [],
    outputs: [],
    lockTime: BigInt(number),
    subnetworkId: { bytes: new Uint8Array(20) },
    gas: 0n,
    payload: new Uint8Array(payloadBytes),
    storageMass: 0n,
  });
}
