/** Fuzz targets: what a device reads from the codes on another screen (specification airgap 2, 3 and 4). */
import fc from "fast-check";
import { equalBytes } from "@svc/shared/base/bytes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { encodeBytewords } from "@svc/shared/signer/airgap/bytewords.ts";
import {
  decodePreparedPayment,
  encodePreparedPayment,
} from "@svc/shared/signer/airgap/preparedPaymentCbor.ts";
import {
  decodeSignedPayment,
  encodeSignedPayment,
} from "@svc/shared/signer/airgap/signedPaymentCbor.ts";
import { preparedPayments, signedPayments } from "@svc/shared/signer/airgap/testkit/madePayment.ts";
import { UrDecoder } from "@svc/shared/signer/airgap/urDecoder.ts";
import { UrEncoder } from "@svc/shared/signer/airgap/urEncoder.ts";
import {
  encodePart,
  partFrame,
  readFrame,
  UR_TYPES,
  wholeFrame,
} from "@svc/shared/signer/airgap/urFrame.ts";
import type { Decoder } from "./fuzzDecoder.ts";

const SEED = 7;
const TYPE = UR_TYPES.payment;
const textBytes = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const samples = <T>(any: fc.Arbitrary<T>) => fc.sample(any, { numRuns: 2, seed: SEED });

const payments = [...samples(preparedPayments(1)), ...samples(preparedPayments(2))].map(
  encodePreparedPayment,
);
const sent = payments[0] ?? new Uint8Array();
const encoder = new UrEncoder(TYPE, sent, 400);
const framesFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => encoder.frame(first + index));

function mustBe(isSame: boolean): void {
  if (!isSame) throw new Error("what was taken is not what the bytes say");
}

/** The text of a frame whose letters were changed, with the checksum that they need. */
function repaired(bytes: Uint8Array): Uint8Array {
  const text = textOf(bytes);
  const frame = encoder.frame(1 + (bytes[0] ?? 0));
  const body = encodePart({
    sequence: text.length,
    count: encoder.count,
    length: sent.length,
    checksum: bytes.length,
    data: bytes.slice(0, 400),
  });
  return textBytes(
    `${frame.split("/")[0]}/${text.length}-${encoder.count}/${encodeBytewords(body)}`,
  );
}

/** Takes the lines of a text as frames; the message that they make up, or the first refusal. */
function readStream(text: string): void {
  const decoder = new UrDecoder(TYPE);
  let refusal = new SvcError("airgap/bad-frame", { reason: "frames are missing" });
  for (const line of text.split("\n")) {
    try {
      decoder.receive(line);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      refusal = error;
    }
  }
  const { result } = decoder;
  if (result === null) throw refusal;
  // A whole frame of another message, well made, is that message.
  mustBe(equalBytes(result, sent) || text.includes(wholeFrame(TYPE, result)));
}

/** All of them. */
export const AIRGAP_DECODERS: readonly Decoder[] = [
  {
    name: "prepared payment of the air gap",
    seeds: payments,
    run: (bytes) => mustBe(equalBytes(encodePreparedPayment(decodePreparedPayment(bytes)), bytes)),
  },
  {
    name: "signatures of the air gap",
    seeds: samples(signedPayments).map(encodeSignedPayment),
    run: (bytes) => mustBe(equalBytes(encodeSignedPayment(decodeSignedPayment(bytes)), bytes)),
  },
  {
    name: "frame of the air gap",
    seeds: [...framesFrom(1, 3), encoder.frame(40), wholeFrame(TYPE, sent.slice(0, 90))].map(
      textBytes,
    ),
    isText: true,
    repair: repaired,
    run: (bytes) => {
      const text = textOf(bytes);
      const frame = readFrame(text);
      const written =
        "part" in frame ? partFrame(frame.type, frame.part) : wholeFrame(frame.type, frame.message);
      mustBe(written === text.trim().toLowerCase());
    },
  },
  {
    name: "frames of the air gap",
    weight: 5,
    seeds: [framesFrom(1, encoder.count), framesFrom(20, 30)].map((lines) =>
      textBytes(lines.join("\n")),
    ),
    isText: true,
    run: (bytes) => readStream(textOf(bytes)),
  },
];
