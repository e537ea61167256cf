/** The rows of `SHOWN_BY` against the tree, and planted faults that must be noticed. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../tests/architecture/sourceTree.ts";
import { faultyRows, ROW_UNITS, roomsWithoutRow, unitsWithoutRow } from "./rowFaults.ts";
import { SHOWN_BY } from "./shownRooms.ts";

const PARTS = ["shared", "node-server", "web", "edge", "wasm-core", "package", "docs", "tests"];
/** Built, fetched, or left by a run. */
const MADE = new Set([
  "node_modules",
  "dist",
  "target",
  "pkg",
  ".wrangler",
  ".vendure",
  "test-results",
]);
/** A file that exists, so that planted rows have something to name. */
const FIRST = "tests/e2e/wallet/wallet.test.ts";

const paths = [
  ...readdirSync(ROOT, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name),
  ...PARTS.flatMap(filesOf),
];

function filesOf(folder: string): string[] {
  return readdirSync(ROOT + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isFile()) return [path];
    return entry.isDirectory() && !MADE.has(entry.name) ? filesOf(path) : [];
  });
}

describe("the rows of the tree", () => {
  it("name a witness for every room", () => {
    expect(roomsWithoutRow(paths, SHOWN_BY)).toEqual([]);
  });

  it("place every test file and suite of T2", () => {
    expect(unitsWithoutRow(paths, SHOWN_BY)).toEqual([]);
  });

  it("name what is there, once each", () => {
    expect(faultyRows(paths, SHOWN_BY)).toEqual([]);
  });
});

describe("planted faults", () => {
  it.each([
    ["shared/bridge/link.ts", "shared/bridge"],
    ["node-server/bridge/wire.ts", "node-server/bridge"],
    ["node-server/walletd/bridge/wire.ts", "node-server/walletd/bridge"],
    ["web/features/bridge/Bridge.tsx", "web/features/bridge"],
    ["web/bridge/bridge.css", "web/bridge"],
    ["edge/bridge/worker.ts", "edge/bridge"],
    ["edge/plugin/shopware/plugin.php", "edge/plugin/shopware"],
    ["wasm-core/crates/bridge/src/lib.rs", "wasm-core/crates/bridge"],
    ["wasm-core/tables/table.bin", "wasm-core/tables"],
    ["tests/recordings/recorded.bin", "tests/recordings"],
    ["bridge/index.ts", "bridge"],
  ])("%s is a room without a row", (path, room) => {
    expect(roomsWithoutRow([...paths, path], SHOWN_BY)).toEqual([room]);
  });

  it.each(["shared/base/money.ts", "wasm-core/crates/dag/src/ghostdag.rs", "web/pos/till.ts"])(
    "the room of %s is missed when its row goes",
    (path) => {
      const room = path.split("/src/")[0]?.replace(/\/\w+\.ts$/, "") ?? "";
      const { [room]: gone, ...rest } = SHOWN_BY;
      expect(gone).toBeDefined();
      expect(roomsWithoutRow([path], rest)).toEqual([room]);
    },
  );

  it("a test file in no row is missed, and data of tests is no witness for it", () => {
    const planted = "tests/network/bridge/bridge.test.ts";
    expect(unitsWithoutRow([...paths, planted], SHOWN_BY)).toEqual([planted]);
    const rows = { ...SHOWN_BY, "tests/vectors": [planted] };
    expect(unitsWithoutRow([...paths, planted], rows)).toEqual([planted]);
    expect(unitsWithoutRow([...paths, planted], { ...SHOWN_BY, web: [planted] })).not.toContain(
      planted,
    );
  });

  it("a suite in no row is missed", () => {
    expect(unitsWithoutRow([], { web: ["suite:sim", "suite:fuzz", "suite:kernels"] })).toEqual([
      "suite:oracle",
    ]);
  });

  it("a row of what is not there is told", () => {
    const rows = {
      "web/pos": ["tests/e2e/gone.test.ts", FIRST, FIRST],
      "web/gone": [FIRST],
      web: [],
    };
    expect(faultyRows(paths, rows)).toEqual([
      "web/pos names tests/e2e/gone.test.ts, which is not there",
      "web/pos names a file twice",
      "web/gone is not there",
      "web names 0 files",
    ]);
    const many = paths.filter((path) => path.startsWith("tests/e2e/") && path.endsWith(".test.ts"));
    expect(many.length).toBeGreaterThan(ROW_UNITS);
    expect(faultyRows(paths, { web: many })).toEqual([`web names ${many.length} files`]);
  });
});
