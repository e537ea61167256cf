import fc from "fast-check";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { describe, expect, test } from "vitest";
import { joinChunks, treeWrites, type TreeExtent } from "./treeChunks.ts";

const LEAF = 32;
const CHUNK = PAGE_LIMITS.storedTreeChunkLeaves;

/** Leaves that differ by position and round, so that a stale chunk cannot pass for the right one. */
function leaves(from: number, count: number, round: number): Uint8Array {
  const bytes = new Uint8Array(count * LEAF);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < count; i += 1) {
    view.setUint32(i * LEAF, from + i, true);
    view.setUint32(i * LEAF + 4, round, true);
  }
  return bytes;
}

/** A store in memory beside the plain list of leaves it must equal. */
class Model {
  extent: TreeExtent | null = null;
  chunks = new Map<number, Uint8Array>();
  /** Leaves below the base as they were when the snapshot was made. */
  snapshot = new Uint8Array();
  truth: Uint8Array = new Uint8Array();

  async apply(truncatedTo: number | null, count: number, round: number): Promise<void> {
    const begin = truncatedTo ?? this.truth.length / LEAF;
    const appended = leaves(begin, count, round);
    const truth = new Uint8Array([...this.truth.subarray(0, begin * LEAF), ...appended]);
    const writes = await treeWrites(
      this.extent,
      {
        truncatedTo: truncatedTo === null ? null : BigInt(truncatedTo),
        appended,
        snapshot: () => truth,
      },
      (chunk) => Promise.resolve(this.chunks.get(chunk) ?? new Uint8Array()),
    );
    if (writes.snapshot !== null) this.snapshot = new Uint8Array(writes.snapshot);
    for (const chunk of this.chunks.keys()) {
      if (chunk >= writes.deleteFrom) this.chunks.delete(chunk);
    }
    for (const [chunk, bytes] of writes.puts) this.chunks.set(chunk, bytes);
    this.extent = writes.extent;
    this.truth = truth;
  }

  stored(): Uint8Array {
    const ordered = [...this.chunks].toSorted(([a], [b]) => a - b).map(([, bytes]) => bytes);
    return new Uint8Array([...this.snapshot, ...joinChunks(ordered)]);
  }
}

describe("stored tree", () => {
  test("another tree takes the place of all of it, wherever it ends", async () => {
    for (const truncatedTo of [3n, 60n, 100n, 500n]) {
      const extent = { base: 50n, extra: 50, snapshotBytes: 100 * LEAF };
      const snapshot = leaves(0, Number(truncatedTo), 1);
      const change = {
        ...{ truncatedTo, appended: new Uint8Array(), whole: true as const },
        snapshot: () => snapshot,
      };
      const writes = await treeWrites(extent, change, () => Promise.reject(new Error("asked")));
      expect(writes).toMatchObject({
        snapshot,
        deleteFrom: 0,
        extent: { base: truncatedTo, extra: 0 },
      });
      expect(writes.puts.size).toBe(0);
    }
  });

  test("one more leaf writes one chunk", async () => {
    const change = {
      truncatedTo: null,
      appended: leaves(0, 1, 0),
      snapshot: () => new Uint8Array(),
    };
    const writes = await treeWrites(
      { base: 7n, extra: CHUNK * 3 + 5, snapshotBytes: 0 },
      change,
      () => Promise.resolve(leaves(0, 5, 0)),
    );
    expect([...writes.puts.keys()]).toEqual([3]);
    expect(writes.puts.get(3)?.length).toBe(6 * LEAF);
    expect(writes.snapshot).toBeNull();
  });

  test("any order of appends and cuts reads back what was written", async () => {
    const step = fc.record({
      cut: fc.option(fc.nat({ max: CHUNK * 2 })),
      count: fc.oneof(fc.nat({ max: 3 }), fc.constant(CHUNK), fc.nat({ max: CHUNK * 2 })),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const model = new Model();
        await model.apply(0, 0, 0);
        for (const [round, { cut, count }] of steps.entries()) {
          const size = model.truth.length / LEAF;
          await model.apply(cut === null ? null : Math.max(0, size - cut), count, round + 1);
          expect(Buffer.from(model.stored()).equals(Buffer.from(model.truth))).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("many later leaves renew the snapshot, a long snapshot waits for a quarter of itself", async () => {
    const change = {
      truncatedTo: null,
      appended: leaves(0, 1, 0),
      snapshot: () => leaves(0, 4, 0),
    };
    const write = (extra: number, snapshotBytes: number) =>
      treeWrites({ base: 7n, extra, snapshotBytes }, change, () =>
        Promise.resolve(leaves(0, CHUNK, 0)),
      );
    expect((await write(8_191, 0)).snapshot).toBeNull();
    const renewed = await write(8_192, 0);
    expect(renewed.snapshot).toEqual(leaves(0, 4, 0));
    expect(renewed.extent).toEqual({ base: 8_200n, extra: 0, snapshotBytes: 4 * LEAF });
    expect(renewed.puts.size).toBe(0);
    expect((await write(8_192, 40_000 * 2 * LEAF)).snapshot).toBeNull();
    expect((await write(10_000, 40_000 * 2 * LEAF)).snapshot).not.toBeNull();
  });

  test("a short chunk in the middle is damage", () => {
    expect(() => joinChunks([leaves(0, 3, 0), leaves(3, 1, 0)])).toThrow("store/corrupt");
    expect(() => joinChunks([leaves(0, CHUNK, 0), new Uint8Array(5)])).toThrow("store/corrupt");
  });
});
