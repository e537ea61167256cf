/** Faults of the rows of `SHOWN_BY` in a tree: rooms and test files without a row, and rows of missing files. */
import { CARGO_UNITS } from "./shownRooms.ts";
import { isSetUp, isT2Test, isUnread, roomOfPath } from "./roomOfPath.ts";

type Rows = Readonly<Record<string, readonly string[]>>;

/** Files that a row names at most: one that names more says nothing. */
export const ROW_UNITS = 25;
/** Rooms are folders of the second level in these. */
const PARTS = /^(shared|node-server|web|edge)$/;
/** A folder of shops' plugins, each a room of its own. */
const PLUGINS = "edge/plugin";
const CRATES = "wasm-core/crates";
/** Data in these folders below `tests/` has rows; a helper in TypeScript counts for its importers. */
const DATA = /^tests\/.*(?<!\.tsx?)$/;

/** Rooms of a tree that have no row: a new folder is one of them. */
export function roomsWithoutRow(paths: readonly string[], rows: Rows): readonly string[] {
  return Array.from(new Set(paths.flatMap((path) => roomOfTree(path, rows) ?? [])))
    .filter((room) => rows[room] === undefined)
    .toSorted();
}

/** Test files of T2 and suites that no row of a room of the product names. Rows of the tests' own data do not count. */
export function unitsWithoutRow(paths: readonly string[], rows: Rows): readonly string[] {
  const named = new Set(
    Object.entries(rows).flatMap(([room, units]) => (room.startsWith("tests/") ? [] : units)),
  );
  return unitsOf(paths).filter((unit) => !named.has(unit));
}

/** Rows that name a room or a unit that is not there, name one twice, or name too many or none. */
export function faultyRows(paths: readonly string[], rows: Rows): readonly string[] {
  const units = new Set(unitsOf(paths));
  return Object.entries(rows).flatMap(([room, named]) => {
    const faults = named
      .filter((unit) => !units.has(unit))
      .map((unit) => `${room} names ${unit}, which is not there`);
    if (!paths.some((path) => path === room || path.startsWith(`${room}/`))) {
      faults.push(`${room} is not there`);
    }
    if (new Set(named).size < named.length) faults.push(`${room} names a file twice`);
    if (named.length === 0 || named.length > ROW_UNITS) {
      faults.push(`${room} names ${named.length} files`);
    }
    return faults;
  });
}

function unitsOf(paths: readonly string[]): readonly string[] {
  return [...paths.filter(isT2Test), ...Object.keys(CARGO_UNITS)];
}

/** The room that a file is in by the tree alone; undefined for one that needs no row. */
function roomOfTree(path: string, rows: Rows): string | undefined {
  const { kind } = roomOfPath(path);
  if (kind === "helper") {
    return DATA.test(path) && !isUnread(path) ? path.split("/", 2).join("/") : undefined;
  }
  // What no row covers counts for everything, and so does the set-up: only the latter is meant to.
  const isPlaced = kind === "nothing" || kind === "test" || isSetUp(path);
  return isPlaced ? undefined : folderOf(path, rows);
}

/** The folder of the second level, or of the third where the second level has rows of that level or is a folder of rooms. */
function folderOf(path: string, rows: Rows): string | undefined {
  const [part, second, third] = path.split("/").slice(0, -1);
  // A file of the root is no room: an unknown one counts for everything.
  if (part === undefined) return undefined;
  if (!PARTS.test(part) && part !== "wasm-core") return rows[path] === undefined ? part : path;
  if (second === undefined) return part;
  const room = `${part}/${second}`;
  if (third === undefined) return room;
  const isSplit =
    room === PLUGINS ||
    room === CRATES ||
    Object.keys(rows).some((one) => one.startsWith(`${room}/`));
  return isSplit ? `${room}/${third}` : room;
}
