/** The published vectors of uniform resources: checksum, letters, random numbers, choice of parts, frames. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { decodeBytewords, encodeBytewords } from "./bytewords.ts";
import { CborWriter } from "./cborWriter.ts";
import { crc32, u32Bytes } from "./crc32.ts";
import { drawn, FragmentChooser } from "./fragmentChooser.ts";
import { UrDecoder } from "./urDecoder.ts";
import { UrEncoder } from "./urEncoder.ts";
import { encodePart, readFrame } from "./urFrame.ts";
import { Xoshiro } from "./xoshiro.ts";

const numbers = v.array(v.number());
const vectors = v.parse(
  v.object({
    crc32: v.array(v.object({ text: v.string(), checksum: v.string() })),
    bytewords: v.array(v.object({ bytes: v.string(), letters: v.string() })),
    random: v.object({
      seedText: v.string(),
      modulo100: numbers,
      ofItsChecksumModulo100: numbers,
      from1To10: numbers,
      shuffles: v.array(numbers),
    }),
    degrees: v.object({ count: v.number(), seedPrefix: v.string(), expected: numbers }),
    fragments: v.object({
      count: v.number(),
      messageBytes: v.number(),
      expected: v.array(numbers),
    }),
    parts: v.object({
      messageBytes: v.number(),
      frameBytes: v.number(),
      cbor: v.array(v.string()),
    }),
    frames: v.object({
      type: v.string(),
      messageBytes: v.number(),
      frameBytes: v.number(),
      expected: v.array(v.string()),
    }),
    single: v.object({ type: v.string(), messageBytes: v.number(), expected: v.string() }),
  }),
  JSON.parse(readFileSync(new URL("../../../tests/vectors/ur.json", import.meta.url), "utf8")),
);
const textBytes = (text: string) => new TextEncoder().encode(text);
const wolf = () => new Xoshiro(textBytes(vectors.random.seedText));

/** The message that all of these vectors are about. */
function message(length: number): Uint8Array {
  const random = wolf();
  return Uint8Array.from({ length }, () => random.below(256));
}

const inCbor = (bytes: Uint8Array) => new CborWriter().bytes(bytes).toBytes();

it.each(vectors.crc32)("the checksum of $text", ({ text, checksum }) => {
  expect(encodeHex(u32Bytes(crc32(textBytes(text))))).toBe(checksum);
});

it.each(vectors.bytewords)("the letters $letters", ({ bytes, letters }) => {
  expect(encodeBytewords(decodeHex(bytes))).toBe(letters);
  expect(encodeHex(decodeBytewords(letters))).toBe(bytes);
  expect(() => decodeBytewords(`${letters.slice(0, -2)}wf`)).toThrow("airgap/frame-checksum");
  expect(() => decodeBytewords(`${letters.slice(0, -2)}qq`)).toThrow("airgap/bad-frame");
  expect(() => decodeBytewords("wf")).toThrow("airgap/bad-frame");
});

describe("random numbers", () => {
  const hundred = (random: Xoshiro) =>
    Array.from({ length: 100 }, () => Number(random.next() % 100n));

  it("are those of the seed", () => {
    const { random } = vectors;
    expect(hundred(wolf())).toEqual(random.modulo100);
    const checksum = u32Bytes(crc32(textBytes(random.seedText)));
    expect(hundred(new Xoshiro(checksum))).toEqual(random.ofItsChecksumModulo100);
    const small = wolf();
    expect(Array.from({ length: 100 }, () => small.below(10) + 1)).toEqual(random.from1To10);
  });

  it("shuffle", () => {
    const random = wolf();
    for (const expected of vectors.random.shuffles) {
      const { length } = expected;
      expect(drawn(random, length, length).map((index) => index + 1)).toEqual(expected);
    }
  });
});

describe("the choice of parts", () => {
  it("has the degrees of the vectors", () => {
    const { count, seedPrefix, expected } = vectors.degrees;
    const chooser = new FragmentChooser(count);
    const degrees = expected.map((_, index) =>
      chooser.degree(new Xoshiro(textBytes(`${seedPrefix}${index + 1}`))),
    );
    expect(degrees).toEqual(expected);
  });

  it("is that of the vectors", () => {
    const { count, messageBytes, expected } = vectors.fragments;
    const chooser = new FragmentChooser(count);
    const checksum = crc32(message(messageBytes));
    const found = expected.map((_, index) =>
      chooser.partsOf(index + 1, checksum).toSorted((a, b) => a - b),
    );
    expect(found).toEqual(expected);
  });
});

describe("frames", () => {
  it("carry the parts of the vectors", () => {
    const { messageBytes, frameBytes, cbor } = vectors.parts;
    const encoder = new UrEncoder("bytes", message(messageBytes), frameBytes);
    const found = cbor.map((_, index) => {
      const frame = readFrame(encoder.frame(index + 1));
      if ("message" in frame) throw new Error("there are several frames");
      return encodeHex(encodePart(frame.part));
    });
    expect(found).toEqual(cbor);
  });

  it("are the texts of the vectors, and give the message back", () => {
    const { type, messageBytes, frameBytes, expected } = vectors.frames;
    const sent = inCbor(message(messageBytes));
    const encoder = new UrEncoder(type, sent, frameBytes);
    expect(expected.map((_, index) => encoder.frame(index + 1))).toEqual(expected);
    const decoder = new UrDecoder(type);
    for (const text of expected.slice(4)) decoder.receive(text);
    expect(decoder.result).toEqual(sent);
  });

  it("of a short message are one", () => {
    const { type, messageBytes, expected } = vectors.single;
    const sent = inCbor(message(messageBytes));
    const encoder = new UrEncoder(type, sent);
    expect([encoder.count, encoder.frame(1), encoder.frame(9)]).toEqual([1, expected, expected]);
    expect(readFrame(expected)).toEqual({ type, message: sent });
  });
});
