import { expect, test } from "vitest";
import { canonicalCommand, parseBenchCommand } from "./benchOptions.ts";

test("the command line names a bench and its sizes", () => {
  expect(parseBenchCommand(["prove", "--actions", "8", "--workers=2", "--json"])).toEqual({
    name: "prove",
    json: true,
    record: false,
    judge: false,
    against: undefined,
    options: {
      actions: 8,
      workers: 2,
      batch: 1,
      blocks: 10_000,
      count: 100_000,
      tx: 0,
      depth: 1_000,
      rounds: 7,
      longestMs: 600_000,
      memory: false,
    },
  });
  expect(parseBenchCommand(["prove", "--memory"]).options).toMatchObject({ actions: 38 });
});

test("as many rounds as a person names are taken, however long that is", () => {
  const { options } = parseBenchCommand(["prove", "--rounds", "7"]);
  expect(options).toMatchObject({ rounds: 7, longestMs: Number.POSITIVE_INFINITY });
});

test("two commits are compared by more rounds", () => {
  const { against, options } = parseBenchCommand(["scan", "--against", "main"]);
  expect({ against, rounds: options.rounds }).toEqual({ against: "main", rounds: 11 });
});

test.each([
  ["prove", "prove --actions 2"],
  ["prove --rounds 3 --json", "prove --actions 2"],
  ["prove --workers 2 --actions 8", "prove --actions 8 --workers 2"],
  ["prove --memory --workers 2", "prove --memory --workers 2"],
  ["prove --memory --actions 8", "prove --memory --actions 8"],
  ["verify --batch 64", "verify --batch 64"],
  ["ingest --tx 8", "ingest --tx 8"],
  ["ibd --tx 1", "ibd --blocks 10000 --tx 1"],
  ["reorg", "reorg --depth 1000"],
  ["headers", "headers --count 100000"],
  ["memory", "memory --blocks 10000"],
  ["tree --judge", "tree"],
])("%s is the measurement %s, which is typed the same", (typed, canonical) => {
  const of = (text: string) => {
    const { name = "", options } = parseBenchCommand(text.split(" "));
    return canonicalCommand(name, options);
  };
  expect(of(typed)).toBe(canonical);
  expect(of(canonical)).toBe(canonical);
});

test.each([
  ["--actions"],
  ["--actions", "0"],
  ["--batch=1.5"],
  ["--tx", "27"],
  ["--nonsense"],
  ["a", "b"],
  ["scan", "--against"],
  ["scan", "--against", "--json"],
  ["scan", "--against=main", "--record"],
])("%s is refused", (...args) => {
  expect(() => parseBenchCommand(args)).toThrow(Error);
});
