/** Adapter from a key-value store to the engine's `HostStore`. */
import type { HostStore } from "@svc/shared/core/wasmHost.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Kv, KvReader } from "../../storage/kv.ts";
import { decodeBatch, encodePairs } from "./storeBytes.ts";

/** Makes a `HostStore` that reads and writes through `store`; a commit is durable when it returns. */
export function kvHostStore(store: Kv): HostStore {
  const commit = (batch: Uint8Array): void => telling(() => store.commit(decodeBatch(batch)));
  return { ...readHostStore(store), commit };
}

/** Makes a read-only `HostStore` over `reader`; a commit is refused. */
export function readHostStore(reader: KvReader): HostStore {
  return {
    get: (table, key) => telling(() => reader.get(table, key)),
    // oxlint-disable-next-line max-params -- the binding fixes the shape of this call
    range: (table, from, to, limit, reverse) =>
      telling(() => encodePairs(reader.range({ table, from, to, limit, reverse }))),
    commit: () => {
      throw new SvcError("store/commit-failed", { reason: "opened for reading" });
    },
  };
}

/** The core keeps the text of what is thrown in the error that it makes of it: `coreError` finds this one there. */
function telling<T>(call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw new Error(JSON.stringify(SvcError.from(thrown)), { cause: thrown });
  }
}
