/** The table of rooms in ARCHITECTURE.md says what `rooms.ts` does. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ROOMS, type Room } from "../rooms.ts";

const DOCUMENT = readFileSync(new URL("../../../ARCHITECTURE.md", import.meta.url), "utf8");
const ROW = /^\| ((?:crate )?`[^|]+`) \| (`[^|]+`) \|$/;

/** Rooms of one rank each, from the lowest on, those of one rank by name. */
type Storeys = readonly (readonly string[])[];

function rowsOf(text: string): ReadonlyMap<string, Storeys> {
  const rows = text.split("\n").flatMap((line) => {
    const [, part, rooms = ""] = ROW.exec(line) ?? [];
    if (part === undefined) return [];
    const storeys = rooms
      .split(" → ")
      .map((storey) => storey.split(", ").map((name) => name.replaceAll("`", "")));
    return [[part, storeys.map((names) => names.toSorted())] as const];
  });
  return new Map(rows);
}

/** How the table names a folder. */
function partOf(folder: string): string {
  const [, crate, module] = /^wasm-core\/crates\/(\w+)\/src(?:\/(\w+))?$/.exec(folder) ?? [];
  if (crate === undefined) return `\`${folder}\``;
  return module === undefined ? `crate \`${crate}\`` : `crate \`${crate}\`, module \`${module}\``;
}

/** Limits files stand below all rooms, and the table leaves them out. */
function storeysOf(rooms: Readonly<Record<string, Room>>): Storeys {
  const named = Object.entries(rooms).filter(([name]) => !name.endsWith("Limits.ts"));
  const ranks = new Set(named.map(([, { rank }]) => rank));
  return [...ranks]
    .toSorted((a, b) => a - b)
    .map((rank) => named.flatMap(([name, room]) => (room.rank === rank ? [name] : [])).toSorted());
}

const ranked = Object.entries(ROOMS).filter(([folder]) => folder !== "");

describe("the table of rooms", () => {
  const rows = rowsOf(DOCUMENT.slice(DOCUMENT.indexOf("### Rooms of a part")));

  it("has a row for each folder whose rooms are ranked, and no other", () => {
    expect([...rows.keys()].toSorted()).toEqual(
      ranked.map(([folder]) => partOf(folder)).toSorted(),
    );
  });

  it.each(ranked)("%s has its rooms in their order", (folder, rooms) => {
    expect(rows.get(partOf(folder))).toEqual(storeysOf(rooms));
  });

  it("is read by its arrows and commas", () => {
    const text = "| crate `a`, module `b` | `d`, `c` → `e` |\n| `codec` | bytes |";
    expect([...rowsOf(text)]).toEqual([["crate `a`, module `b`", [["c", "d"], ["e"]]]]);
  });
});
