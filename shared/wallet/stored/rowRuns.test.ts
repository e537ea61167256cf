import { expect, it } from "vitest";
import { rowsOfRuns, rowText, runsJson, sizeOf } from "./rowRuns.ts";

const ROWS = [
  { b: 1, a: "x" },
  { a: "y", b: 2n },
  { a: "y", b: 3 },
  { a: "y", b: 3 },
  { a: "z", b: null, c: [1, { d: 2n }] },
  { a: "", b: 0 },
];
const READ = [
  { a: "x", b: 1 },
  { a: "y", b: "2" },
  { a: "y", b: 3 },
  { a: "y", b: 3 },
  { a: "z", b: null, c: [1, { d: "2" }] },
  { a: "", b: 0 },
];
const JSON_OF_THEM =
  '[2,[["a","b"],["x",1],[0,"y","2"],[1,3],[3]],[["a","b","c"],["z",null,[1,{"d":"2"}]]],[["a","b"],["",0]]]';
/** As programs before wrote them. */
const WHOLE =
  '[[["a","b"],["x",1],["y","2"],["y",3],["y",3]],[["a","b","c"],["z",null,[1,{"d":"2"}]]],[["a","b"],["",0]]]';

it("writes the names of a run once, and of a row what differs from the one before", () => {
  expect(runsJson(ROWS.map((row) => rowText(row)))).toBe(JSON_OF_THEM);
  expect(runsJson([])).toBe("[2]");
});

it("reads back what it wrote, and what programs before wrote", () => {
  expect(rowsOfRuns(JSON.parse(JSON_OF_THEM))).toEqual(READ);
  expect(rowsOfRuns(JSON.parse(WHOLE))).toEqual(READ);
  expect(rowsOfRuns([2])).toEqual([]);
  expect(rowsOfRuns([])).toEqual([]);
});

it("reads back rows of very many fields, and no two rows are one object", () => {
  const wide = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}`, at]));
  const rows = [wide, { ...wide, f39: "other" }, wide, { a: 1 }, { a: 1 }];
  const read = rowsOfRuns(JSON.parse(runsJson(rows.map((row) => rowText(row)))));
  expect(read).toEqual(rows);
  expect(new Set(read).size).toBe(rows.length);
});

it("says of each row at least how long it makes the JSON", () => {
  const texts = ROWS.map((row) => rowText(row));
  for (const [at, text] of texts.entries()) {
    const [before, after] = [runsJson(texts.slice(0, at)), runsJson(texts.slice(0, at + 1))];
    expect(sizeOf(text, texts[at - 1])).toBeGreaterThanOrEqual(after.length - before.length);
  }
});

it.each([
  ...[null, 5, {}, [5], [[5]], [[["a"], [1, 2]]], [[[1], [1]]], [[["a"], { a: 1 }]], [3, [["a"]]]],
  // A row without its number, with one that is none, with more bits than names, with values too few and too many.
  ...[[], [null, 1], [-1, 1], [0.5, 1], [2, 1], [0], [1, 1], [0, 1, 2]].map((row) => [
    2,
    [["a"], [1], row],
  ]),
  [2, [["a"], []]],
  [2, [["__proto__"], [{}]]],
])("takes %j for no rows", (json) => {
  expect(rowsOfRuns(json)).toBeNull();
});
