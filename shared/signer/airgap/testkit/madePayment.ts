/** Prepared payments with well-formed bytes and made-up content: nothing that reads the air gap opens a commitment. */
import fc from "fast-check";
import { asDaaScore, asRawAddress, asSompi, U64_MAX } from "../../../base/brand.ts";
import { encodeHex } from "../../../base/hex.ts";
import type { PreparedPayment } from "../../preparedPayment.ts";
import { EFFECTS_BYTES, joinBundle } from "../bundleEffects.ts";
import { AIRGAP_VERSION, SESSION_BYTES } from "../preparedPaymentCbor.ts";
import type { SignedPayment } from "../signedPaymentCbor.ts";

const bytes = (length: number, minLength = length) =>
  fc.uint8Array({ minLength, maxLength: length });
const hex = (length: number, min = length) => bytes(length, min).map(encodeHex);
const sompi = fc.bigInt({ min: 0n, max: U64_MAX }).map(asSompi);
const recipient = hex(43).map(asRawAddress);
const indices = (count: number) =>
  fc
    .uniqueArray(fc.nat({ max: count - 1 }), { minLength: 1, maxLength: count })
    .map((list) => list.toSorted((a, b) => a - b));

function bundleOf(actions: number) {
  const head = {
    valueBalance: fc.bigInt({ min: 0n, max: 0x7fff_ffff_ffff_ffffn }),
    anchor: bytes(32),
    actions: bytes(EFFECTS_BYTES * actions),
  };
  const plain = { ...head, flags: fc.constant(0b0011), anchorBlock: fc.constant(null) };
  const named = { ...head, flags: fc.constant(0b1011), anchorBlock: bytes(32) };
  return fc.oneof(fc.record(plain), fc.record(named)).map(joinBundle);
}

/** Any prepared payment of so many actions. */
export function preparedPayments(actions: number): fc.Arbitrary<PreparedPayment> {
  const all = { minLength: actions, maxLength: actions };
  return fc.record({
    version: fc.constant(AIRGAP_VERSION),
    network: hex(32),
    session: hex(SESSION_BYTES),
    daaScore: fc.bigInt({ min: 0n, max: U64_MAX }).map(asDaaScore),
    payments: fc.array(fc.record({ recipient, value: sompi, memo: hex(512, 0) }), {
      minLength: 1,
      maxLength: actions,
    }),
    fee: sompi,
    bundle: bundleOf(actions),
    disclosure: fc.array(
      fc.record({
        spendValue: sompi,
        outValue: sompi,
        outRecipient: recipient,
        outRseed: hex(32),
        rcv: hex(32),
      }),
      all,
    ),
    alphas: indices(actions).chain((list) =>
      fc.tuple(...list.map((index) => fc.record({ index: fc.constant(index), alpha: hex(32) }))),
    ),
  });
}

/** Any answer to a prepared payment. */
export const signedPayments: fc.Arbitrary<SignedPayment> = fc.record({
  version: fc.constant(AIRGAP_VERSION),
  session: hex(SESSION_BYTES),
  signatures: indices(38).chain((list) =>
    fc.tuple(...list.map((index) => fc.record({ index: fc.constant(index), sig: hex(64) }))),
  ),
});

/** The longest of all prepared payments: every number and text as long as it may be. */
export function longestPayment(actions: number, payees: number): PreparedPayment {
  const most = asSompi(U64_MAX);
  const to = asRawAddress("ff".repeat(43));
  const each = (count: number) => Array.from({ length: count }, (_, index) => index);
  return {
    version: AIRGAP_VERSION,
    network: "11".repeat(32),
    session: "22".repeat(SESSION_BYTES),
    daaScore: asDaaScore(U64_MAX),
    payments: each(payees).map(() => ({ recipient: to, value: most, memo: "33".repeat(512) })),
    fee: most,
    bundle: joinBundle({
      flags: 0b1011,
      valueBalance: 0x7fff_ffff_ffff_ffffn,
      anchor: new Uint8Array(32),
      actions: new Uint8Array(EFFECTS_BYTES * actions),
      anchorBlock: new Uint8Array(32),
    }),
    disclosure: each(actions).map(() => ({
      spendValue: most,
      outValue: most,
      outRecipient: to,
      outRseed: "44".repeat(32),
      rcv: "55".repeat(32),
    })),
    alphas: each(actions).map((index) => ({ index, alpha: "66".repeat(32) })),
  };
}
