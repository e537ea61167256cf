/** Registers the viewing keys of merchants in the gateway's folder: the incoming part alone, which sees what is paid. */
import { readFileSync, statSync } from "node:fs";
import type { ViewingKeyId } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { GATEWAY_LIMITS } from "../../gateway/gatewayLimits.ts";
import { newViewingKey, type ViewingKeyFiles } from "../../gateway/keys/viewingKeyFile.ts";

/** Where keys are registered. */
export type KeyPlace = {
  readonly core: CoreGlue;
  readonly files: ViewingKeyFiles;
  readonly network: string;
};

const IVK_BYTES = 64;
const FVK_BYTES = 96;

/** Registers a viewing key. One that is registered already keeps its place: no index of it comes again. Throws `keys/bad-viewing-key`, `gateway/…`. */
export function registerKey({ core, files, network }: KeyPlace, key: Uint8Array): ViewingKeyId {
  const fresh = newViewingKey(incomingOf(core, key), network);
  if (files.get(fresh.id) === null) files.put(fresh);
  return fresh.id;
}

/** Registers the key of a file; null takes the only key that there is. Throws as `registerKey`, and `node/bad-option`. */
export function registerKeyFile(place: KeyPlace, path: string | null): ViewingKeyId {
  return path === null ? onlyKey(place.files) : registerKey(place, hexIn(path));
}

function onlyKey(files: ViewingKeyFiles): ViewingKeyId {
  const [first, ...more] = files.all();
  if (first !== undefined && more.length === 0) return first.id;
  const reason = "name the file of the merchant's viewing key";
  throw new SvcError("node/bad-option", { option: "--viewing-key-file", reason });
}

function incomingOf(core: CoreGlue, key: Uint8Array): Uint8Array {
  if (key.length === FVK_BYTES) return callCore(() => core.incomingViewingKey(key));
  callCore(() => core.incomingAddresses(key, 0, 1));
  return key;
}

function hexIn(path: string): Uint8Array<ArrayBuffer> {
  const reason = "it holds no viewing key in hex, of 64 or 96 bytes";
  const bad = new SvcError("node/bad-option", { option: "--viewing-key-file", reason });
  try {
    if (statSync(path).size > GATEWAY_LIMITS.keyFileBytes) throw bad;
    const bytes = decodeHex(readFileSync(path, "utf8").trim());
    if (bytes.length === IVK_BYTES || bytes.length === FVK_BYTES) return bytes;
  } catch {
    throw bad;
  }
  throw bad;
}
