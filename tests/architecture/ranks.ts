/**
 * Architecture rule: layering of imports. An import is judged by the ranks of `rooms.ts` in the innermost folder that both
 * of its ends share.
 */
import { posix } from "node:path";
import { FOR_TESTS, ROOMS, type Room, type Rooms } from "./rooms.ts";
import type { SourceFile, Violation } from "./sourceTree.ts";
import { isTest } from "./sourceTree.ts";
import { readTypescript } from "./typescriptFile.ts";

const PACKAGE_PREFIXES: readonly (readonly [string, string])[] = [
  ["@svc/shared/", "shared/"],
  ["@svc/node-server/", "node-server/"],
  ["@svc/web/", "web/"],
  ["@svc/edge/", "edge/"],
  ["@svc/tests/", "tests/"],
];

/** Where an import leads inside the repository; undefined for packages and Node's own modules. */
export function resolveImport(from: string, specifier: string): string | undefined {
  const bare = specifier.replace(/\?.*$/, "");
  if (bare.startsWith(".")) return posix.normalize(posix.join(posix.dirname(from), bare));
  const own = PACKAGE_PREFIXES.find(([prefix]) => bare.startsWith(prefix));
  return own === undefined ? undefined : own[1] + bare.slice(own[0].length);
}

/** Tables of the rule: the rooms, and the files that any test may import. */
export type RankTables = { readonly rooms: Rooms; readonly forTests: ReadonlyMap<string, string> };

const TABLES: RankTables = { rooms: ROOMS, forTests: FOR_TESTS };

/** Imports that point upwards or sideways, that the walls of a room forbid, and from or to a place that has no rank. */
export function rankViolations(file: SourceFile, tables: RankTables = TABLES): Violation[] {
  if (!file.path.includes("/")) return [];
  const found: Violation[] = [];
  for (const { specifier, line } of readTypescript(file).imports) {
    const target = resolveImport(file.path, specifier);
    if (target === undefined) continue;
    const reason = judge(file.path, target, tables);
    if (reason !== undefined) {
      found.push({ path: `${file.path}:${line}`, message: `${reason}: ${specifier}` });
    }
  }
  return found;
}

/** A test and what helps it stand beside what they test, and may use all of their part. */
const helpsTests = (path: string): boolean => isTest(path) || path.includes("/testkit/");
/** Whether a path is for tests alone, in a part or beside all parts. */
const isForTests = (path: string): boolean =>
  path.includes("/testkit/") || path.startsWith("tests/");

function judge(from: string, to: string, { rooms, forTests }: RankTables): string | undefined {
  if (helpsTests(from) && (isForTests(to) || forTests.has(to))) return undefined;
  const [part = ""] = from.split("/");
  // A part may read its own manifest, for its version.
  if (to === `${part}/package.json`) return undefined;
  if (to.includes("/testkit/") && !helpsTests(from)) return "only tests use what helps tests";
  const { folder, here, there } = parting(from, to);
  const table = rooms[folder];
  const isLevelOfTests = folder === "" || folder === part;
  if (table === undefined || (helpsTests(from) && !isLevelOfTests)) return undefined;
  const path = folder === "" ? to : to.slice(folder.length + 1);
  return judgeRooms(folder, roomOf(table, here), { ...roomOf(table, there), path });
}

/** The innermost folder that two files share, and what of it each of them is in: a room, or itself. */
export function parting(from: string, to: string): { folder: string; here: string; there: string } {
  const [froms, tos] = [from.split("/"), to.split("/")];
  let depth = 0;
  while (froms[depth] === tos[depth] && depth < froms.length - 1) depth += 1;
  const folder = froms.slice(0, depth).join("/");
  return { folder, here: froms[depth] ?? "", there: tos[depth] ?? "" };
}

/** A room, or a file, with its name; as the end of an import, with what of it is imported. */
export type Standing = Partial<Room> & {
  readonly name: string;
  /** Path from the folder that the room stands in. */
  readonly path?: string;
};

/** A file that no row names stands above all rooms of its folder. */
export function roomOf(table: Readonly<Record<string, Room>>, name: string): Standing {
  const room = table[name];
  if (room !== undefined) return { ...room, name };
  return name.includes(".") ? { rank: Infinity, name } : { name };
}

/** The reason why one room may not import from another beside it; undefined where it may. */
export function judgeRooms(folder: string, from: Standing, to: Standing): string | undefined {
  const named = ({ name }: Standing): string => (folder === "" ? name : `${folder}/${name}`);
  for (const room of [from, to]) {
    if (room.rank === undefined) return `${named(room)} has no rank in tests/architecture/rooms.ts`;
  }
  const [fromRank = 0, toRank = 0] = [from.rank, to.rank];
  // Files at the top of one folder are one room.
  if (fromRank === Infinity && toRank === Infinity) return undefined;
  if (fromRank === toRank) return `${named(from)} and ${named(to)} must not know each other`;
  if (toRank > fromRank) {
    return `${named(from)} (rank ${fromRank}) imports upwards from ${named(to)} (rank ${toRank})`;
  }
  const path = `${to.path ?? to.name}/`;
  if (from.may !== undefined && !from.may.some((row) => path.startsWith(`${row}/`))) {
    return `${named(from)} may not import from ${named(to)}`;
  }
  return undefined;
}
