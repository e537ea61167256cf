/**
 * Migration of the gateway's database, layout 2 → 3. Invoices of which a payment waits in the pool have an index row, by which a new start
 * finds what left the pool meanwhile. Challenges have a row by their end, with the SHA-256 of the idempotency key that made them, by which
 * those go that nobody paid. Rows are read as layout 2 has them: JSON behind version and sum.
 */
import * as v from "valibot";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Migration } from "../../../storage/migrations/migration.ts";
import { readRow } from "../../../storage/rows/rowForm.ts";
import { numberKey, pairsFrom } from "../../../storage/rows/storeKeys.ts";
import type { Kv, KvChange, KvPair } from "../../../storage/kv.ts";

const INVOICES = 2;
const IDEMPOTENCY = 8;
const CHALLENGES = 30;
const IN_POOL = 26;
const CHALLENGES_END = 27;
const INDEXED = Uint8Array.of(1);
const HASH_BYTES = 32;
const INVOICE_ID = /^inv_[0-9a-f]{32}$/;

const invoice = v.object({
  form: v.literal(1),
  invoice: v.object({
    payments: v.array(v.object({ place: v.object({ kind: v.string() }) })),
  }),
});

const challenge = v.object({ expiresMs: fields.timestampMs });
const request = v.object({ made: v.string() });

/** The migration step: a commit for each row that is new. */
export const POOL_AND_CHALLENGES: Migration = {
  from: 2,
  title: "an index of what waits in the pool, and of the ends of challenges",
  *steps(store: Kv): Generator<readonly KvChange[]> {
    yield* inPool(store);
    yield* challengeEnds(store);
  },
};

function* inPool(store: Kv): Generator<readonly KvChange[]> {
  for (const pair of pairsFrom(store, INVOICES, Uint8Array.of())) {
    const { payments } = rowOf(INVOICES, pair, invoice).invoice;
    if (payments.every(({ place }) => place.kind !== "pool")) continue;
    yield [{ table: IN_POOL, key: pair.key, value: INDEXED }];
  }
}

function* challengeEnds(store: Kv): Generator<readonly KvChange[]> {
  for (const pair of pairsFrom(store, CHALLENGES, Uint8Array.of())) {
    yield [{ table: CHALLENGES_END, key: endOf(pair), value: INDEXED }];
  }
  for (const pair of pairsFrom(store, IDEMPOTENCY, Uint8Array.of())) {
    const { made } = rowOf(IDEMPOTENCY, pair, request);
    if (!INVOICE_ID.test(made)) continue;
    const key = decodeHex(made.slice("inv_".length));
    const value = store.get(CHALLENGES, key);
    if (value === undefined) continue;
    const kept = concatBytes(INDEXED, pair.key.subarray(-HASH_BYTES));
    yield [{ table: CHALLENGES_END, key: endOf({ key, value }), value: kept }];
  }
}

function endOf(pair: KvPair): Uint8Array {
  return concatBytes(numberKey(rowOf(CHALLENGES, pair, challenge).expiresMs), pair.key);
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
