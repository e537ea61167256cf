/** Bundles without their proofs. */
import { expect, test } from "vitest";
import { codeOf } from "../../base/testkit/codeOf.ts";
import { unprovenBundle } from "./unprovenBundle.ts";

/** A bundle with so many actions, a proof of so many bytes, and the bytes 7 behind it. */
function bundle(actions: number, proof: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(113 + actions * 884 + 4 + proof + 32).fill(1);
  const view = new DataView(bytes.buffer);
  view.setUint32(109, actions);
  view.setUint32(113 + actions * 884, proof);
  return bytes.fill(7, bytes.length - 32);
}

test("the proof goes and everything else stays", () => {
  for (const actions of [2, 38]) {
    const bytes = bundle(actions, 2_720 + 2_272 * actions);
    expect(unprovenBundle(bytes)).toEqual(bundle(actions, 0));
    // A view into a larger buffer is read at its own place.
    const shifted = new Uint8Array(bytes.length + 5);
    shifted.set(bytes, 5);
    expect(unprovenBundle(shifted.subarray(5))).toEqual(bundle(actions, 0));
  }
  expect(unprovenBundle(bundle(2, 0))).toEqual(bundle(2, 0));
});

test("lengths that do not fit are refused", () => {
  expect(codeOf(() => unprovenBundle(bundle(2, 2_720)))).toBe("shielded/bad-proof-length");
  const short = bundle(2, 7_264).subarray(0, 9_000);
  expect(codeOf(() => unprovenBundle(short))).toBe("signer/bad-prepared");
  for (const length of [0, 112, 113, 116]) {
    expect(codeOf(() => unprovenBundle(new Uint8Array(length)))).toBe("signer/bad-prepared");
  }
  const many = bundle(2, 0);
  new DataView(many.buffer).setUint32(109, 0xffff_ffff);
  expect(codeOf(() => unprovenBundle(many))).toBe("signer/bad-prepared");
  expect(codeOf(() => unprovenBundle(new Uint8Array(122_798)))).toBe("signer/bad-prepared");
});
