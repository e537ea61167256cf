/**
 * Routes of the long-term history, which outlives the pruning of the nodes: `/history/{minutes|hours|reorganisations|supply}.json`. It is no part of the
 * public REST interface: it is what its nodes told this explorer, and another one may remember something else.
 */
import { Hono } from "hono";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { OPEN_HEADERS, restRefusal } from "../facade/restResponse.ts";
import { HISTORY_TABLES, type HistoryStore, type HistoryTable } from "./historyStore.ts";

const KEY = /^\d{1,15}$/;
const HEADERS = {
  ...OPEN_HEADERS,
  "Content-Type": "application/json",
  "Cache-Control": "public, max-age=60",
};

/** Makes the routes. */
export function historyRoutes(store: Pick<HistoryStore, "rows">): Hono {
  const app = new Hono();
  app.onError((thrown) => restRefusal(SvcError.from(thrown)));
  app.get("/:file", async (c) => {
    const table = tableOf(c.req.param("file"));
    const from = numberOf(c.req.query("from"), 0, "from");
    const before = numberOf(c.req.query("before"), Number.MAX_SAFE_INTEGER, "before");
    const rows = await store.rows(table, from, before).catch((thrown: unknown) => {
      throw new SvcError("http/unavailable", { reason: "the history cannot be read" }, thrown);
    });
    return new Response(JSON.stringify({ table, rows }), { headers: HEADERS });
  });
  return app;
}

function tableOf(file: string): HistoryTable {
  const name = file.replace(/\.json$/, "");
  if (isTable(name) && file !== name) return name;
  throw new SvcError("http/not-found", { path: "/history" });
}

function isTable(name: string): name is HistoryTable {
  return Object.hasOwn(HISTORY_TABLES, name);
}

function numberOf(text: string | undefined, usual: number, field: string): number {
  if (text === undefined) return usual;
  if (KEY.test(text)) return Number(text);
  throw new SvcError("api/bad-field", { field, expected: "a whole number" });
}
