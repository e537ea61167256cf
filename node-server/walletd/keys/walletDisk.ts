/** File operations of a wallet folder: each is one step that a kill may come before or after. */
import { constants } from "node:fs";
import { link, open, readdir, rename, unlink, type FileHandle } from "node:fs/promises";
import { SvcError } from "@svc/shared/base/svcError.ts";

/** What is read at a path: bytes, nothing, or something that is not read. */
export type DiskRead =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * The file operations. All reject with `wallet/storage`, whose reason names the system's error and never a path: a path holds
 * a token.
 */
export type WalletDisk = {
  /** Names of the regular files in a folder: neither folders nor links. */
  names(folder: string): Promise<string[]>;
  /** Reads a regular file of at most `most` bytes. A link is not followed. */
  read(path: string, most: number): Promise<DiskRead>;
  /** Writes a file that is not there yet, for its owner alone, and flushes it. */
  create(path: string, bytes: Uint8Array): Promise<void>;
  /** Gives a file a second name; false when that is taken. */
  link(from: string, to: string): Promise<boolean>;
  /** Renames a file in place of what has the new name. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a name; nothing happens when it is not there. */
  remove(path: string): Promise<void>;
  /** Flushes the names in a folder. */
  flush(folder: string): Promise<void>;
};

/** Mode of every file: for its owner alone. */
const FILE_MODE = 0o600;
/** A pipe in place of a file keeps nobody waiting, and a link leads nowhere. */
const READ_FLAGS = constants.O_RDONLY | flag("O_NOFOLLOW") | flag("O_NONBLOCK");

/** The disk of this machine. */
export const SYSTEM_DISK: WalletDisk = {
  names: (folder) =>
    asked(async () => {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    }),
  read: (path, most) => asked(() => readRegular(path, most)),
  create: (path, bytes) =>
    asked(() =>
      withFile(path, "wx", async (file) => {
        await file.writeFile(bytes);
        await file.sync();
      }),
    ),
  link: (from, to) =>
    asked(async () => {
      try {
        await link(from, to);
        return true;
      } catch (error) {
        if (codeOf(error) === "EEXIST") return false;
        throw error;
      }
    }),
  rename: (from, to) => asked(() => rename(from, to)),
  remove: (path) =>
    asked(async () => {
      try {
        await unlink(path);
      } catch (error) {
        if (codeOf(error) !== "ENOENT") throw error;
      }
    }),
  flush: async (folder) => {
    // Folders cannot be opened there, and naming is durable by itself.
    if (process.platform === "win32") return;
    await asked(() => withFile(folder, "r", (file) => file.sync()));
  },
};

async function readRegular(path: string, most: number): Promise<DiskRead> {
  try {
    return await withFile(path, READ_FLAGS, async (file): Promise<DiskRead> => {
      const facts = await file.stat();
      if (!facts.isFile()) return { kind: "refused", reason: "it is no regular file" };
      if (facts.size > most) return { kind: "refused", reason: `it has more than ${most} bytes` };
      return { kind: "bytes", bytes: await readAll(file, facts.size) };
    });
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return { kind: "none" };
    // What opening a link, and a socket, fails with.
    const isOther = code === "ELOOP" || code === "EMLINK" || code === "ENXIO";
    if (isOther) return { kind: "refused", reason: "it is no regular file" };
    throw error;
  }
}

async function readAll(file: FileHandle, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled === size ? bytes : bytes.slice(0, filled);
}

async function withFile<T>(
  path: string,
  flags: string | number,
  use: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags, FILE_MODE);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new SvcError("wallet/storage", { reason: codeOf(error) });
  }
}

/** The system's name of an error. Its message holds the path, and so does an error as the cause of ours. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown error";
}

/** 0 on a system that does not have the flag. */
function flag(name: "O_NOFOLLOW" | "O_NONBLOCK"): number {
  const value: number | undefined = constants[name];
  return value ?? 0;
}
