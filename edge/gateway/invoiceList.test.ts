import { beforeEach, describe, expect, it } from "vitest";
import { asSompi, asTimestampMs, U64_MAX } from "@svc/shared/base/brand.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";
import { migrate } from "../testkit/database.ts";
import {
  listInvoices,
  writeInvoiceRow,
  type InvoiceQuery,
  type InvoiceRow,
} from "./invoiceList.ts";

const T0 = 1_700_000_000_000n;
const at = (ms: number) => asTimestampMs(T0 + BigInt(ms));

let db: D1Database;
beforeEach(async () => {
  db = await migrate();
  await db.prepare("DELETE FROM invoices").run();
});

const row = (number: number, change: Partial<InvoiceRow> = {}): InvoiceRow => ({
  merchant: "mer_1",
  id: `inv_${String(number).padStart(4, "0")}`,
  orderId: `order-${number}`,
  status: "new",
  amount: asSompi(100n),
  paid: asSompi(0n),
  version: 1,
  createdMs: at(number),
  updatedMs: at(number),
  expiresMs: at(number + 900_000),
  archived: false,
  json: "",
  ...change,
});
const write = (one: InvoiceRow, search = "") =>
  writeInvoiceRow(db, one, `${one.id} ${one.orderId} ${search}`);
/** As a batch: 2,500 single writes take their time. */
const writeMany = (rows: readonly InvoiceRow[]) =>
  db
    .prepare(
      "INSERT INTO invoices SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, '1', '0', 1, value ->> 4, 0, 0, 0, value ->> 2, '' FROM json_each(?1)",
    )
    .bind(
      JSON.stringify(
        rows.map((one) => [one.merchant, one.id, one.orderId, one.status, Number(one.createdMs)]),
      ),
    )
    .run();
const base = { merchant: "mer_1", archived: false, limit: 100 };

/** All pages, and how many there were. */
async function walk(query: InvoiceQuery): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const page = await listInvoices(db, cursor === undefined ? query : { ...query, cursor });
    ids.push(...page.rows.map(({ id }) => id));
    if (page.next === null) return { ids, pages };
    expect(page.next).not.toBe(cursor);
    cursor = page.next;
  }
}
const idsOf = async (query: Partial<InvoiceQuery>) =>
  (await walk({ ...base, ...query })).ids.map((id) => Number(id.slice(4)));

describe("the list of invoices", () => {
  it("gives back what was written, the largest amount to the sompi", async () => {
    const one = row(1, { amount: asSompi(U64_MAX), paid: asSompi(U64_MAX - 1n), version: 7 });
    await write(one);
    expect(await listInvoices(db, base)).toEqual({ rows: [one], next: null });
  });

  it("is never overwritten by an older version, nor by the same one", async () => {
    await write(row(1, { status: "paid", version: 3 }));
    await write(row(1, { status: "partial", version: 2 }));
    await write(row(1, { status: "expired", version: 3 }));
    expect((await listInvoices(db, base)).rows[0]?.status).toBe("paid");
    await write(row(1, { status: "confirmed", version: 4, archived: true }));
    expect((await listInvoices(db, base)).rows).toEqual([]);
    expect((await listInvoices(db, { ...base, archived: true })).rows[0]?.status).toBe("confirmed");
  });

  it("comes in pages, the newest first, each invoice once, of the same time too", async () => {
    for (let number = 1; number <= 25; number += 1) {
      await write(row(number, { createdMs: at(Math.floor(number / 5)) }));
    }
    const wanted = Array.from({ length: 25 }, (_, place) => 25 - place);
    for (const limit of [1, 3, 5, 24, 25, 26]) {
      expect(await idsOf({ limit }), `pages of ${limit}`).toEqual(wanted);
    }
  });

  it("stays in order while invoices are added in front", async () => {
    for (let number = 1; number <= 6; number += 1) await write(row(number));
    const first = await listInvoices(db, { ...base, limit: 3 });
    await write(row(7));
    const second = await listInvoices(db, { ...base, limit: 3, cursor: first.next ?? "" });
    expect(second.rows.map(({ id }) => id)).toEqual(["inv_0003", "inv_0002", "inv_0001"]);
    expect(second.next).toBeNull();
  });

  it("is a merchant's own", async () => {
    await write(row(1));
    await write(row(1, { merchant: "mer_2", orderId: "theirs" }));
    expect((await listInvoices(db, base)).rows.map(({ orderId }) => orderId)).toEqual(["order-1"]);
    expect(await idsOf({ search: "theirs" })).toEqual([]);
  });

  it("filters by status, order, time and archive, and by several at once", async () => {
    const statuses = ["new", "paid", "confirmed"];
    for (let number = 1; number <= 30; number += 1) {
      const status = statuses[number % 3] ?? "";
      await write(row(number, { status, archived: number > 24 }));
    }
    expect(await idsOf({ statuses: ["paid"] })).toEqual([22, 19, 16, 13, 10, 7, 4, 1]);
    expect(await idsOf({ statuses: ["paid", "new", "paid"], limit: 3 })).toEqual(
      Array.from({ length: 24 }, (_, place) => 24 - place).filter((number) => number % 3 !== 2),
    );
    expect(await idsOf({ statuses: [] })).toEqual([]);
    expect(await idsOf({ statuses: ["nothing"] })).toEqual([]);
    expect(await idsOf({ orderIds: ["order-7"] })).toEqual([7]);
    expect(await idsOf({ orderIds: ["order-7"], statuses: ["new"] })).toEqual([]);
    expect(await idsOf({ fromMs: at(5), untilMs: at(8) })).toEqual([7, 6, 5]);
    expect(await idsOf({ archived: true, statuses: ["confirmed"] })).toEqual([29, 26]);
    expect(await idsOf({ archived: null, statuses: ["confirmed"], limit: 3 })).toEqual(
      await idsOf({ archived: null, statuses: ["confirmed"] }),
    );
    expect((await idsOf({ archived: null, statuses: ["confirmed"] })).slice(0, 3)).toEqual([
      29, 26, 23,
    ]);
    expect(await idsOf({ archived: null, orderIds: ["order-7", "order-29", "x"] })).toEqual([
      29, 7,
    ]);
    expect(await idsOf({ archived: null, orderIds: [] })).toEqual([]);
  });

  it("finds a part of what it was written with, in big and small letters, taken literally", async () => {
    await write(row(1), "Ada LOVELACE");
    await write(row(2), "100% _off_");
    await write(row(3), "x");
    expect(await idsOf({ search: "love" })).toEqual([1]);
    expect(await idsOf({ search: "ADA l" })).toEqual([1]);
    expect(await idsOf({ search: "%" })).toEqual([2]);
    expect(await idsOf({ search: "_off_" })).toEqual([2]);
    expect(await idsOf({ search: "order-3" })).toEqual([3]);
    expect(await idsOf({ search: "inv_", statuses: ["new"], limit: 2 })).toEqual([3, 2, 1]);
    expect(await idsOf({ search: "inv_", statuses: ["paid"] })).toEqual([]);
    expect(await idsOf({ search: "' OR 1=1 --" })).toEqual([]);
    expect(await idsOf({ search: "inv_", orderIds: ["order-2", "order-3"] })).toEqual([3, 2]);
    await write(row(4, { archived: true }));
    expect(await idsOf({ search: "inv_" })).toEqual([3, 2, 1]);
    expect(await idsOf({ search: "inv_", archived: null, limit: 2 })).toEqual([4, 3, 2, 1]);
  });

  it("looks at a bounded number of invoices for a page of a search, and goes on there", async () => {
    const rows = 2 * EDGE_LIMITS.invoiceSearchRows + 10;
    await writeMany(
      Array.from({ length: rows }, (_, number) =>
        row(number, { orderId: number === 3 ? "needle" : "hay", id: `inv_${100_000 + number}` }),
      ),
    );
    const first = await listInvoices(db, { ...base, search: "needle" });
    expect(first.rows).toEqual([]);
    expect(first.next).toBe(
      `${at(rows - EDGE_LIMITS.invoiceSearchRows)}.inv_${100_000 + rows - EDGE_LIMITS.invoiceSearchRows}`,
    );
    expect(await walk({ ...base, search: "needle" })).toEqual({ ids: ["inv_100003"], pages: 3 });
  });

  it("reads no more rows than a page has, however many there are", async () => {
    await writeMany(
      Array.from({ length: 3_000 }, (_, number) =>
        row(number, { status: number === 0 ? "rare" : "new" }),
      ),
    );
    const reads = async (query: Partial<InvoiceQuery>) => {
      let sum = 0;
      const counting = {
        prepare: (sql: string) => db.prepare(sql),
        batch: async (statements: D1PreparedStatement[]) => {
          const answers = await db.batch(statements);
          for (const { meta } of answers) sum += meta.rows_read;
          return answers;
        },
      };
      const { rows } = await listInvoices(counting as D1Database, { ...base, limit: 10, ...query });
      return { found: rows.length, sum };
    };
    for (const [query, found] of [
      [{}, 10],
      [{ statuses: ["rare"] }, 1],
      [{ statuses: ["rare", "new"] }, 10],
      [{ orderIds: ["order-5"] }, 1],
      [{ fromMs: at(1_000), untilMs: at(1_500) }, 10],
    ] as const) {
      const answer = await reads(query);
      expect(answer.found).toBe(found);
      expect(answer.sum, JSON.stringify(Object.keys(query))).toBeLessThanOrEqual(50);
    }
  });

  it("gives no page larger than the bound", async () => {
    await writeMany(Array.from({ length: 300 }, (_, number) => row(number)));
    const page = await listInvoices(db, { ...base, limit: 1_000_000 });
    expect(page.rows).toHaveLength(EDGE_LIMITS.invoiceRowsMax);
    expect((await listInvoices(db, { ...base, limit: -5 })).rows).toHaveLength(1);
  });

  it.each(["", "x", "1.", ".a", "1.a b", "1.a'", "1e3.a", `${"9".repeat(16)}.a`, "1.a.b"])(
    "refuses the cursor %j",
    async (cursor) => {
      await expect(listInvoices(db, { ...base, cursor })).rejects.toThrow("api/bad-field");
    },
  );

  it("refuses a long search", async () => {
    await expect(listInvoices(db, { ...base, search: "a".repeat(129) })).rejects.toThrow(
      "api/bad-field",
    );
  });
});
