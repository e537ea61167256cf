/**
 * Migration of the node's own database, layout 1 → 2: an address has the time at which it was reached or came in, u64 behind
 * the rest of its row. Stored addresses get 0, since their times are unknown.
 */
import { STORAGE_LIMITS } from "../storageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { KEYS_END, type Kv, type KvChange } from "../kv.ts";
import type { Migration } from "./migration.ts";

const ADDRESSES = 3;
const OLD_VERSION = 1;
const OLD_LENGTH = 18;
const TIME_LENGTH = 8;
const NEW_VERSION = 2;

/** The migration step. The book holds less than a page of rows, so it is one commit. */
export const ADDRESS_TIMES: Migration = {
  from: 1,
  title: "a time for each address of a peer",
  *steps(store: Kv): Generator<readonly KvChange[]> {
    const limit = STORAGE_LIMITS.p2pAddresses;
    const rows = store.range({ table: ADDRESSES, from: new Uint8Array(), to: KEYS_END, limit });
    yield rows.map(({ key, value }) => {
      if (value.length !== OLD_LENGTH || value[0] !== OLD_VERSION) {
        throw new SvcError("store/corrupt", { table: "addresses", reason: "a row" });
      }
      const row = new Uint8Array(OLD_LENGTH + TIME_LENGTH);
      row.set(value);
      row[0] = NEW_VERSION;
      return { table: ADDRESSES, key, value: row };
    });
  },
};
