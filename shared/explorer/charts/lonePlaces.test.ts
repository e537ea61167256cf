import { expect, it } from "vitest";
import { lonePlaces } from "./lonePlaces.ts";

it.each<readonly [string, readonly (number | null)[], readonly number[]]>([
  ["of nothing", [], []],
  ["of the only value", [0], [0]],
  ["of a line", [1, 2, 3], []],
  ["at both ends and between", [1, null, 2, null, 3], [0, 2, 4]],
  ["beside a line", [1, 1, null, 2, null, null, 3, 3], [3]],
])("lone places: %s", (_, values, places) => {
  expect(lonePlaces(values)).toEqual(places);
});
