/** Tests of the lifetime of a pruning point export: made, cached, discarded. The core is a fake. */
import { beforeEach, describe, expect, it } from "vitest";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RawExporter, RawReader } from "@svc/shared/core/generated/coreGlue.ts";
import { readEnvelope } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { PointExport } from "./pointExport.ts";
import type { ServedPage } from "./serveMessages.ts";

/** Steps that an export takes. */
const STEPS = 3;

let point = 1;
let nowMs = 0;
let open = 0;
let made: number[] = [];
let turns = 0;
let fails: SvcError | null = null;
let onTurn = (): void => {};
let idle: (() => void) | null = null;
beforeEach(() => {
  [point, nowMs, open, made, turns, fails, idle] = [1, 0, 0, [], 0, null, null];
  onTurn = () => {};
});

const unused = (): never => {
  throw new Error("nobody asks this");
};

class FakeExporter implements RawExporter {
  #left = STEPS;
  points = unused;
  bodies = unused;
  trusted = unused;
  lanesClaim = unused;
  lanePage = unused;
  stateClaim = unused;
  nullifierPage = unused;
  bindings = unused;

  constructor() {
    made.push(point);
  }

  step(): boolean {
    if (fails !== null) throw new Error(JSON.stringify(fails.toJSON()));
    this.#left -= 1;
    return this.#left <= 0;
  }

  proof(): Uint8Array {
    // A proof without headers and levels.
    return Uint8Array.of(1, 0, 0, 0, 0, 0, 0);
  }

  free(): void {}
}

const exportOf = (): PointExport =>
  new PointExport({
    core: { Exporter: FakeExporter },
    open: () => {
      open += 1;
      const reader = { pruningPoints: () => new Uint8Array(32).fill(point) };
      return { reader: reader as unknown as RawReader, close: () => (open -= 1) };
    },
    hashOf: unused,
    listedBlocks: 1,
    turn: async () => {
      turns += 1;
      onTurn();
    },
    steadyMs: () => nowMs,
    later: (call) => {
      idle = call;
      return () => (idle = null);
    },
  });

const nameOf = ({ messages: [bytes] }: ServedPage): string | undefined =>
  bytes && readEnvelope(bytes).payload?.$case;
const proof = { kind: "proof" } as const;

describe("the export of the pruning point", () => {
  it("is made in steps, once, and given up when nobody asks for a while", async () => {
    const kept = exportOf();
    expect(nameOf(await kept.answer(proof))).toBe("pruningPointProof");
    expect(nameOf(await kept.answer(proof))).toBe("pruningPointProof");
    expect([made, turns, open]).toEqual([[1], STEPS - 1, 1]);
    idle?.();
    expect(open).toBe(0);
    await kept.answer(proof);
    expect(made).toEqual([1, 1]);
  });

  it("is made anew when the point has moved or it is old", async () => {
    const kept = exportOf();
    await kept.answer(proof);
    point = 2;
    await kept.answer(proof);
    expect([made, open]).toEqual([[1, 2], 1]);
    nowMs += P2P_LIMITS.p2pExportAgeMs;
    await kept.answer(proof);
    expect([made, open]).toEqual([[1, 2, 2], 1]);
    const other = { kind: "lanes", point: "01".repeat(32), cursor: null } as const;
    expect(nameOf(await kept.answer(other))).toBe("unexpectedPruningPoint");
    expect(made).toHaveLength(3);
  });

  it("does not hold the store's old pages for who asks for another point", async () => {
    const kept = exportOf();
    await kept.answer(proof);
    const before = idle;
    const other = { kind: "lanes", point: "09".repeat(32), cursor: null } as const;
    expect(nameOf(await kept.answer(other))).toBe("unexpectedPruningPoint");
    expect(idle).toBe(before);
    nowMs += P2P_LIMITS.p2pExportAgeMs;
    await kept.answer(other);
    expect(open).toBe(0);
    await kept.answer(proof);
    point = 2;
    await kept.answer(other);
    expect(open).toBe(0);
  });

  it("is not there while the chain has none, and fails with what fails", async () => {
    const kept = exportOf();
    fails = new SvcError("engine/not-imported", {});
    expect(nameOf(await kept.answer(proof))).toBe("unexpectedPruningPoint");
    fails = new SvcError("store/corrupt", { table: "meta", reason: "a test" });
    await expect(kept.answer(proof)).rejects.toMatchObject({ code: "store/corrupt" });
    expect(open).toBe(0);
  });

  it("ends while it is made", async () => {
    const kept = exportOf();
    onTurn = () => kept.stop();
    await expect(kept.answer(proof)).rejects.toMatchObject({ code: "node/stopping" });
    expect([open, made]).toEqual([0, [1]]);
  });
});
