import { expect, test } from "vitest";
import { backupFileName } from "./backupFileName.ts";

test("names the network and the day", () => {
  expect(backupFileName("net-1", new Date(2026, 0, 5))).toBe("wallet-net-1-2026-01-05.json");
});

test("no name of a network leads to another folder", () => {
  const name = backupFileName("../../etc/passwd", new Date(2026, 11, 31));
  expect(name).toBe("wallet-etcpasswd-2026-12-31.json");
});
