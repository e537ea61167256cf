/**
 * How well a spy guesses the origin of payments (ADR 22), in simulated time, with the real links, stems and relay of the
 * node.
 */
import { describe, expect, it } from "vitest";
import { IS_FULL, testSeed } from "@svc/node-server/platform/testkit/testRun.ts";
import { measureOrigin, type OriginFigures, type OriginOptions } from "./originScene.ts";
import { HANG_MS } from "../../testkit/hangMs.ts";

const COUNT = IS_FULL ? 10 : 1;
const seedsFrom = (first: number): number[] => Array.from({ length: COUNT }, (_, at) => first + at);
/** The bound holds with any. */
const ANY = seedsFrom(testSeed(17));
/** What is measured to compare with, and could by chance lie anywhere. */
const SAME = seedsFrom(20_261_123);
/** Milliseconds; simulated time passes as fast as the machine lets it. */
const LIMIT = { timeout: COUNT * HANG_MS };
const MOST_GUESSED = 0.15;
const IN_TIME_MS = 8_000;

async function measure(
  name: string,
  seeds: readonly number[],
  over: Partial<OriginOptions> = {},
): Promise<OriginFigures[]> {
  const all: OriginFigures[] = [];
  for (const seed of seeds) {
    const figures = await measureOrigin({ ...over, seed });
    console.info(`${name}: SVC_SEED=${seed}`, JSON.stringify(figures));
    all.push(figures);
  }
  return all;
}

/** Of all payments of all seeds. */
function guessedShare(all: readonly OriginFigures[]): number {
  const [guessed, payments] = [
    all.reduce((sum, figures) => sum + figures.guessed, 0),
    all.reduce((sum, figures) => sum + figures.payments, 0),
  ];
  return guessed / payments;
}

describe("the origin of a payment among 20 nodes", () => {
  it(
    "is named by who announced it first for 15 of 100 payments at most, and all nodes have it within 8 seconds",
    LIMIT,
    async () => {
      for (const { guessed, payments, medianMs, lost } of await measure("with stems", ANY)) {
        expect(payments).toBe(200);
        expect(guessed / payments).toBeLessThanOrEqual(MOST_GUESSED);
        expect(medianMs).toBeLessThanOrEqual(IN_TIME_MS);
        expect(lost).toBe(0);
      }
    },
  );

  it("is named far more often where no node takes stems", LIMIT, async () => {
    const without = await measure("without stems", SAME, { stems: false });
    expect(guessedShare(without)).toBeGreaterThan(MOST_GUESSED);
    for (const { medianMs, lost } of without) {
      expect(medianMs).toBeLessThanOrEqual(IN_TIME_MS);
      expect(lost).toBe(0);
    }
  });

  it(
    "is named by the first that told three nodes of the spy for less than a third",
    LIMIT,
    async () => {
      // Of 19 peers that a node may have chosen 3 are the spy's, and those are told by the origin itself.
      const spied = await measure("3 nodes are the spy's", SAME, { spied: 3 });
      expect(guessedShare(spied)).toBeLessThan(1 / 3);
      for (const { lost } of spied) expect(lost).toBe(0);
    },
  );
});
