/** Reach of a change: test files that changed with it, rooms, or everything. */
import type { SourceFile } from "../../tests/architecture/sourceTree.ts";
import { readImporters, testFilesUsing } from "./helperImporters.ts";
import { lockfileRooms, type ChangedLock } from "./lockfileRooms.ts";
import { packageImporters } from "./packageImporters.ts";
import { roomOfPath } from "./roomOfPath.ts";

/** A change: the paths that differ, deleted ones too, and both texts of lockfiles among them where they can be had. */
export type Change = {
  readonly paths: readonly string[];
  readonly locks: readonly ChangedLock[];
};

/** The reach of a change, in the form in which `chooseFiles` takes it. */
export type Reach = {
  /** Test files that changed. */
  readonly changed: readonly string[];
  /** Test files of changed helpers that did not change themselves. */
  readonly helped: readonly string[];
  /** Rooms: those with the most changed files first, by name among equals. */
  readonly rooms: readonly string[];
  readonly everything: boolean;
};

/** Computes the reach of a change in a tree with these sources. */
export function reachOfChange({ paths, locks }: Change, sources: readonly SourceFile[]): Reach {
  const compared = new Set<string>(locks.map(({ path }) => path));
  const reached = new ReachedParts(sources);
  for (const path of paths) if (!compared.has(path)) reached.add(path);
  const importers = locks.length === 0 ? new Map() : packageImporters(sources);
  for (const lock of locks) {
    const meaning = lockfileRooms(lock, importers);
    if (meaning === "everything") reached.everything = true;
    else for (const path of meaning) reached.add(path);
  }
  return reached.reach();
}

class ReachedParts {
  everything = false;
  readonly #sources: readonly SourceFile[];
  readonly #tests = new Set<string>();
  readonly #helpers = new Map<string, string | undefined>();
  readonly #rooms = new Map<string, number>();

  constructor(sources: readonly SourceFile[]) {
    this.#sources = sources;
  }

  add(path: string): void {
    const meaning = roomOfPath(path);
    if (meaning.kind === "everything") this.everything = true;
    if (meaning.kind === "test") this.#tests.add(path);
    if (meaning.kind === "room") this.#addRoom(meaning.room);
    if (meaning.kind === "helper") this.#helpers.set(path, meaning.room);
  }

  reach(): Reach {
    const helped = new Set<string>();
    const importers = this.#helpers.size === 0 ? new Map() : readImporters(this.#sources);
    for (const [helper, room] of this.#helpers) {
      const tests = testFilesUsing(helper, importers);
      for (const test of tests) if (!this.#tests.has(test)) helped.add(test);
      // Importers show what reads the file by name; the row has those that make its path.
      if (room !== undefined) this.#addRoom(room);
    }
    const rooms = Array.from(this.#rooms).toSorted(
      ([one, files], [other, others]) => others - files || (one < other ? -1 : 1),
    );
    return {
      changed: Array.from(this.#tests),
      helped: Array.from(helped),
      rooms: rooms.map(([room]) => room),
      everything: this.everything,
    };
  }

  #addRoom(room: string): void {
    this.#rooms.set(room, (this.#rooms.get(room) ?? 0) + 1);
  }
}
