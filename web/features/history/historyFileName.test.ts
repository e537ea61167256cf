import { expect, it } from "vitest";
import { historyFileName } from "./historyFileName.ts";

it("names a file by the day of the person who saves it", () => {
  const evening = new Date(2026, 0, 5, 23, 59).getTime();
  expect(historyFileName("csv", evening)).toBe("wallet-history-2026-01-05.csv");
});
