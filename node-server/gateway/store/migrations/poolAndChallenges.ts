/**
 * Migration of the gateway's database, layout 2 → 3: invoices of which a payment waits in the pool have an index row, by which a new start
 * finds what left the pool meanwhile. Rows are read as layout 2 has them: JSON behind version and sum.
 */
import * as v from "valibot";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Migration } from "../../../storage/migrations/migration.ts";
import { readRow } from "../../../storage/rows/rowForm.ts";
import { pairsFrom } from "../../../storage/rows/storeKeys.ts";
import type { Kv, KvChange, KvPair } from "../../../storage/kv.ts";

const INVOICES = 2;
const IN_POOL = 26;
const INDEXED = Uint8Array.of(1);

const invoice = v.object({
  form: v.literal(1),
  invoice: v.object({
    payments: v.array(v.object({ place: v.object({ kind: v.string() }) })),
  }),
});

/** The migration step: a commit for each invoice that waits. */
export const POOL_AND_CHALLENGES: Migration = {
  from: 2,
  title: "an index of what waits in the pool",
  *steps(store: Kv): Generator<readonly KvChange[]> {
    yield* inPool(store);
  },
};

function* inPool(store: Kv): Generator<readonly KvChange[]> {
  for (const pair of pairsFrom(store, INVOICES, Uint8Array.of())) {
    const { payments } = rowOf(INVOICES, pair, invoice).invoice;
    if (payments.every(({ place }) => place.kind !== "pool")) continue;
    yield [{ table: IN_POOL, key: pair.key, value: INDEXED }];
  }
}

function rowOf<T>(table: number, { key, value }: KvPair, schema: v.GenericSchema<unknown, T>): T {
  try {
    const { body } = readRow({ table, key }, value);
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return v.parse(schema, json);
  } catch (cause) {
    throw new SvcError("store/corrupt", { table: String(table), reason: "a row" }, cause);
  }
}
