/** Payments with well-formed bytes and made-up content: the engine takes the verdict on a proof from its host. */
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SUBNETWORK_ID_LENGTH } from "@svc/shared/chain/transaction.ts";
import { encodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";

/** Spends, outputs, and the block of the anchor (specification shielded 3). */
const FLAGS = 0b1011;
const SIGNATURE_BYTES = 64;
/** An action behind its nullifier, rk and cmx. */
const ACTION_REST = 32 + 32 + 580 + 80 + SIGNATURE_BYTES;
/** The proof of one action. */
const PROOF_BYTES = 2_720 + 2_272;

/** The chain block whose note tree a payment refers to. */
export type MadeAnchor = { readonly block: string; readonly root: string };

function u32be(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** A field element that is another for every kind and number. */
function element(kind: number, number: number): Uint8Array {
  const bytes = new Uint8Array(32);
  bytes.set([number & 0xff, number >>> 8, 0, 0, 0, 0, 0, 0, kind]);
  return bytes;
}

/** A RawTransaction without a fee that spends the note of this number, with the anchor's block named. */
export function madePayment(note: number, anchor: MadeAnchor): Uint8Array {
  const payload = Buffer.concat([
    Uint8Array.of(FLAGS),
    new Uint8Array(8),
    decodeHex(anchor.root),
    u32be(SIGNATURE_BYTES),
    new Uint8Array(SIGNATURE_BYTES),
    u32be(1),
    element(1, note),
    new Uint8Array(32).fill(3),
    element(2, note),
    new Uint8Array(ACTION_REST).fill(4),
    u32be(PROOF_BYTES),
    new Uint8Array(PROOF_BYTES),
    decodeHex(anchor.block),
  ]);
  return encodeRawTransaction({
    version: 2,
    inputs: [],
    outputs: [],
    lockTime: 0n,
    subnetworkId: new Uint8Array(SUBNETWORK_ID_LENGTH),
    gas: 0n,
    payload,
    storageMass: 0n,
  });
}
