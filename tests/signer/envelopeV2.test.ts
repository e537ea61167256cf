/** The older envelope of a prepared payment, as a file: read, compared with what its owner knows, and signed. */
import { describe, expect, it } from "vitest";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { preparedFromEnvelope, readEnvelopeV2 } from "@svc/shared/signer/envelopeV2.ts";
import { envelopeOf, withChecksum } from "./daemonModel.ts";
import { caseSigner, HONEST, intentOf, preparedOf } from "./signerCases.ts";

const signer = caseSigner();
const honest = preparedOf(HONEST);
const to = signer.addressAt(7);
const envelope = envelopeOf(honest, to, encodeHex(honest.bundle));
const [payment] = honest.payments;
if (payment === undefined) throw new Error("the case pays nobody");
const terms = { recipient: payment.recipient, memo: payment.memo, daaScore: asDaaScore(50n) };

const refusalOf = (fields: Record<string, unknown>) => {
  const { checksum: _, ...rest } = envelope;
  return codeOf(() => readEnvelopeV2(JSON.stringify(withChecksum({ ...rest, ...fields }))));
};

describe("an envelope", () => {
  it("is the prepared payment that it holds", () => {
    const read = readEnvelopeV2(JSON.stringify(envelope));
    expect(read.recipient).toBe(to);
    const prepared = preparedFromEnvelope(read, terms);
    expect(prepared).toEqual({ ...honest, alphas: [...honest.alphas] });
    expect(signer.sign(intentOf(HONEST), prepared).signatures).toHaveLength(1);
    // It was read from text or is part of a larger answer.
    expect(readEnvelopeV2(envelope)).toEqual(read);
  });

  it("is not signed for another memo or another payee than it has", () => {
    const read = readEnvelopeV2(envelope);
    const sign = (changed: Partial<typeof terms>) => {
      const prepared = preparedFromEnvelope(read, { ...terms, ...changed });
      return codeOf(() => signer.sign({ payments: prepared.payments, maxFee: null }, prepared));
    };
    expect(sign({})).toBe("none");
    expect(sign({ memo: "00" })).toBe("signer/memo-differs");
    expect(sign({ recipient: signer.account.recipient })).toBe("signer/amount-differs");
  });

  it("is refused when it was damaged, is of another version or has other fields", () => {
    expect(codeOf(() => readEnvelopeV2({ ...envelope, amount: "1" }))).toBe("signer/bad-checksum");
    expect(refusalOf({})).toBe("none");
    expect(refusalOf({ version: 1 })).toBe("signer/unsupported-version");
    expect(refusalOf({ version: 3 })).toBe("signer/unsupported-version");
    expect(refusalOf({ format: "other" })).toBe("signer/bad-prepared");
    expect(refusalOf({ more: 1 })).toBe("signer/bad-prepared");
    expect(refusalOf({ amount: 1 })).toBe("signer/bad-prepared");
    expect(refusalOf({ amount: "-1" })).toBe("signer/bad-prepared");
    expect(refusalOf({ bundle: "0" })).toBe("signer/bad-prepared");
    expect(refusalOf({ txContext: "02" })).toBe("signer/claim-differs");
    for (const source of ["", "[]", "null", '{"format":', undefined, 7]) {
      expect(codeOf(() => readEnvelopeV2(source))).toBe("signer/bad-prepared");
    }
  });
});
