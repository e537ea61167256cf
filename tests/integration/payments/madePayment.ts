/** Payment fixtures with well-formed bytes and made-up content, since the engine takes the verdict on a proof from its host. */
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SUBNETWORK_ID_LENGTH } from "@svc/shared/chain/transaction.ts";
import { encodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";

/** Spends, outputs, and the block of the anchor (specification shielded 3). */
const FLAGS = 0b1011;
const SIGNATURE_BYTES = 64;
/** An action behind its nullifier, rk and cmx. */
const ACTION_REST = 32 + 32 + 580 + 80 + SIGNATURE_BYTES;
/** A proof without its actions, and what each of them adds. */
const PROOF_BYTES = 2_720;
const PROOF_BYTES_PER_ACTION = 2_272;

/** The chain block whose note tree a payment refers to. */
export type MadeAnchor = { readonly block: string; readonly root: string };

function u32be(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function u64be(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}

/** A field element that is another for every kind, number and action. */
function element(kind: number, number: number, action: number): Uint8Array {
  const bytes = new Uint8Array(32);
  bytes.set([number & 0xff, number >>> 8, action, 0, 0, 0, 0, 0, kind]);
  return bytes;
}

function action(note: number, index: number): Uint8Array {
  return Buffer.concat([
    element(1, note, index),
    new Uint8Array(32).fill(3),
    element(2, note, index),
    new Uint8Array(ACTION_REST).fill(4),
  ]);
}

/** How large a made payment is, and what it pays; both small when left out. */
export type MadeSize = { readonly actions?: number; readonly fee?: bigint };

/** A RawTransaction that spends the note of this number, with the anchor's block named. */
export function madePayment(
  note: number,
  anchor: MadeAnchor,
  { actions = 1, fee = 0n }: MadeSize = {},
): Uint8Array {
  const proofBytes = PROOF_BYTES + PROOF_BYTES_PER_ACTION * actions;
  const payload = Buffer.concat([
    Uint8Array.of(FLAGS),
    u64be(fee),
    decodeHex(anchor.root),
    u32be(SIGNATURE_BYTES),
    new Uint8Array(SIGNATURE_BYTES),
    u32be(actions),
    ...Array.from({ length: actions }, (_, index) => action(note, index)),
    u32be(proofBytes),
    new Uint8Array(proofBytes),
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
