import fc from "fast-check";
import { expect, test } from "vitest";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { OrphanPool } from "./orphanPool.ts";

const hash = (n: number) => asBlockHash(n.toString(16).padStart(64, "0"));
const block = (n: number): Uint8Array => Uint8Array.of(n, 0, 0, 0);

test("a block comes out when the last of its parents has arrived, once", () => {
  const pool = new OrphanPool();
  pool.add(hash(3), block(3), [hash(1), hash(2)]);
  pool.add(hash(3), block(3), [hash(1), hash(2)]);
  expect(pool.arrived(hash(1))).toEqual([]);
  expect(pool.arrived(hash(2))).toEqual([block(3)]);
  expect(pool.arrived(hash(2))).toEqual([]);
  expect([pool.size, pool.bytes]).toEqual([0, 0]);
});

test("the oldest gives way when there are too many or too large ones", () => {
  const pool = new OrphanPool({ blocks: 3, bytes: 100 });
  for (let n = 1; n <= 5; n += 1) pool.add(hash(n), block(n), [hash(0)]);
  expect(pool.arrived(hash(0))).toEqual([block(3), block(4), block(5)]);
  const byBytes = new OrphanPool({ blocks: 100, bytes: 10 });
  for (let n = 1; n <= 3; n += 1) byBytes.add(hash(n), block(n), [hash(0)]);
  expect(byBytes.size).toBe(2);
  byBytes.add(hash(9), new Uint8Array(11), [hash(0)]);
  expect(byBytes.size).toBe(2);
});

test("any order of arrival empties the pool and gives every block out once", () => {
  const orders = fc.shuffledSubarray(
    Array.from({ length: 12 }, (_, n) => n),
    { minLength: 12 },
  );
  fc.assert(
    fc.property(orders, (order) => {
      // Block n has parents n − 1 and n − 2; block 0 needs none.
      const pool = new OrphanPool();
      const arrived = new Set<number>();
      const arrive = (n: number): void => {
        arrived.add(n);
        for (const raw of pool.arrived(hash(n))) arrive(raw[0] ?? -1);
      };
      for (const n of order) {
        const missing = [n - 1, n - 2].filter((parent) => parent >= 0 && !arrived.has(parent));
        if (missing.length === 0) arrive(n);
        else pool.add(hash(n), block(n), missing.map(hash));
      }
      expect(arrived.size).toBe(12);
      expect(pool.size).toBe(0);
    }),
  );
});
