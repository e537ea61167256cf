/**
 * Every decoder throws only errors of the project, and accepts only bytes that its encoder writes.
 *
 * `SVC_SEED` gives the runs another seed, `SVC_FUZZ_INPUTS` another number of inputs.
 */
import { describe, expect, it } from "vitest";
import { ByteReader } from "@svc/shared/base/bytes.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { IS_FULL, testSeed } from "@svc/node-server/platform/testkit/testRun.ts";
import { AIRGAP_DECODERS } from "./airgapDecoders.ts";
import { BYTE_DECODERS } from "./byteDecoders.ts";
import { coreDecoders } from "./coreDecoders.ts";
import { fuzzDecoder, TELLING_INPUTS, type Decoder } from "./fuzzDecoder.ts";
import { SERVER_DECODERS } from "./serverDecoders.ts";
import { P2P_DECODERS } from "./p2pDecoders.ts";
import { STORED_DECODERS } from "./storedDecoders.ts";
import { textDecoders } from "./textDecoders.ts";
import { LONG_HANG_MS } from "../testkit/hangMs.ts";

const SEED = 11;
const REDUCED = 2_000;
const FULL = 1_000_000;

const usual = IS_FULL ? FULL : REDUCED;
const plan = {
  seed: testSeed(SEED),
  inputs: Number(process.env["SVC_FUZZ_INPUTS"] ?? usual),
};

const decoders = [
  ...BYTE_DECODERS,
  ...P2P_DECODERS,
  ...SERVER_DECODERS,
  ...STORED_DECODERS,
  ...AIRGAP_DECODERS,
  ...(await textDecoders()),
  ...(await coreDecoders()),
];

describe(`decoders, seed ${plan.seed}, ${plan.inputs} inputs each`, () => {
  it.each(decoders.map((decoder) => [decoder.name, decoder] as const))(
    "%s",
    { timeout: LONG_HANG_MS },
    (_, decoder) => {
      const outcomes = fuzzDecoder(decoder, plan);
      if (plan.inputs < TELLING_INPUTS) return;
      const { taken = 0, ...refused } = Object.fromEntries(outcomes);
      expect(taken).toBeGreaterThan(0);
      expect(Object.keys(refused)).not.toEqual([]);
    },
  );
});

describe("the runner", () => {
  const seeds = [Uint8Array.of(3, 1, 2, 3)];
  const sound = (bytes: Uint8Array) => {
    const reader = new ByteReader(bytes);
    reader.take(reader.u8());
    reader.finish();
  };
  const run = (decoder: Omit<Decoder, "name" | "seeds">) =>
    fuzzDecoder({ name: "test", seeds, ...decoder }, { seed: 3, inputs: 3_000 });

  it("passes a sound decoder and counts its outcomes", () => {
    const outcomes = run({ run: sound });
    expect(outcomes.get("taken")).toBeGreaterThan(10);
    expect([...outcomes.keys()].toSorted()).toEqual([
      "codec/trailing-bytes",
      "codec/unexpected-end",
      "taken",
    ]);
  });

  it("finds a length that is believed", () => {
    const believing = (bytes: Uint8Array) => {
      new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint8(bytes[0] ?? 0);
    };
    expect(() => run({ run: believing })).toThrow(/RangeError/);
  });

  it("finds a failure of our own, a bad seed and a decoder that shows nothing", () => {
    const defect = () => {
      throw new SvcError("internal/unexpected", { message: "test" });
    };
    expect(() => run({ run: defect })).toThrow("internal/unexpected (message=test)");
    expect(() => run({ run: (bytes) => sound(bytes.subarray(1)) })).toThrow("a seed");
    expect(() => run({ run: () => undefined })).toThrow("the inputs show nothing");
  });

  it("finds a decoder of great weight that shows nothing, in the shortest run too", () => {
    const weighty = { name: "test", seeds, weight: 1_000 };
    const plan = { seed: 3, inputs: REDUCED };
    expect(() => fuzzDecoder({ ...weighty, run: () => undefined }, plan)).toThrow(
      "the inputs show nothing",
    );
    const outcomes = fuzzDecoder({ ...weighty, run: sound }, plan);
    expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(TELLING_INPUTS);
  });
});
