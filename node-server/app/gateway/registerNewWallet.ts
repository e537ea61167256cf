/** A new wallet for a merchant: its seed goes into a file of the operator's choice, and the gateway keeps the incoming viewing key alone. */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { ViewingKeyId } from "@svc/shared/base/brand.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { syncFolder } from "../../storage/durableFolder.ts";
import { registerKey, type KeyPlace } from "./registerKey.ts";

const FILE_MODE = 0o600;
const LINE_END = 0x0a;

/**
 * Makes a wallet: the file has its seed as 64 hex digits and is on disk before the viewing key is registered, so that no invoice can
 * ever be paid to a seed that nobody has. The seed is nowhere else, and is zeroed before this returns. Throws `node/bad-option` where the
 * file is there already or cannot be written, and as `registerKey`.
 */
export function registerNewWallet(place: KeyPlace, path: string): ViewingKeyId {
  const { core } = place;
  using seed = new Secret(callCore(() => core.generateSeed()));
  using viewing = new Secret(seed.reveal((bytes) => callCore(() => core.fullViewingKey(bytes))));
  writeSeed(path, seed);
  return viewing.reveal((key) => registerKey(place, key));
}

function writeSeed(path: string, seed: Secret): void {
  using text = new Secret(seed.reveal(hexLine));
  const file = asked(() => openSync(path, "wx", FILE_MODE));
  try {
    asked(() => {
      try {
        text.reveal((bytes) => writeAll(file, bytes));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      syncFolder(dirname(resolve(path)));
    });
  } catch (error) {
    // It was made by this call, and no merchant has it.
    rmSync(path, { force: true });
    throw error;
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
}

/** As bytes: a text cannot be zeroed. */
function hexLine(bytes: Uint8Array): Uint8Array {
  const line = new Uint8Array(bytes.length * 2 + 1).fill(LINE_END);
  for (const [place, byte] of bytes.entries()) {
    line[place * 2] = hexDigit(byte >> 4);
    line[place * 2 + 1] = hexDigit(byte & 0xf);
  }
  return line;
}

function hexDigit(value: number): number {
  return value < 10 ? 0x30 + value : 0x61 + value - 10;
}

function asked<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    const isThere = code === "EEXIST";
    const reason = isThere
      ? "there is such a file already, and it is not written over"
      : `the file cannot be written (${code})`;
    throw new SvcError("node/bad-option", { option: "--new-wallet", reason });
  }
}
