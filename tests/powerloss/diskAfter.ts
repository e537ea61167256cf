/**
 * Disk model of a power loss: after the cut a disk holds whatever was flushed, and of the rest any part.
 *
 * A file's content is on disk when that file was flushed, a name when the folder was that holds it (for a rename, one of
 * both). Of what was not, a draw keeps some: of a write each sector for itself, in any order and over all files; a file may
 * have grown without getting the bytes; of names each change for itself, after the earlier ones of the same name.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SeededRandom } from "../testkit/seededRandom.ts";
import type { FileOp, NameChange, Recording } from "./fileOps.ts";

const SECTOR = 4096;
const HUNDRED = 100;
/** Percent of what was not flushed that a draw keeps. */
const KEPT = [0, 10, 50, 90, 100];

/** A power cut: the operation after which it happens, and how much unflushed data survives. */
export type PowerCut = {
  /** Operations that took place. */
  readonly at: number;
  /** Percent. */
  readonly names: number;
  readonly sectors: number;
  /** Of sectors that are lost at the end of a file: how many leave it as long. */
  readonly lengths: number;
};

/** Operations behind a change of names among which a cut is drawn. */
const NEAR = 16;

/** Draws a cut after any operation; every second one soon after names changed, which happens seldom and matters most. */
export function drawCut({ ops }: Recording, random: SeededRandom): PowerCut {
  const percent = (): number => KEPT[random.below(KEPT.length)] ?? 0;
  const named = ops.flatMap((op, at) => (op.kind === "names" ? [at] : []));
  const isNear = random.below(2) === 0;
  const near = (named[random.below(named.length)] ?? 0) + 1 + random.below(NEAR);
  const at = isNear ? Math.min(near, ops.length) : random.below(ops.length + 1);
  return { at, names: percent(), sectors: percent(), lengths: percent() };
}

/** Writes what is there after a cut into a folder that it makes. */
export function writeDisk(
  recording: Recording,
  cut: PowerCut,
  { random, folder }: { readonly random: SeededRandom; readonly folder: string },
): void {
  const done = recording.ops.slice(0, cut.at);
  const flushes = lastFlushes(done);
  const names = namesAfter(done, flushes, { percent: cut.names, random });
  const contents = contentsAfter(done, flushes, { cut, random });
  const write = (id: number, path: string): void => {
    if (!recording.folders.has(id)) {
      writeFileSync(path, contents.get(id) ?? new Uint8Array());
      return;
    }
    mkdirSync(path);
    for (const [name, inner] of names.get(id) ?? []) write(inner, join(path, name));
  };
  write(0, folder);
}

/** For each file and folder the place behind its last flush. */
function lastFlushes(done: readonly FileOp[]): ReadonlyMap<number, number> {
  const flushes = new Map<number, number>();
  for (const [at, op] of done.entries()) if (op.kind === "flush") flushes.set(op.file, at);
  return flushes;
}

type Keeping = { readonly percent: number; readonly random: SeededRandom };

function namesAfter(
  done: readonly FileOp[],
  flushes: ReadonlyMap<number, number>,
  { percent, random }: Keeping,
): ReadonlyMap<number, ReadonlyMap<string, number>> {
  const kept = new Set<number>();
  /** Names of which a later change is kept. */
  const needed = new Set<string>();
  const nameOf = ({ folder, name }: NameChange): string => `${folder}/${name}`;
  for (let at = done.length - 1; at >= 0; at -= 1) {
    const op = done[at];
    if (op?.kind !== "names") continue;
    const isFlushed = op.changes.some(({ folder }) => (flushes.get(folder) ?? -1) > at);
    const isNeeded = op.changes.some((change) => needed.has(nameOf(change)));
    if (!isFlushed && !isNeeded && random.below(HUNDRED) >= percent) continue;
    kept.add(at);
    for (const change of op.changes) needed.add(nameOf(change));
  }
  const names = new Map<number, Map<string, number>>();
  for (const [at, op] of done.entries()) {
    if (op.kind !== "names" || !kept.has(at)) continue;
    for (const { folder, name, to } of op.changes) {
      const rows = names.get(folder) ?? new Map<string, number>();
      names.set(folder, rows);
      if (to === null) rows.delete(name);
      else rows.set(name, to);
    }
  }
  return names;
}

function contentsAfter(
  done: readonly FileOp[],
  flushes: ReadonlyMap<number, number>,
  { cut, random }: { readonly cut: PowerCut; readonly random: SeededRandom },
): ReadonlyMap<number, Uint8Array> {
  const contents = new Map<number, FileContent>();
  for (const [at, op] of done.entries()) {
    if (op.kind !== "write" && op.kind !== "cut") continue;
    const content = contents.get(op.file) ?? new FileContent();
    contents.set(op.file, content);
    const isFlushed = (flushes.get(op.file) ?? -1) > at;
    if (op.kind === "cut") {
      if (isFlushed || random.below(HUNDRED) < cut.sectors) content.cut(op.length);
    } else if (isFlushed || op.isFlushed) content.write(op.offset, op.bytes);
    else writeSome(content, op, { cut, random });
  }
  return new Map([...contents].map(([file, content]) => [file, content.bytes()]));
}

function writeSome(
  content: FileContent,
  { offset, bytes }: { readonly offset: number; readonly bytes: Uint8Array },
  { cut, random }: { readonly cut: PowerCut; readonly random: SeededRandom },
): void {
  for (let from = 0; from < bytes.length;) {
    const to = Math.min(bytes.length, from + SECTOR - ((offset + from) % SECTOR));
    if (random.below(HUNDRED) < cut.sectors) content.write(offset + from, bytes.subarray(from, to));
    else if (random.below(HUNDRED) < cut.lengths) content.grow(offset + to);
    from = to;
  }
}

/** The bytes of one file, which may have holes. */
class FileContent {
  #bytes = new Uint8Array(SECTOR);
  #length = 0;

  write(offset: number, bytes: Uint8Array): void {
    this.grow(offset + bytes.length);
    this.#bytes.set(bytes, offset);
  }

  grow(length: number): void {
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#length = Math.max(this.#length, length);
  }

  cut(length: number): void {
    this.grow(length);
    this.#bytes.fill(0, length, this.#length);
    this.#length = length;
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}
