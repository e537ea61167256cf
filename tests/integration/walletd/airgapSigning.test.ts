/**
 * A device at the air gap with the real core: it says what a payment does, signs it, and signs nothing that was changed on its way.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { IS_FULL, testSeed } from "@svc/node-server/platform/testkit/testRun.ts";
import { asRawAddress, asSompi } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { EFFECTS_BYTES, splitBundle } from "@svc/shared/signer/airgap/bundleEffects.ts";
import { decodePreparedPayment } from "@svc/shared/signer/airgap/preparedPaymentCbor.ts";
import { sessionOf } from "@svc/shared/signer/preparedSession.ts";
import type { PreparedPayment } from "@svc/shared/signer/preparedPayment.ts";
import { PaymentSigner } from "@svc/web/signer/paymentSigner.ts";
import { readAirgapVector } from "../../fixtures/airgap/airgapVector.ts";
import { Chance, Mutator } from "../../fuzz/mutator.ts";

const SEED = 23;
const MUTATIONS = IS_FULL ? 10_000 : 300;
/** Bytes of an action (specification shielded 3.2). */
const RK = { start: 32, end: 64 };
const SENDERS_COPY = 740;
const vector = readAirgapVector();
const { prepared } = vector;
const [payment] = prepared.payments;
if (payment === undefined) throw new Error("the vector pays somebody");

let core: CoreGlue;
let profiles: readonly string[];
beforeAll(async () => {
  core = await loadCoreFile();
  profiles = [core.builtInProfile(vector.profile)];
});

const signerOf = (seed: string) => new PaymentSigner(core, profiles, new Secret(decodeHex(seed)));
const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    return error instanceof SvcError ? error.code : String(error);
  }
  return "signed";
};

/** The payment under the session that its preparer would give it: a session that does not fit is refused before all else. */
const named = (payment: PreparedPayment): PreparedPayment => ({
  ...payment,
  session: sessionOf(payment),
});

/**
 * What a device answers for. The session is the preparer's own name, and the score only chooses the form of the bundle. Anchors, the
 * key of a dummy and, as nobody tells whether history shall be recoverable, the sender's copies are signed as they are: with false ones the
 * payment is invalid or lacks a copy.
 */
function judged({ bundle, network, payments, fee, disclosure, alphas }: PreparedPayment) {
  const { flags, valueBalance, actions } = splitBundle(bundle);
  const signedActions = new Set(alphas.map(({ index }) => index));
  const parts = disclosure.map((_, index) => {
    const action = actions.slice(EFFECTS_BYTES * index, EFFECTS_BYTES * (index + 1));
    if (!signedActions.has(index)) action.fill(0, RK.start, RK.end);
    return action.subarray(0, SENDERS_COPY);
  });
  return { network, payments, fee, disclosure, alphas, flags, valueBalance, parts };
}

describe("the device", () => {
  it("tells what the payment does, and signs every spend under its session", () => {
    const signer = signerOf(vector.seed);
    const spent = prepared.disclosure.reduce((sum, { spendValue }) => sum + spendValue, 0n);
    const total = payment.value + prepared.fee;
    expect(signer.review(prepared)).toEqual({
      networkName: expect.stringContaining(vector.profile),
      payees: [
        {
          address: vector.payeeAddress,
          value: payment.value,
          memo: { kind: "text", text: "Invoice 2026-117 ✓" },
          own: false,
        },
      ],
      fee: prepared.fee,
      total,
      change: spent - total,
    });
    const { session, signatures } = signer.sign(prepared);
    expect(session).toBe(prepared.session);
    expect(signatures.map(({ index }) => index)).toEqual(prepared.alphas.map(({ index }) => index));
    expect(signatures.every(({ sig }) => /^[0-9a-f]{128}$/.test(sig))).toBe(true);
    expect(signer.keys(signer.networkNames[0] ?? "").viewingKey).toMatch(/^[0-9a-f]{192}$/);
  });

  it("keeps nothing when it is closed", () => {
    const signer = signerOf(vector.seed);
    signer.close();
    signer.close();
    expect(refusal(() => signer.sign(prepared))).toBe("internal/erased-secret");
  });

  it("refuses another network, another seed, and each changed term", () => {
    const signer = signerOf(vector.seed);
    const changed = (change: Partial<PreparedPayment>) =>
      refusal(() => signer.review(named({ ...prepared, ...change })));
    const paying = (change: Partial<typeof payment>) =>
      changed({ payments: [{ ...payment, ...change }] });
    expect(changed({ network: "00".repeat(32) })).toBe("airgap/unknown-network");
    const other = { ...prepared, session: "00".repeat(24) };
    expect(refusal(() => signer.review(other))).toBe("signer/wrong-session");
    const own = prepared.disclosure.find(({ outRecipient }) => outRecipient !== payment.recipient);
    const refusals = [
      paying({ value: asSompi(payment.value + 1n) }),
      paying({ memo: "" }),
      paying({ recipient: asRawAddress(own?.outRecipient ?? "") }),
      changed({ fee: asSompi(prepared.fee + 1n) }),
      changed({ payments: [payment, payment] }),
      changed({ alphas: [] }),
      changed({ disclosure: prepared.disclosure.toReversed() }),
      refusal(() => signerOf("22".repeat(32)).review(prepared)),
    ];
    expect(refusals).not.toContain("signed");
    for (const code of refusals) expect(code).toMatch(/^(prove|signer|shielded)\//);
  });

  it(`signs none of ${MUTATIONS} messages that were changed in what a device answers for`, () => {
    const signer = signerOf(vector.seed);
    const seed = testSeed(SEED);
    console.info(`changed messages: SVC_SEED=${seed}`);
    const mutator = new Mutator(new Chance(seed, "airgap"), [decodeHex(vector.cbor)], false);
    const outcomes = new Set<string>();
    for (let count = 0; count < MUTATIONS; count += 1) {
      const bytes = mutator.next();
      const outcome = refusal(() => {
        const read = decodePreparedPayment(bytes);
        signer.sign(named(read));
        expect(judged(read)).toEqual(judged(prepared));
      });
      expect(outcome).toMatch(/^(signed$|(airgap|codec|prove|signer|shielded|tx|address)\/)/);
      outcomes.add(outcome);
    }
    expect(outcomes.size).toBeGreaterThan(4);
  });
});
