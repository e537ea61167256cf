/**
 * Files of viewing keys: each holds one incoming viewing key and the next index of its addresses, so that an index comes never again
 * also when the database is gone. A full viewing key that somebody registers is kept as its incoming part alone: the gateway
 * then cannot see what its owner spends.
 */
import { createHash, randomBytes, randomInt } from "node:crypto";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { asViewingKeyId, type ViewingKeyId } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { makeDurableFolder, syncFile, syncFolder } from "../../storage/durableFolder.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";

/** First index of addresses of invoices: a wallet's own receive addresses lie below (corrections A17). */
export const FIRST_INVOICE_INDEX = 2 ** 31;
/** Behind the last index: an index has 32 bits. */
const END_INDEX = 2 ** 32;
/** A first index leaves at least so many above it: room for one invoice a second over half a year. */
const ROOM = 2 ** 24;
const MAGIC = "svc-gateway-key";
const VERSION = 1;
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const NAME = /^key_[0-9a-f]{16}\.json$/;

/** A viewing key and the place of its next address. */
export type ViewingKeyFile = {
  readonly id: ViewingKeyId;
  /** Incoming viewing key, 64 bytes. */
  readonly ivk: Uint8Array;
  readonly network: string;
  /** The next index that no run of addresses has. */
  readonly nextIndex: number;
};

const schema = v.object({
  magic: v.literal(MAGIC),
  version: v.literal(VERSION),
  network: v.string(),
  ivk: v.pipe(v.string(), v.regex(/^[0-9a-f]{128}$/)),
  nextIndex: v.pipe(
    v.number(),
    v.safeInteger(),
    v.minValue(FIRST_INVOICE_INDEX),
    v.maxValue(END_INDEX),
  ),
});

/** The id of a viewing key: it tells keys apart, and is none. */
export function viewingKeyIdOf(ivk: Uint8Array): ViewingKeyId {
  const digest = createHash("sha256").update(MAGIC).update(ivk).digest("hex");
  return asViewingKeyId(`key_${digest.slice(0, 16)}`);
}

/** A key that was not registered before: its addresses begin at a random index. */
export function newViewingKey(ivk: Uint8Array, network: string): ViewingKeyFile {
  const nextIndex = FIRST_INVOICE_INDEX + randomInt(END_INDEX - FIRST_INVOICE_INDEX - ROOM);
  return { id: viewingKeyIdOf(ivk), ivk, network, nextIndex };
}

/** The files of viewing keys in a folder, for its owner alone. */
export class ViewingKeyFiles {
  readonly #folder: string;

  /** Makes the folder where there is none. Throws `gateway/storage`. */
  constructor(folder: string) {
    this.#folder = folder;
    asked(() => makeDurableFolder(folder, FOLDER_MODE));
  }

  /** All keys, by id. Throws `gateway/key-file` for a file that is none, `gateway/storage`. */
  all(): readonly ViewingKeyFile[] {
    this.forgetDrafts();
    return asked(() => readdirSync(this.#folder))
      .filter((name) => NAME.test(name))
      .toSorted()
      .map((name) => this.#read(name));
  }

  /** Removes what a kill left of keys that were being written. Throws `gateway/storage`. */
  forgetDrafts(): void {
    for (const name of asked(() => readdirSync(this.#folder))) {
      if (name.endsWith(".new")) asked(() => rmSync(join(this.#folder, name), { force: true }));
    }
  }

  /** A key; null where it is not registered. Throws as `all`. */
  get(id: ViewingKeyId): ViewingKeyFile | null {
    const name = `${id}.json`;
    const found = asked(() => statSync(join(this.#folder, name), { throwIfNoEntry: false }));
    return found === undefined ? null : this.#read(name);
  }

  /** Writes a key in place of what was there; it is on disk when this returns. Throws `gateway/storage`. */
  put({ id, ivk, network, nextIndex }: ViewingKeyFile): void {
    const draft = join(this.#folder, `${encodeHex(randomBytes(8))}.new`);
    const content = { magic: MAGIC, version: VERSION, network, ivk: encodeHex(ivk), nextIndex };
    asked(() => {
      writeFileSync(draft, `${stableJson(content)}\n`, { mode: FILE_MODE, flag: "wx" });
      syncFile(draft);
      renameSync(draft, join(this.#folder, `${id}.json`));
      syncFolder(this.#folder);
    });
  }

  /**
   * Reserves the indices of a run of addresses, on disk, before any of them is used: `count` from the index that it returns. Throws
   * `gateway/no-address` where the key has no index left, and as `all`.
   */
  reserve(id: ViewingKeyId, count: number): number {
    const file = this.get(id);
    if (file === null || file.nextIndex + count > END_INDEX) {
      throw new SvcError("gateway/no-address", {});
    }
    this.put({ ...file, nextIndex: file.nextIndex + count });
    return file.nextIndex;
  }

  #read(name: string): ViewingKeyFile {
    const path = join(this.#folder, name);
    const text = asked(() => {
      if (statSync(path).size > GATEWAY_LIMITS.keyFileBytes) return "";
      return readFileSync(path, "utf8");
    });
    const read = v.safeParse(schema, parsed(text));
    const ivk = read.success ? decodeHex(read.output.ivk) : null;
    if (!read.success || ivk === null || `${viewingKeyIdOf(ivk)}.json` !== name) {
      throw new SvcError("gateway/key-file", { file: name });
    }
    const { network, nextIndex } = read.output;
    return { id: viewingKeyIdOf(ivk), ivk, network, nextIndex };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function asked<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SvcError) throw error;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new SvcError("gateway/storage", { reason: code });
  }
}
