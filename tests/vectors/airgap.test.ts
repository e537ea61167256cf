/** The vector of the air gap in all of its forms. */
import { expect, it } from "vitest";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import {
  decodePreparedPayment,
  encodePreparedPayment,
} from "@svc/shared/signer/airgap/preparedPaymentCbor.ts";
import {
  decodeSignedPayment,
  encodeSignedPayment,
} from "@svc/shared/signer/airgap/signedPaymentCbor.ts";
import { UrDecoder } from "@svc/shared/signer/airgap/urDecoder.ts";
import { UrEncoder } from "@svc/shared/signer/airgap/urEncoder.ts";
import { UR_TYPES } from "@svc/shared/signer/airgap/urFrame.ts";
import { readAirgapVector } from "../fixtures/airgap/airgapVector.ts";

const { prepared, cbor, frames, signed, signedCbor, signedFrame } = readAirgapVector();

it("is written and read as CBOR", () => {
  expect(encodeHex(encodePreparedPayment(prepared))).toBe(cbor);
  expect(decodePreparedPayment(decodeHex(cbor))).toEqual(prepared);
  expect(cbor.slice(0, 20)).toBe("a900030158200920da33");
  expect(encodeHex(encodeSignedPayment(signed))).toBe(signedCbor);
  expect(decodeSignedPayment(decodeHex(signedCbor))).toEqual(signed);
  expect(signed.session).toBe(prepared.session);
});

it("is shown and read as frames", () => {
  const encoder = new UrEncoder(UR_TYPES.payment, decodeHex(cbor));
  expect(frames.map((_, index) => encoder.frame(index + 1))).toEqual(frames);
  const decoder = new UrDecoder(UR_TYPES.payment);
  for (const frame of frames.slice(4).toReversed()) decoder.receive(frame);
  const rest = frames.slice(0, 4).filter((frame) => decoder.result === null && decoder.receive(frame));
  expect(rest.length).toBeLessThan(4);
  expect(decoder.result).toEqual(decodeHex(cbor));
  const answer = new UrDecoder(UR_TYPES.signatures);
  answer.receive(signedFrame);
  expect(answer.result).toEqual(decodeHex(signedCbor));
});
