import { expect, it } from "vitest";
import { pairedVerdict } from "./pairedRatios.ts";

const ref = [100, 110, 90, 100];
const quiet = [100.5, 110, 90.5, 100];
const noisy = [120, 90, 100, 80];
const slower = (share: number) => ref.map((figure) => figure * (1 + share));

it("a loss beyond three in a hundred and beyond the other's own spread is lost", () => {
  const verdict = pairedVerdict({ here: slower(0.04), ref, again: quiet, better: "lower" });
  expect(verdict.verdict).toBe("lost");
  expect(verdict.loss).toBeCloseTo(0.04);
  expect(verdict.spread).toBeCloseTo(0.005);
});

it.each([-0.2, 0, 0.03])("a change of %f is none to speak of", (share) => {
  const { verdict } = pairedVerdict({
    here: slower(share - 1e-9),
    ref,
    again: quiet,
    better: "lower",
  });
  expect(verdict).toBe("kept");
});

it("where the other commit varies as much by itself nothing is said of a loss", () => {
  const { verdict, spread } = pairedVerdict({
    here: slower(0.1),
    ref,
    again: noisy,
    better: "lower",
  });
  expect(spread).toBeCloseTo(0.2);
  expect(verdict).toBe("unclear");
});

it("three of four ratios against itself lie within the spread: one slip of the machine does not hide a loss", () => {
  const again = [100, 110, 90, 300];
  const { spread, verdict } = pairedVerdict({ here: slower(0.05), ref, again, better: "lower" });
  expect(spread).toBe(0);
  expect(verdict).toBe("lost");
});

it("figures are set against those of their own round", () => {
  // The machine has slow rounds and quick ones; the ratio of both medians would be 1.1.
  const figures = { here: [10, 22, 30], ref: [10, 30, 20], again: [10, 30, 20] };
  expect(pairedVerdict({ ...figures, better: "lower" })).toMatchObject({ loss: 0, spread: 0 });
});

it("of a rate less is worse", () => {
  const half = ref.map((figure) => figure / 2);
  const { loss } = pairedVerdict({ here: half, ref, again: ref, better: "higher" });
  expect(loss).toBe(1);
  expect(pairedVerdict({ here: slower(1), ref, again: ref, better: "higher" }).loss).toBe(-0.5);
});

it("a figure without a partner is refused", () => {
  expect(() => pairedVerdict({ here: [1], ref, again: ref, better: "lower" })).toThrow("partner");
  expect(() => pairedVerdict({ here: [], ref: [], again: [], better: "lower" })).toThrow(
    "no samples",
  );
});
