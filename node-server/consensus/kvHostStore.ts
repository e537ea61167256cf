/** The engine's `HostStore` over a key-value store. */
import type { HostStore } from "@svc/shared/core/coreGlue.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Kv, KvReader } from "../storage/kv.ts";
import { decodeBatch, encodePairs } from "./storeBytes.ts";

/** Reads and writes through `store`; a commit is durable when it returns. */
export function kvHostStore(store: Kv): HostStore {
  return { ...readHostStore(store), commit: (batch) => store.commit(decodeBatch(batch)) };
}

/** Reads through `reader`; a commit is refused. */
export function readHostStore(reader: KvReader): HostStore {
  return {
    get: (table, key) => reader.get(table, key),
    // oxlint-disable-next-line max-params -- the binding fixes the shape of this call
    range: (table, from, to, limit, reverse) =>
      encodePairs(reader.range({ table, from, to, limit, reverse })),
    commit: () => {
      throw new SvcError("store/commit-failed", { reason: "opened for reading" });
    },
  };
}
