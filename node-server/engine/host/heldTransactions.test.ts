import { expect, test } from "vitest";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { HeldTransactions } from "./heldTransactions.ts";

/** An engine that notes what it decodes, and what it holds. */
class Holder {
  decoded = 0;
  readonly held = new Set<number>();

  holdTransaction(): number {
    this.decoded += 1;
    this.held.add(this.decoded);
    return this.decoded;
  }

  releaseTransaction(number: number): void {
    expect(this.held.delete(number)).toBe(true);
  }
}

/** A transaction of so many bytes, told apart by a number. */
function raw(number: number, bytes = 8): Uint8Array {
  const made = new Uint8Array(bytes);
  new DataView(made.buffer).setUint32(0, number);
  return made;
}

test("the same bytes are decoded once, bytes that differ are another transaction", () => {
  const engine = new Holder();
  const held = new HeldTransactions(engine);
  expect([...held.numbersOf([raw(1), raw(2), raw(1)])]).toEqual([1, 2, 1]);
  expect([...held.numbersOf([raw(2)])]).toEqual([2]);
  expect([...held.numbersOf([raw(2, 9)])]).toEqual([3]);
  expect(engine.decoded).toBe(3);
});

test("beyond their number the one that was used longest ago is let go, and decoded again", () => {
  const engine = new Holder();
  const held = new HeldTransactions(engine);
  const most = ENGINE_LIMITS.heldTransactions;
  for (let number = 0; number < most; number += 1) held.numbersOf([raw(number)]);
  held.numbersOf([raw(0)]);
  held.numbersOf([raw(most)]);
  expect([held.size, engine.held.size, engine.decoded]).toEqual([most, most, most + 1]);
  held.numbersOf([raw(0)]);
  expect(engine.decoded).toBe(most + 1);
  held.numbersOf([raw(1)]);
  expect(engine.decoded).toBe(most + 2);
});

test("beyond their bytes too, but never one of those that are asked for together", () => {
  const engine = new Holder();
  const held = new HeldTransactions(engine);
  const large = ENGINE_LIMITS.heldTransactionBytes / 4;
  const numbers = held.numbersOf(Array.from({ length: 6 }, (_, number) => raw(number, large)));
  expect([...numbers].every((number) => engine.held.has(number))).toBe(true);
  const [last = 0] = held.numbersOf([raw(9)]);
  // Four of the large ones would fill all bytes, and the small one has some.
  expect([engine.held.size, engine.held.has(last)]).toEqual([4, true]);
});

test("bytes that do not decode are not held", () => {
  const engine = new Holder();
  const held = new HeldTransactions({
    holdTransaction: () => {
      throw new Error("codec/unexpected-end");
    },
    releaseTransaction: (number) => engine.releaseTransaction(number),
  });
  expect(() => held.numbersOf([raw(1)])).toThrow("codec/");
  expect(held.size).toBe(0);
});
