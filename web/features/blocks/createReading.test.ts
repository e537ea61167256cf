import { createRoot, createSignal } from "solid-js";
import { asChainIndex } from "@svc/shared/base/brand.ts";
import { expect, test } from "vitest";
import type { ChainRows } from "./chainRows.ts";
import { createReading } from "./createReading.ts";
import { chainOf } from "./testRows.ts";

/** Runs `use` with a list from 10 downwards that can be replaced. */
function withReading(
  use: (reading: ReturnType<typeof createReading>, setRows: (rows: ChainRows) => void) => void,
): void {
  createRoot((dispose) => {
    const [rows, setRows] = createSignal<ChainRows>(chainOf(10, 1));
    use(createReading(rows), setRows);
    dispose();
  });
}

const top = (rows: ChainRows) => rows[0]?.index;

test("new blocks wait while one is open and appear when it is closed", () => {
  withReading((reading, setRows) => {
    reading.toggle(chainOf(8, 8)[0]?.hash ?? "");
    setRows(chainOf(13, 1));
    expect(reading.held()).toBe(3);
    expect(top(reading.shown())).toBe(asChainIndex(10n));
    reading.toggle(null);
    expect(top(reading.shown())).toBe(asChainIndex(13n));
  });
});

test("opening another block keeps the list where it is", () => {
  withReading((reading, setRows) => {
    reading.toggle(chainOf(8, 8)[0]?.hash ?? "");
    setRows(chainOf(13, 1));
    reading.toggle(chainOf(6, 6)[0]?.hash ?? "");
    expect(reading.held()).toBe(3);
  });
});

test("an open block that leaves the chain lets the list go on", () => {
  withReading((reading, setRows) => {
    reading.toggle(chainOf(8, 8)[0]?.hash ?? "");
    setRows([...chainOf(13, 8, "b", 8), ...chainOf(7, 1)]);
    expect(reading.openHash()).toBeNull();
    expect(reading.held()).toBe(0);
  });
});
