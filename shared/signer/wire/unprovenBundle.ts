/** Unproven bundle: a bundle's bytes without its proof, which no signature covers and no device can check. */
import { SvcError } from "../../base/svcError.ts";
import { SIGNER_LIMITS } from "../signerLimits.ts";

/** Where the number of actions stands (specification shielded 3). */
const COUNT_AT = 109;
const ACTION_BYTES = 884;
const PROOF_BYTES = 2_720;
const PROOF_BYTES_PER_ACTION = 2_272;
const U32_BYTES = 4;

/**
 * The bundle with a proof of length 0; one that has none is copied. Throws `signer/bad-prepared` where the bytes end too early, and
 * `shielded/bad-proof-length` for a proof that is neither whole nor missing.
 */
export function unprovenBundle(bundle: Uint8Array): Uint8Array<ArrayBuffer> {
  if (bundle.length > SIGNER_LIMITS.preparedBundleBytes) throw malformed("bundle too long");
  const view = new DataView(bundle.buffer, bundle.byteOffset, bundle.byteLength);
  const actions = readU32(view, COUNT_AT);
  const lengthAt = COUNT_AT + U32_BYTES + actions * ACTION_BYTES;
  const proofAt = lengthAt + U32_BYTES;
  const proofBytes = readU32(view, lengthAt);
  const expected = PROOF_BYTES + actions * PROOF_BYTES_PER_ACTION;
  if (proofBytes !== 0 && proofBytes !== expected) {
    throw new SvcError("shielded/bad-proof-length", { expected, found: proofBytes });
  }
  const restAt = proofAt + proofBytes;
  if (restAt > bundle.length) throw malformed("bundle too short");
  const unproven = new Uint8Array(proofAt + bundle.length - restAt);
  unproven.set(bundle.subarray(0, lengthAt));
  unproven.set(bundle.subarray(restAt), proofAt);
  return unproven;
}

function readU32(view: DataView, at: number): number {
  if (at + U32_BYTES > view.byteLength) throw malformed("bundle too short");
  return view.getUint32(at);
}

function malformed(reason: string): SvcError {
  return new SvcError("signer/bad-prepared", { reason });
}
