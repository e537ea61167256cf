/** The refusals of `signer-refusals.json`, as a device gives them. */
import { describe, expect, it } from "vitest";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { asSompi } from "@svc/shared/base/brand.ts";
import type { PreparedPayment } from "@svc/shared/signer/preparedPayment.ts";
import { checkAnswers } from "@svc/shared/signer/preparedSession.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { caseSigner, core, HONEST, intentOf, preparedOf, REFUSED, TAKEN } from "./signerCases.ts";

const signer = caseSigner();

describe("a device", () => {
  // Whether the proof is there is for the prover to say: a device cannot check it.
  const own = REFUSED.filter(({ intent }) => intent.mayLackProof);

  it.each(own)("refuses $name with $code", (entry) => {
    const check = () => signer.verifyPrepared(intentOf(entry), preparedOf(entry));
    expect(codeOf(check)).toBe(entry.code);
    expect(codeOf(() => signer.sign(intentOf(entry), preparedOf(entry)))).toBe(entry.code);
  });

  it.each(TAKEN)("signs $name", (entry) => {
    const prepared = preparedOf(entry);
    const list = signer.sign(intentOf(entry), prepared);
    expect(list.session).toBe(prepared.session);
    expect(list.signatures.map(({ index }) => index)).toEqual(
      entry.alphas.map(({ index }) => index),
    );
  });

  it("says where the value goes", () => {
    const { spent, paid, change, fee } = signer.verifyPrepared(
      intentOf(HONEST),
      preparedOf(HONEST),
    );
    expect({ paid, fee }).toEqual({ paid: 500_000_000n, fee: 1_855_400n });
    expect(spent).toBe(paid + change + fee);
  });

  it("derives address and viewing keys", () => {
    const { address, recipient, fvk, ivk } = signer.account;
    expect(signer.recipientOf(address)).toBe(recipient);
    expect([fvk.length, ivk.length]).toEqual([192, 128]);
    expect(signer.recipientOf(signer.addressAt(3))).not.toBe(recipient);
  });
});

describe("a device that is given another payment than it says", () => {
  const honest = preparedOf(HONEST);
  const refusedWith = (change: Partial<PreparedPayment>) =>
    codeOf(() => signer.sign(intentOf(HONEST), { ...honest, ...change }));

  it("refuses another version", () => {
    const older: PreparedPayment = JSON.parse('{"version":2}');
    expect(refusedWith({ version: older.version })).toBe("signer/unsupported-version");
  });

  it("refuses another network", () => {
    const network = core.genesisHash(core.builtInProfile("devnet"));
    expect(refusedWith({ network })).toBe("signer/wrong-network");
  });

  it("refuses the session of another payment", () => {
    const other = TAKEN.find(({ name }) => name === "an announcement of value 0") ?? HONEST;
    const { session } = preparedOf(other);
    expect(session).not.toBe(honest.session);
    expect(refusedWith({ session })).toBe("signer/wrong-session");
  });

  it("refuses payments that are shown and not made", () => {
    const [payment] = honest.payments;
    if (payment === undefined) throw new Error("the case pays nobody");
    const shown = [{ ...payment, value: asSompi(1n) }];
    expect(refusedWith({ payments: shown })).toBe("signer/claim-differs");
  });

  it("refuses a fee that is said otherwise", () => {
    expect(refusedWith({ fee: asSompi(honest.fee + 1n) })).toBe("signer/fee-differs");
  });

  it("refuses more entries than a payment has actions, before it looks at them", () => {
    const disclosure = Array.from({ length: 39 }, () => honest.disclosure).flat();
    expect(refusedWith({ disclosure })).toBe("signer/bad-prepared");
    expect(refusedWith({ bundle: new Uint8Array(200_000) })).toBe("signer/bad-prepared");
  });

  it("refuses to take the signatures of another session for its own", () => {
    const list = signer.sign(intentOf(HONEST), honest);
    expect(codeOf(() => checkAnswers(list, honest.session))).toBe("none");
    const other = encodeHex(new Uint8Array(24));
    expect(codeOf(() => checkAnswers(list, other))).toBe("signer/wrong-session");
  });

  it("signs nothing once it is closed", () => {
    const closed = caseSigner();
    closed.close();
    closed.close();
    const sign = () => closed.sign(intentOf(HONEST), honest);
    expect(codeOf(sign)).toBe("internal/erased-secret");
    expect(codeOf(() => closed.addressAt(1))).toBe("internal/erased-secret");
  });
});
