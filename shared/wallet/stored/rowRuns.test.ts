import { expect, it } from "vitest";
import { rowsOfRuns, rowText, runsJson, sizeOf } from "./rowRuns.ts";

const ROWS = [
  { b: 1, a: "x" },
  { a: "y", b: 2n },
  { a: "z", b: null, c: [1, { d: 2n }] },
  { a: "", b: 0 },
];
const JSON_OF_THEM =
  '[[["a","b"],["x",1],["y","2"]],[["a","b","c"],["z",null,[1,{"d":"2"}]]],[["a","b"],["",0]]]';

it("writes the names of a run once", () => {
  expect(runsJson(ROWS.map((row) => rowText(row)))).toBe(JSON_OF_THEM);
  expect(runsJson([])).toBe("[]");
});

it("reads back what it wrote", () => {
  expect(rowsOfRuns(JSON.parse(JSON_OF_THEM))).toEqual([
    { a: "x", b: 1 },
    { a: "y", b: "2" },
    { a: "z", b: null, c: [1, { d: "2" }] },
    { a: "", b: 0 },
  ]);
  expect(rowsOfRuns([])).toEqual([]);
});

it("says of each row at least how long it makes the JSON", () => {
  const texts = ROWS.map((row) => rowText(row));
  for (const [at, text] of texts.entries()) {
    const [before, after] = [runsJson(texts.slice(0, at)), runsJson(texts.slice(0, at + 1))];
    expect(sizeOf(text, texts[at - 1])).toBeGreaterThanOrEqual(after.length - before.length);
  }
});

it.each([null, 5, {}, [5], [[5]], [[["a"], [1, 2]]], [[[1], [1]]], [[["a"], { a: 1 }]]])(
  "takes %j for no rows",
  (json) => {
    expect(rowsOfRuns(json)).toBeNull();
  },
);
