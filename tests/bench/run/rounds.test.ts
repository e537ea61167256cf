import { expect, it } from "vitest";
import { inTurns, type Round, type RoundLog } from "./rounds.ts";

const nothingKept: RoundLog = { kept: [], add: () => {} };
const endless = { longestMs: Number.POSITIVE_INFINITY, log: nothingKept };

/** Sides that count how often they were asked, and in which order. */
function countingSides() {
  const asked: string[] = [];
  const side = (name: string) => async () => {
    asked.push(name);
    return { ms: asked.filter((one) => one === name).length };
  };
  return { asked, sides: { a: side("a"), b: side("b"), c: side("c") } };
}

it("each round asks every side once, and begins with another one", async () => {
  const { asked, sides } = countingSides();
  const rounds = await inTurns(sides, { ...endless, rounds: 3, warm: false });
  expect(asked.join("")).toBe("abcbcacab");
  expect(rounds.of("a", "ms")).toEqual([1, 2, 3]);
  expect(rounds.figuresOf("b")).toEqual(["ms"]);
  expect(() => rounds.of("a", "bytes")).toThrow("a did not measure bytes");
});

it("the round that warms is not counted", async () => {
  const { asked, sides } = countingSides();
  const rounds = await inTurns(sides, { ...endless, rounds: 2 });
  expect(asked).toHaveLength(9);
  expect(rounds.of("a", "ms")).toEqual([2, 3]);
});

it("a run goes on where a stopped one was, and says so", async () => {
  const added: Round[] = [];
  const kept = [1, 2].map((ms) => ({ a: { ms }, b: { ms }, c: { ms } }));
  const log = { kept, add: (round: Round) => added.push(round) };
  const { asked, sides } = countingSides();
  const rounds = await inTurns(sides, { ...endless, rounds: 3, log, warm: false });
  expect(asked).toHaveLength(3);
  expect(added).toEqual(rounds.all.slice(2));
  expect(rounds.of("a", "ms")).toEqual([1, 2, 1]);
  expect(rounds.notes).toContain("2 of the samples are from a run that was stopped");
});

it("what is complete is not measured again", async () => {
  const kept = [1, 2, 3].map((ms) => ({ a: { ms } }));
  const refuse = () => Promise.reject(new Error("asked again"));
  const rounds = await inTurns(
    { a: refuse },
    { ...endless, rounds: 2, log: { ...nothingKept, kept } },
  );
  expect(rounds.of("a", "ms")).toEqual([1, 2]);
});

it.each([true, false])(
  "too long a comparison takes one sample and says so (warm: %s)",
  async (warm) => {
    const { sides } = countingSides();
    const rounds = await inTurns(sides, { rounds: 7, longestMs: 0, log: nothingKept, warm });
    expect(rounds.all).toHaveLength(1);
    expect(rounds.notes.join()).toContain("1 samples: 7 would take more than ten minutes");
  },
);
