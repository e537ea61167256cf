/** Tests of whether a trap of the core means a defect or exhausted memory. */
import { expect, test } from "vitest";
import { sentenceOf } from "../base/errors.ts";
import { SvcError } from "../base/svcError.ts";
import { callCore, coreError, isFatal } from "./callCore.ts";
import { noteMemory } from "./coreMemory.ts";

/** A build with a memory of one page, and a most if one is given, whose only function traps. */
function trappingBuild(mostPages: number | null): WebAssembly.Exports {
  const limits = mostPages === null ? [0, 1] : [1, 1, mostPages];
  const text = (name: string): number[] => [name.length, ...Buffer.from(name)];
  const section = (id: number, ...body: number[]): number[] => [id, body.length, ...body];
  const bytes = [
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 1, 0x60, 0, 0),
    ...section(3, 1, 0),
    ...section(5, 1, ...limits),
    ...section(7, 2, ...text("memory"), 2, 0, ...text("trap"), 0, 0),
    ...section(10, 1, 3, 0, 0x00, 0x0b),
  ];
  return new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes))).exports;
}

function codeOfTrap(build: WebAssembly.Exports): string {
  const { trap } = build;
  try {
    callCore(() => Reflect.apply(Object(trap), undefined, []));
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    expect(isFatal(error)).toBe(true);
    return error.code;
  }
  return "none";
}

test("a trap is a defect while the memory may grow, and want of memory when it cannot", () => {
  const roomy = trappingBuild(null);
  noteMemory(roomy);
  expect(codeOfTrap(roomy)).toBe("engine/panic");
  const full = trappingBuild(2);
  noteMemory(full);
  expect(codeOfTrap(full)).toBe("engine/out-of-memory");
});

test("an instance that cannot be made for want of memory is told of in the same words, another mistake is not", () => {
  const said = [
    "WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance",
    "Array buffer allocation failed",
  ];
  for (const message of said) {
    const error = coreError(new RangeError(message));
    expect(error.code).toBe("engine/out-of-memory");
    expect(sentenceOf(error)).toBe(
      "There is not enough memory for this work; close other programs or give it a machine with more.",
    );
  }
  expect(coreError(new RangeError("Invalid array length")).code).toBe("internal/unexpected");
});
