/**
 * Architecture rule: layering of the modules inside a crate (the ranks of `rooms.ts`), read from paths that begin with
 * `crate::`. A module may use what the modules above it own themselves; among its siblings the ranks hold.
 */
import { judgeRooms, parting, roomOf } from "../ranks.ts";
import { ROOMS, type Rooms } from "../rooms.ts";
import type { SourceFile, Violation } from "../sourceTree.ts";

const MODULE = /^(wasm-core\/crates\/[^/]+\/src)\/(.+)\.rs$/;
const PATH = /\bcrate::((?:\w+::)*)(\w+|\{[^;]*\})/g;
/** Names at the beginning of each part of a grouped import. */
const GROUPED = /(?:^\{|,)\s*(\w+)/g;

/** Paths that point upwards or sideways between ranked modules of a crate, and modules without a rank beside ranked ones. */
export function crateRoomViolations(file: SourceFile, rooms: Rooms = ROOMS): Violation[] {
  const [, source = "", name = ""] = MODULE.exec(file.path) ?? [];
  const isRanked = Object.keys(rooms).some((folder) => `${folder}/`.startsWith(`${source}/`));
  if (source === "" || !isRanked || name === "lib") return [];
  const own = `${source}/${name}`;
  const reasons = targetsOf(file.text).flatMap((target) => {
    const reason = judge(own, `${source}/${target}`, rooms);
    return reason === undefined ? [] : [`${reason}: ${target.replaceAll("/", "::")}`];
  });
  const found = new Set([...reasons, ...unranked(own, rooms)]);
  return Array.from(found, (message) => ({ path: file.path, message }));
}

/** What the paths of a file name, written with slashes; comments, and tests at its end, left out. */
function targetsOf(text: string): string[] {
  const [code = ""] = text.replaceAll(/\/\/[^\n]*/g, "").split(/^#\[cfg\(test\)\]\nmod /m);
  return [...code.matchAll(PATH)].flatMap(([, modules = "", last = ""]) => {
    const group = last.replaceAll(/::\{[^{}]*\}/g, "");
    const names = group.startsWith("{")
      ? Array.from(group.matchAll(GROUPED), ([, name = ""]) => name)
      : [last];
    return names.map((name) => `${modules.replaceAll("::", "/")}${name}`);
  });
}

function judge(own: string, target: string, rooms: Rooms): string | undefined {
  const { folder, here, there } = parting(own, target);
  const table = rooms[folder];
  // What has no rank where modules have one is an item of the module above.
  if (table?.[there] === undefined || here === there) return undefined;
  return judgeRooms(folder, roomOf(table, here), roomOf(table, there));
}

/** Modules that stand beside ranked ones without a rank. */
function unranked(own: string, rooms: Rooms): string[] {
  const parts = own.split("/");
  return parts.flatMap((part, depth) => {
    const folder = parts.slice(0, depth).join("/");
    const table = folder.startsWith("wasm-core/crates/") ? rooms[folder] : undefined;
    return table === undefined || table[part] !== undefined
      ? []
      : [`${folder}/${part} has no rank in tests/architecture/rooms.ts`];
  });
}
