/** Parser of `strace` output into operations on the files below one folder. */
import { posix } from "node:path";
import type { FileOp, NameChange, Recording } from "./fileOps.ts";

/** LMDB's table of readers and locks, which it makes anew when nobody has it open. */
export const LOCK_FILE = "lock.mdb";

/** System calls that change files, or open what is changed. */
export const TRACED_CALLS: readonly string[] = [
  ...["openat", "open", "creat", "close", "dup", "dup2", "dup3", "lseek"],
  ...["write", "writev", "pwrite64", "pwritev", "pwritev2", "fallocate", "copy_file_range", "mmap"],
  ...["fsync", "fdatasync", "sync", "syncfs", "ftruncate", "truncate"],
  ...["rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat"],
  ...["unlink", "unlinkat", "rmdir", "mkdir", "mkdirat"],
];

type Call = {
  readonly name: string;
  readonly args: string;
  readonly result: number;
};

type OpenFile = { readonly file: number; readonly isFlushed: boolean; position: number };

const CALL = /^(\w+)\((.*)\) += (-?\d+)/s;
const TEXT = /"((?:\\x[0-9a-f]{2})*)"/g;
const STANDARD_OUTPUT = 1;

/** Reads the trace; throws where the program did something that a disk model would have to know and does not. */
export function readTrace(trace: string, top: string): Recording {
  const reader = new TraceReader(top);
  for (const call of callsOf(trace)) reader.take(call);
  return { ops: reader.ops, folders: reader.folders };
}

/**
 * Calls in the order in which they ended: those of several threads may lie inside each other. A descriptor is free for
 * another thread as soon as its closing has begun.
 */
function* callsOf(trace: string): Generator<Call> {
  const begun = new Map<string, string>();
  for (const line of trace.split("\n")) {
    const [, thread = "", rest = ""] = /^(\d+) +(.*)$/s.exec(line) ?? [];
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest)?.[1];
    const whole = resumed === undefined ? rest : `${begun.get(thread) ?? ""}${resumed}`;
    if (whole.endsWith("<unfinished ...>")) {
      const [, closed] = /^close\((\d+)/.exec(whole) ?? [];
      if (closed !== undefined) yield { name: "close", args: closed, result: 0 };
      begun.set(thread, whole.slice(0, -"<unfinished ...>".length));
      continue;
    }
    const [, name, args, result] = CALL.exec(whole) ?? [];
    if (name === undefined || args === undefined) continue;
    if (name === "close" && resumed !== undefined) continue;
    yield { name, args: args.trim(), result: Number(result) };
  }
}

class TraceReader {
  readonly ops: FileOp[] = [];
  readonly folders = new Set([0]);
  readonly #top: string;
  readonly #names = new Map<number, Map<string, number>>([[0, new Map()]]);
  readonly #open = new Map<number, OpenFile>();
  #next = 1;
  #said = "";

  constructor(top: string) {
    this.#top = top;
  }

  take(call: Call): void {
    if (call.result < 0) return;
    const { name } = call;
    if (name === "open" || name === "openat" || name === "creat") this.#opened(call);
    else if (name === "close") this.#open.delete(firstNumber(call));
    else if (name === "lseek") this.#placed(call);
    else if (/^p?write/.test(name)) this.#wrote(call);
    else if (name === "fsync" || name === "fdatasync") this.#flushed(call);
    else if (name === "ftruncate") this.#cut(call);
    else if (name.startsWith("rename") || name.startsWith("link")) this.#moved(call);
    else if (name.startsWith("mkdir")) this.#made(call);
    else if (name.startsWith("unlink") || name === "rmdir") this.#removed(call);
    else if (name === "mmap") this.#mapped(call);
    else if (this.#touchesFiles(call)) throw new Error(`not in the model: ${name}(${call.args})`);
  }

  #opened({ args, result }: Call): void {
    const place = this.#place(args, texts(args)[0] ?? "");
    if (place === null) return;
    const flags = args.replace(TEXT, "");
    const isTop = place.name === "";
    const known = isTop ? 0 : this.#names.get(place.folder)?.get(place.name);
    const file = known ?? this.#create(place, false);
    if (known !== undefined && flags.includes("O_TRUNC")) {
      this.ops.push({ kind: "cut", file, length: 0 });
    }
    if (flags.includes("O_APPEND")) throw new Error(`not in the model: ${flags}`);
    this.#open.set(result, { file, isFlushed: /O_D?SYNC/.test(flags), position: 0 });
  }

  #wrote(call: Call): void {
    const { name, args, result } = call;
    const bytes = Buffer.concat(texts(args).map(bytesOf)).subarray(0, result);
    const descriptor = firstNumber(call);
    if (descriptor === STANDARD_OUTPUT) {
      this.#print(bytes.toString("utf8"));
      return;
    }
    const open = this.#open.get(descriptor);
    if (open === undefined) return;
    const isPlaced = name.startsWith("p");
    const offset = isPlaced ? lastNumber(args) : open.position;
    if (!isPlaced) open.position += result;
    const { file, isFlushed } = open;
    this.ops.push({ kind: "write", file, offset, bytes, isFlushed });
  }

  #placed(call: Call): void {
    const open = this.#open.get(firstNumber(call));
    if (open !== undefined) open.position = call.result;
  }

  #print(text: string): void {
    const lines = (this.#said + text).split("\n");
    this.#said = lines.pop() ?? "";
    for (const line of lines) this.ops.push({ kind: "said", line });
  }

  #flushed(call: Call): void {
    const open = this.#open.get(firstNumber(call));
    if (open !== undefined) this.ops.push({ kind: "flush", file: open.file });
  }

  #cut(call: Call): void {
    const open = this.#open.get(firstNumber(call));
    if (open === undefined) return;
    this.ops.push({ kind: "cut", file: open.file, length: lastNumber(call.args) });
  }

  #moved({ name, args }: Call): void {
    const [from = "", to = ""] = texts(args);
    const [left, right] = [this.#place(args, from), this.#place(args, to)];
    if (left === null || right === null) return;
    const file = this.#names.get(left.folder)?.get(left.name);
    if (file === undefined) throw new Error(`${from} is renamed and was never made`);
    const changes: NameChange[] = [{ ...right, to: file }];
    if (name.startsWith("rename")) changes.unshift({ ...left, to: null });
    this.#rename(changes);
  }

  #made({ args }: Call): void {
    const place = this.#place(args, texts(args)[0] ?? "");
    if (place !== null && place.name !== "") this.#create(place, true);
  }

  #removed({ args }: Call): void {
    const place = this.#place(args, texts(args)[0] ?? "");
    if (place !== null) this.#rename([{ ...place, to: null }]);
  }

  /** LMDB reads through a map; a map that is written would pass by this recording. */
  #mapped({ args }: Call): void {
    const isShared = args.includes("MAP_SHARED") && args.includes("PROT_WRITE");
    const [, descriptor] = /, (\d+), (?:0x[0-9a-f]+|\d+)$/.exec(args) ?? [];
    const open = isShared ? this.#open.get(Number(descriptor)) : undefined;
    if (open === undefined) return;
    const names = [...this.#names.values()].flatMap((folder) => [...folder]);
    const name = names.find(([, file]) => file === open.file)?.[0];
    if (name !== LOCK_FILE) throw new Error(`${name ?? "a file"} is written through memory`);
  }

  #touchesFiles(call: Call): boolean {
    return (
      this.#open.has(firstNumber(call)) || texts(call.args).some((text) => this.#isBelow(text))
    );
  }

  #isBelow(text: string): boolean {
    return bytesOf(text).toString("utf8").startsWith(`${this.#top}/`);
  }

  #create(place: { folder: number; name: string }, isFolder: boolean): number {
    const file = this.#next;
    this.#next += 1;
    if (isFolder) {
      this.folders.add(file);
      this.#names.set(file, new Map());
    }
    this.#rename([{ ...place, to: file }]);
    return file;
  }

  #rename(changes: readonly NameChange[]): void {
    for (const { folder, name, to } of changes) {
      if (to === null) this.#names.get(folder)?.delete(name);
      else this.#names.get(folder)?.set(name, to);
    }
    this.ops.push({ kind: "names", changes });
  }

  /** Folder and name of a path, which may begin at an open folder; `null` when it lies elsewhere. */
  #place(args: string, text: string): { folder: number; name: string } | null {
    const path = bytesOf(text).toString("utf8");
    const start = path.startsWith("/") ? null : this.#open.get(Number(/^\d+/.exec(args)?.[0]));
    if (start === undefined) return null;
    const below = start === null ? posix.relative(this.#top, path) : path;
    if (below.startsWith("..")) return null;
    const parts = below.split("/").filter((part) => part !== "");
    const name = parts.pop() ?? "";
    let folder = start?.file ?? 0;
    for (const part of parts) {
      const next = this.#names.get(folder)?.get(part);
      if (next === undefined) throw new Error(`${path} lies in a folder that was never made`);
      folder = next;
    }
    return { folder, name };
  }
}

function texts(args: string): string[] {
  return [...args.matchAll(TEXT)].map(([, text = ""]) => text);
}

function bytesOf(text: string): Buffer {
  return Buffer.from(text.replaceAll("\\x", ""), "hex");
}

function firstNumber({ args }: Call): number {
  return Number(/^-?\d+/.exec(args)?.[0]);
}

function lastNumber(args: string): number {
  const [last] = /\d+$/.exec(args) ?? [];
  if (last === undefined) throw new Error(`no number at the end of ${args.slice(-40)}`);
  return Number(last);
}
