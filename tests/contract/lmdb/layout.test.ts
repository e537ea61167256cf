/** The node's table list is the engine's. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { HOST_TABLE } from "@svc/node-server/storage/hostTable.ts";
import { CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";

const source = readFileSync(
  new URL("../../../wasm-core/crates/consensus/src/store/tables.rs", import.meta.url),
  "utf8",
);

test("names, numbers and large tables agree with tables.rs", () => {
  const declared = [...source.matchAll(/pub const ([A-Z_]+): u8 = (\d+);/g)].map(
    ([, name = "", number]) => ({ name, number: Number(number) }),
  );
  const list = /pub const LARGE: \[u8; \d+\] = \[([^\]]+)\]/.exec(source)?.[1] ?? "";
  const large = list.split(",").map((name) => name.trim());
  expect(large.length).toBeGreaterThan(0);
  const expected = declared.map(({ name, number }) => ({
    number,
    name: name.toLowerCase(),
    large: large.includes(name),
  }));
  expect(CONSENSUS_LAYOUT.tables).toEqual(expected);
  expect(CONSENSUS_LAYOUT.tables.every((row) => row.number !== HOST_TABLE)).toBe(true);
});
