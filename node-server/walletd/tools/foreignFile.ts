/** Files that an operator names: read within a bound, and written where nothing is. */
import { dirname } from "node:path";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { SYSTEM_DISK } from "../keys/walletDisk.ts";

/** Reads a file of at most `most` bytes. Rejects with `node/bad-option`; `option` is what named it. */
export async function readNamedFile(
  option: string,
  path: string,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const read = await named(option, SYSTEM_DISK.read(path, most));
  if (read.kind === "bytes") return read.bytes;
  throw badFile(option, read.kind === "none" ? "there is no such file" : read.reason);
}

/** Writes a file for its owner alone, durably. Rejects with `node/bad-option`, also where something has its name. */
export async function writeNamedFile(option: string, path: string, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  await named(option, SYSTEM_DISK.create(path, bytes));
  await named(option, SYSTEM_DISK.flush(dirname(path)));
}

async function named<T>(option: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!SvcError.is(error, "wallet/storage")) throw error;
    const { reason } = error.data;
    throw badFile(option, reason === "EEXIST" ? "there is a file already" : (reason ?? "unknown"));
  }
}

function badFile(option: string, reason: string): SvcError {
  return new SvcError("node/bad-option", { option, reason });
}
