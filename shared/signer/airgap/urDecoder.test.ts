/** Streams of frames as a camera sees them: late, out of order, twice, never; and frames that mean ill. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SvcError } from "../../base/svcError.ts";
import { AIRGAP_LIMITS } from "../airgapLimits.ts";
import { crc32 } from "./crc32.ts";
import { UrDecoder } from "./urDecoder.ts";
import { UrEncoder } from "./urEncoder.ts";
import { partFrame, UR_TYPES, wholeFrame, type UrPart } from "./urFrame.ts";
import { Xoshiro } from "./xoshiro.ts";

const TYPE = UR_TYPES.payment;
const random = new Xoshiro(Uint8Array.of(41));
const randomBytes = (length: number) => Uint8Array.from({ length }, () => random.below(256));
const sent = randomBytes(1_000);
const encoder = new UrEncoder(TYPE, sent, 100);
const part: UrPart = {
  sequence: 1,
  count: 10,
  length: 1_000,
  checksum: crc32(sent),
  data: sent.slice(0, 100),
};

describe("a decoder", () => {
  it("has the message after any frames that suffice", () => {
    const anyStream = fc.record({
      message: fc.uint8Array({ minLength: 1, maxLength: 900 }),
      frameBytes: fc.integer({ min: 10, max: 120 }),
      first: fc.integer({ min: 1, max: 4_000_000_000 }),
      lost: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
    });
    fc.assert(
      fc.property(anyStream, ({ message, frameBytes, first, lost }) => {
        const encoder = new UrEncoder(TYPE, message, frameBytes);
        const decoder = new UrDecoder(TYPE);
        let shown = 0;
        for (; decoder.result === null && shown < 60 * encoder.count + 60; shown += 1) {
          if (lost[shown % 7] === true && !lost.every(Boolean)) continue;
          const text = encoder.frame(first + shown);
          decoder.receive(shown % 2 === 0 ? text.toUpperCase() : text);
          expect(decoder.receive(text)).toBe(false);
        }
        expect(decoder.result).toEqual(message);
        expect(decoder.share).toBe(1);
      }),
      { numRuns: 150 },
    );
  });

  it("needs few frames more than there are parts, from the middle of the stream", () => {
    const long = new UrEncoder(TYPE, randomBytes(20_000));
    const decoder = new UrDecoder(TYPE);
    let shown = 0;
    for (; decoder.result === null; shown += 1) decoder.receive(long.frame(5_000 + shown));
    expect(long.count).toBe(100);
    expect(shown).toBeLessThan(180);
  });

  it("tells its progress, and what is new", () => {
    const decoder = new UrDecoder(TYPE);
    expect([decoder.share, decoder.count, decoder.result]).toEqual([0, 0, null]);
    expect(decoder.receive(encoder.frame(3))).toBe(true);
    expect(decoder.receive(encoder.frame(3))).toBe(false);
    expect([decoder.share, decoder.count]).toEqual([0.1, 10]);
    for (const sequence of [1, 2, 4, 5, 6, 7, 8, 9]) decoder.receive(encoder.frame(sequence));
    expect([decoder.share, decoder.result]).toEqual([0.9, null]);
    expect(decoder.receive(encoder.frame(10))).toBe(true);
    expect(decoder.result).toEqual(sent);
    expect(decoder.receive(encoder.frame(77))).toBe(false);
    decoder.reset();
    expect([decoder.share, decoder.count, decoder.result]).toEqual([0, 0, null]);
  });
});

describe("frames that mean ill", () => {
  it("of another message or type are refused and change nothing", () => {
    const decoder = new UrDecoder(TYPE);
    decoder.receive(encoder.frame(1));
    const others = [
      new UrEncoder(TYPE, randomBytes(1_000), 100).frame(2),
      new UrEncoder(TYPE, sent, 90).frame(2),
      new UrEncoder(TYPE, sent.slice(1), 100).frame(2),
      partFrame(TYPE, { ...part, checksum: 1 }),
      wholeFrame(TYPE, sent.slice(0, 50)),
    ];
    for (const text of others) expect(() => decoder.receive(text)).toThrow("airgap/other-message");
    const wrong = new UrEncoder(UR_TYPES.signatures, sent, 100).frame(2);
    expect(() => decoder.receive(wrong)).toThrow(
      "airgap/wrong-type (found=svc-signatures, expected=svc-payment)",
    );
    for (let sequence = 2; sequence <= 10; sequence += 1) decoder.receive(encoder.frame(sequence));
    expect(decoder.result).toEqual(sent);
    for (const text of others) expect(() => decoder.receive(text)).toThrow("airgap/other-message");
  });

  it("after a whole message are refused, but for the same one", () => {
    const decoder = new UrDecoder(TYPE);
    const short = sent.slice(0, 50);
    expect(decoder.receive(wholeFrame(TYPE, short))).toBe(true);
    expect([decoder.receive(wholeFrame(TYPE, short)), decoder.count]).toEqual([false, 1]);
    expect(() => decoder.receive(wholeFrame(TYPE, sent.slice(1, 51)))).toThrow(
      "airgap/other-message",
    );
    expect(() => decoder.receive(encoder.frame(1))).toThrow("airgap/other-message");
    expect(decoder.result).toEqual(short);
  });

  it("with absurd numbers are refused before anything is allocated", () => {
    const refused = (change: Partial<UrPart>) => () =>
      new UrDecoder(TYPE).receive(partFrame(TYPE, { ...part, ...change }));
    const { airgapFramesMax, airgapMessageBytes } = AIRGAP_LIMITS;
    expect(refused({ count: airgapFramesMax + 1 })).toThrow("airgap/too-many-frames");
    expect(refused({ count: 0xffff_ffff })).toThrow("airgap/too-many-frames");
    expect(refused({ length: airgapMessageBytes + 1 })).toThrow("airgap/message-too-long");
    expect(refused({ length: 0xffff_ffff })).toThrow("airgap/message-too-long");
    expect(refused({ count: 9 })).toThrow("its parts do not make up its message");
    expect(refused({ count: 11 })).toThrow("its parts do not make up its message");
    expect(refused({ data: new Uint8Array() })).toThrow("airgap/cbor-length");
    expect(refused({ sequence: 0 })).toThrow("airgap/bad-frame");
    expect(refused({ count: 0, length: 0 })).toThrow("airgap/");
    const long = `ur:${TYPE}/${"ae".repeat(AIRGAP_LIMITS.airgapFrameChars)}`;
    expect(() => new UrDecoder(TYPE).receive(long)).toThrow("it is too long");
    expect(() => new UrEncoder(TYPE, new Uint8Array(airgapMessageBytes + 1))).toThrow(
      "airgap/message-too-long",
    );
    expect(() => new UrEncoder(TYPE, new Uint8Array(airgapMessageBytes), 10)).toThrow(
      "airgap/too-many-frames",
    );
  });

  it("whose text and content disagree are refused", () => {
    const text = encoder.frame(4);
    const decoder = new UrDecoder(TYPE);
    for (const other of [text.replace("4-10", "5-10"), text.replace("4-10", "4-11")]) {
      expect(() => decoder.receive(other)).toThrow("its numbers disagree");
    }
    for (const other of [
      "",
      "ur:",
      "ur:a",
      "http://ur",
      text.replace("4-10", "04-10"),
      `${text}!`,
    ]) {
      expect(() => decoder.receive(other)).toThrow("it does not begin like one");
    }
  });

  it("with false content are found out, and everything is forgotten", () => {
    const decoder = new UrDecoder(TYPE);
    const lie = { ...part, data: part.data.map((byte) => byte ^ 1) };
    decoder.receive(partFrame(TYPE, lie));
    expect(() => decoder.receive(encoder.frame(1))).toThrow("airgap/message-checksum");
    expect(decoder.share).toBe(0);
    decoder.receive(partFrame(TYPE, lie));
    for (let sequence = 2; sequence <= 9; sequence += 1) decoder.receive(encoder.frame(sequence));
    expect(() => decoder.receive(encoder.frame(10))).toThrow("airgap/message-checksum");
    for (let sequence = 1; sequence <= 10; sequence += 1) decoder.receive(encoder.frame(sequence));
    expect(decoder.result).toEqual(sent);
  });

  it("padded with something else than zeros are found out", () => {
    const cut = { ...part, length: 995, checksum: crc32(sent.subarray(0, 995)) };
    const decoder = new UrDecoder(TYPE);
    const show = (sequence: number) => {
      const data = sent.slice(100 * (sequence - 1), 100 * sequence);
      decoder.receive(partFrame(TYPE, { ...cut, sequence, data }));
    };
    for (let sequence = 1; sequence <= 9; sequence += 1) show(sequence);
    expect(() => show(10)).toThrow("airgap/message-checksum");
  });

  it("cannot make a flood costly: false ones are found out, and what is held has no more equations than parts", () => {
    const decoder = new UrDecoder(TYPE);
    const count = AIRGAP_LIMITS.airgapFramesMax;
    const flood = { ...part, count, length: count * 45 };
    const refusals = new Set<unknown>();
    for (let shown = 0; shown < 400; shown += 1) {
      const text = partFrame(TYPE, {
        ...flood,
        sequence: 10_000 + shown * 7,
        data: randomBytes(45),
      });
      try {
        decoder.receive(text);
      } catch (error) {
        refusals.add(error instanceof SvcError ? error.code : error);
      }
      expect(decoder.share).toBeLessThanOrEqual((shown + 1) / count);
    }
    expect([...refusals]).toEqual(["airgap/message-checksum"]);
  });
});
