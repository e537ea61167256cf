import { expect, test } from "vitest";
import { CORE_LIMITS } from "@svc/shared/core/coreLimits.ts";
import { provingChoice, provingWorkers } from "./provingChoice.ts";

test("the address chooses the prover and the number of workers", () => {
  expect(provingChoice("")).toEqual({ prover: "own", threads: null });
  expect(provingChoice("?prover=upstream&proof-threads=2")).toEqual({
    prover: "upstream",
    threads: 2,
  });
});

test.each(["?proof-threads=0", "?proof-threads=17", "?proof-threads=1e1", "?prover=guess"])(
  "%s is the default",
  (search) => {
    expect(provingChoice(search)).toEqual({ prover: "own", threads: null });
  },
);

test("one core is left for the page", () => {
  const counts = [1, 2, 3, 8, 64].map(provingWorkers);
  expect(counts).toEqual([1, 1, 2, 7, CORE_LIMITS.proofThreadsDefault]);
});
