import { expect, test } from "vitest";
import { viewingKeyFile } from "./viewingKeyFile.ts";

test("holds the digits alone, and its name says which key of which network it is", () => {
  const file = viewingKeyFile(
    { kind: "full", key: "ab".repeat(96) },
    "net-1/..",
    new Date(2026, 0, 5),
  );
  expect(file).toEqual({
    name: "viewing-key-full-net-1-2026-01-05.txt",
    text: `${"ab".repeat(96)}\n`,
  });
});
