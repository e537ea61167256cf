/**
 * List of invoices, as rows of D1 that follow the invoices' objects. Every query goes by an index, has its parameters bound, and
 * reads a bounded number of rows; the newest invoice comes first, and a cursor goes on behind the last one that was looked at.
 */
import * as v from "valibot";
import { asTimestampMs, type Sompi, type TimestampMs } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";

/** A row of the list. */
export type InvoiceRow = {
  readonly merchant: string;
  readonly id: string;
  readonly orderId: string;
  readonly status: string;
  readonly amount: Sompi;
  readonly paid: Sompi;
  /** Of the invoice that the row shows. It grows with each change. */
  readonly version: number;
  readonly createdMs: TimestampMs;
  readonly updatedMs: TimestampMs;
  readonly expiresMs: TimestampMs;
  readonly archived: boolean;
  /** The whole of it, as its object stores it. */
  readonly json: string;
};

/** What is asked of the list. */
export type InvoiceQuery = {
  readonly merchant: string;
  /** Null for all. */
  readonly archived: boolean | null;
  /** All when left out. */
  readonly statuses?: readonly string[];
  /** All when left out. */
  readonly orderIds?: readonly string[];
  /** The first time of making, and the first one behind the last. */
  readonly fromMs?: TimestampMs;
  readonly untilMs?: TimestampMs;
  /** A part of order id, invoice id, or of what else `search` was written with; big and small letters are the same. */
  readonly search?: string;
  /** From the page before. */
  readonly cursor?: string;
  readonly limit: number;
};

/** A page of the list. */
export type InvoicePage = {
  readonly rows: readonly InvoiceRow[];
  /** Where the next page begins; null behind the last one. A page of a search may be short and have one all the same. */
  readonly next: string | null;
};

const CURSOR_FORM = /^(\d{1,15})\.([A-Za-z0-9_-]{1,64})$/;
/** More than any time. */
const END: Place = { ms: Number.MAX_SAFE_INTEGER, id: "" };

type Place = { readonly ms: number; readonly id: string };

const time = v.pipe(
  v.number(),
  v.transform((ms) => asTimestampMs(BigInt(ms))),
);
const form = v.pipe(
  v.object({
    merchant: v.string(),
    id: v.string(),
    order_id: v.string(),
    status: v.string(),
    amount: fields.sompi,
    paid: fields.sompi,
    version: v.number(),
    created_ms: time,
    updated_ms: time,
    expires_ms: time,
    archived: v.number(),
    json: v.string(),
  }),
  v.transform(
    ({ order_id, created_ms, updated_ms, expires_ms, archived, ...same }): InvoiceRow => ({
      ...same,
      orderId: order_id,
      createdMs: created_ms,
      updatedMs: updated_ms,
      expiresMs: expires_ms,
      archived: archived === 1,
    }),
  ),
);
const bound = v.object({ looked: v.number(), ms: v.number(), id: v.string() });

/** Writes the row of an invoice, unless the list has it in a newer version. `search` holds what a search shall find it by. */
export async function writeInvoiceRow(
  db: D1Database,
  row: InvoiceRow,
  search: string,
): Promise<void> {
  await db
    .prepare(
      "INSERT INTO invoices (merchant, id, order_id, status, amount, paid, version, created_ms, updated_ms, expires_ms, archived, search, json) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ON CONFLICT (merchant, id) DO UPDATE SET order_id = ?3, status = ?4, amount = ?5, paid = ?6, version = ?7, created_ms = ?8, updated_ms = ?9, expires_ms = ?10, archived = ?11, search = ?12, json = ?13 WHERE version < ?7",
    )
    .bind(
      ...[row.merchant, row.id, row.orderId, row.status, String(row.amount), String(row.paid)],
      ...[row.version, Number(row.createdMs), Number(row.updatedMs), Number(row.expiresMs)],
      ...[row.archived ? 1 : 0, search.toLowerCase(), row.json],
    )
    .run();
}

/** Reads a page. Throws `api/bad-field` for a cursor or a search that is none. */
export async function listInvoices(db: D1Database, query: InvoiceQuery): Promise<InvoicePage> {
  const limit = Math.max(1, Math.min(query.limit, EDGE_LIMITS.invoiceRowsMax));
  const after = readCursor(query.cursor);
  const search = readSearch(query.search);
  if (search !== null) return searchPage(db, { query, after, search, limit });
  const walks = walksOf(query);
  if (walks.length === 0) return { rows: [], next: null };
  const answers = await db.batch(
    walks.map((walk) => {
      const { sql, values } = newest(query, { after, rows: limit + 1, ...walk });
      return db.prepare(sql).bind(...values);
    }),
  );
  const rows = answers
    .flatMap(({ results }) => results.map((row) => v.parse(form, row)))
    .toSorted((a, b) => Number(b.createdMs - a.createdMs) || (a.id < b.id ? 1 : -1));
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? cursorOf(page.at(-1)) : null };
}

type Way = {
  readonly archived: boolean;
  readonly orderId?: string;
  readonly statuses?: readonly string[];
};
type Walk = Way & { readonly after: Place; readonly rows: number };
type Statement = { readonly sql: string; readonly values: readonly (string | number)[] };

/** One walk along an index for each order, or else for each status: a rare one is not looked for among all others. */
function walksOf({ archived, orderIds, statuses }: InvoiceQuery): readonly Way[] {
  const places = archived === null ? [false, true] : [archived];
  const ways = (way: Omit<Way, "archived">) => places.map((one) => ({ archived: one, ...way }));
  if (statuses?.length === 0 || orderIds?.length === 0) return [];
  const wanted = statuses === undefined ? {} : { statuses };
  if (orderIds !== undefined) {
    return [...new Set(orderIds)].flatMap((orderId) => ways({ orderId, ...wanted }));
  }
  if (statuses === undefined) return ways({});
  return [...new Set(statuses)].flatMap((status) => ways({ statuses: [status] }));
}

/** The rows that a query may look at, by one index, the newest first. */
function newest(query: InvoiceQuery, walk: Walk): Statement {
  const { merchant, fromMs } = query;
  const { after, rows, archived, orderId, statuses } = walk;
  const start = startOf(query, after);
  const values: (string | number)[] = [merchant, start.ms, start.id];
  const bind = (value: string | number) => `?${values.push(value)}`;
  const place = `archived = ${archived ? 1 : 0}`;
  const conditions = ["merchant = ?1", place, "(created_ms, id) < (?2, ?3)"];
  if (orderId !== undefined) conditions.push(`order_id = ${bind(orderId)}`);
  if (statuses !== undefined) conditions.push(`status IN (${statuses.map(bind).join(", ")})`);
  if (fromMs !== undefined) conditions.push(`created_ms >= ${bind(Number(fromMs))}`);
  const where = conditions.join(" AND ");
  const order = `ORDER BY created_ms DESC, id DESC LIMIT ${bind(rows)}`;
  return { sql: `SELECT * FROM invoices WHERE ${where} ${order}`, values };
}

/** The cursor or the end of the time that is asked for, whichever comes first: an index is entered at one place. */
function startOf({ untilMs }: InvoiceQuery, after: Place): Place {
  const until = untilMs === undefined ? END : { ms: Number(untilMs), id: "" };
  return after.ms < until.ms ? after : until;
}

type Search = {
  readonly query: InvoiceQuery;
  readonly after: Place;
  readonly search: string;
  readonly limit: number;
};

/** Looks through the newest rows behind the cursor, and says where it stopped. */
async function searchPage(db: D1Database, search: Search): Promise<InvoicePage> {
  const { query, after, limit } = search;
  const { sql, values } = newestOfAll(query, after, EDGE_LIMITS.invoiceSearchRows);
  const wanted: [string, string | number][] = [["instr(search, ?) > 0", search.search]];
  if (query.statuses !== undefined) wanted.push([listed("status"), JSON.stringify(query.statuses)]);
  if (query.orderIds !== undefined) {
    wanted.push([listed("order_id"), JSON.stringify(query.orderIds)]);
  }
  const conditions = wanted
    .map(([condition], place) => condition.replace("?", `?${values.length + 1 + place}`))
    .join(" AND ");
  const own = [...wanted.map(([, value]) => value), limit];
  const most = `?${values.length + own.length}`;
  const [found, last] = await db.batch([
    db.prepare(`SELECT * FROM (${sql}) WHERE ${conditions} LIMIT ${most}`).bind(...values, ...own),
    db
      .prepare(
        `SELECT count(*) OVER () AS looked, created_ms AS ms, id FROM (${sql}) ORDER BY created_ms, id LIMIT 1`,
      )
      .bind(...values),
  ]);
  const rows = (found?.results ?? []).map((row) => v.parse(form, row));
  if (rows.length === limit) return { rows, next: cursorOf(rows.at(-1)) };
  const [end] = last?.results ?? [];
  if (end === undefined) return { rows, next: null };
  const { looked, ms, id } = v.parse(bound, end);
  return { rows, next: looked < EDGE_LIMITS.invoiceSearchRows ? null : `${ms}.${id}` };
}

/** The rows that a search may look at, those put away among the others where they are asked for. */
function newestOfAll(query: InvoiceQuery, after: Place, rows: number): Statement {
  if (query.archived !== null) return newest(query, { after, rows, archived: query.archived });
  const { sql: open, values } = newest(query, { after, rows, archived: false });
  const { sql: away } = newest(query, { after, rows, archived: true });
  const both = `SELECT * FROM (${open}) UNION ALL SELECT * FROM (${away})`;
  return { sql: `SELECT * FROM (${both}) ORDER BY created_ms DESC, id DESC LIMIT ${rows}`, values };
}

function listed(column: string): string {
  return `${column} IN (SELECT value FROM json_each(?))`;
}

function cursorOf(row: InvoiceRow | undefined): string | null {
  return row === undefined ? null : `${row.createdMs}.${row.id}`;
}

function readCursor(text: string | undefined): Place {
  if (text === undefined) return END;
  const [, ms = "", id = ""] = CURSOR_FORM.exec(text) ?? [];
  if (id === "")
    throw new SvcError("api/bad-field", { field: "cursor", expected: "one of a page" });
  return { ms: Number(ms), id };
}

function readSearch(text: string | undefined): string | null {
  if (text === undefined || text === "") return null;
  const max = EDGE_LIMITS.invoiceSearchChars;
  if (text.length > max) {
    throw new SvcError("api/bad-field", { field: "search", expected: `at most ${max} characters` });
  }
  return text.toLowerCase();
}
