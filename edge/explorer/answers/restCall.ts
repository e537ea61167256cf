/**
 * A call of the public REST interface in its one canonical form. What is kept, and what is asked for once however many ask, goes by
 * this form: known fields of the query alone, in the order of their names.
 */
import { encodeHex } from "@svc/shared/base/hex.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { queryRecord } from "@svc/shared/protocol/contract/queryRecord.ts";
import { readPart } from "@svc/shared/protocol/contract/requestParts.ts";
import type { RouteContract } from "@svc/shared/protocol/contract/routeContract.ts";
import {
  bodySchemaOf,
  fieldsOf,
  jsonSchemaOf,
} from "@svc/shared/protocol/contract/routeSchemas.ts";
import { REST_PLACE } from "@svc/shared/protocol/rest/openApi.ts";
import { REST_ROUTES, type RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";

/** A call. */
export type RestCall = {
  readonly name: RestRouteName;
  /** Below `/api`, with its query. A CSV twin is the path of its document: it is made here. */
  readonly path: string;
  /** JSON of the body; null for a call without one. */
  readonly body: string | null;
  /** What tells it from every other call that a node is asked. It is in no log: it may hold what somebody looks for. */
  readonly key: string;
};

type Fields = Readonly<Record<string, string>>;

type Row = {
  readonly name: RestRouteName;
  readonly contract: RouteContract;
  readonly segments: readonly string[];
  readonly queryNames: readonly string[];
};

const READ_METHODS = "GET, HEAD, OPTIONS";
/** Characters of a foreign path in an error, as at a node. */
const SHOWN = 80;

/** Rows whose paths are words alone come first: `/blocks/recent` is no block. */
const ROWS: readonly Row[] = Object.keys(REST_ROUTES)
  .filter((name): name is RestRouteName => name in REST_ROUTES)
  .map((name) => rowOf(name))
  .toSorted((a, b) => holesOf(a) - holesOf(b));

function rowOf(name: RestRouteName): Row {
  const contract: RouteContract = REST_ROUTES[name];
  const queryNames = fieldsOf(jsonSchemaOf(contract.query)).map((field) => field.name);
  return {
    ...{ name, contract },
    segments: contract.path.split("/"),
    queryNames: queryNames.toSorted(),
  };
}

function holesOf({ segments }: Row): number {
  return segments.filter((segment) => segment.startsWith("{")).length;
}

/** The contract of a row. */
export function contractOf(name: RestRouteName): RouteContract {
  return REST_ROUTES[name];
}

/** What a request asks for: the path below `/api`, and the value of its body where it has one. */
export type AskedCall = {
  readonly method: string;
  readonly path: string;
  readonly search: URLSearchParams;
  readonly body?: unknown;
};

/** Reads a call. Throws `http/not-found`, `api/wrong-method`, and what its fields break. */
export async function restCall({ method, path, search, body }: AskedCall): Promise<RestCall> {
  const found = rowsAt(path);
  if (found.length === 0) throw notFound(path);
  const match = found.find(({ row }) => row.contract.method === method);
  if (match === undefined) {
    const [first = "GET"] = found.map(({ row }) => row.contract.method);
    const allowed = first === "GET" ? READ_METHODS : `${first}, OPTIONS`;
    throw new SvcError("api/wrong-method", { method, allowed });
  }
  const { row, params } = match;
  readPart(row.contract.params, params, "path");
  const given = queryRecord(search);
  const query = readPart(row.contract.query, given, "query");
  const canonical = pathOf(row, params, spelledAlike(query, given));
  if (row.contract.method === "GET") {
    return { name: row.name, path: canonical, body: null, key: canonical };
  }
  readPart(row.contract.body, body, "body");
  const text = stableJson(knownFields(row.contract, body));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const key = `${canonical}#${encodeHex(new Uint8Array(digest))}`;
  return { name: row.name, path: canonical, body: text, key };
}

/** What its schema knows of a body that has passed it. */
function knownFields(contract: RouteContract, body: unknown): Readonly<Record<string, unknown>> {
  const given = new Map(Object.entries(Object(body)));
  const names = fieldsOf(bodySchemaOf(contract) ?? {}).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, given.get(name)]));
}

function rowsAt(path: string): { readonly row: Row; readonly params: Fields }[] {
  const given = path.split("/");
  return ROWS.flatMap((row) => {
    if (row.segments.length !== given.length) return [];
    const params: Record<string, string> = {};
    for (const [at, segment] of row.segments.entries()) {
      const word = given[at] ?? "";
      if (segment.startsWith("{")) params[segment.slice(1, -1)] = decoded(word);
      else if (segment !== word) return [];
    }
    return [{ row, params }];
  });
}

/** Fields as their schema reads them, so that one that is left out and one that says the same are one call. */
function spelledAlike(read: unknown, given: Readonly<Record<string, unknown>>): Fields {
  const words: Record<string, string> = {};
  for (const [name, value] of Object.entries(Object(read))) {
    const word: unknown = PLAIN.has(typeof value) ? value : given[name];
    if (PLAIN.has(typeof word)) words[name] = String(word);
  }
  return words;
}

const PLAIN: ReadonlySet<string> = new Set(["string", "number", "bigint", "boolean"]);

function pathOf(row: Row, params: Fields, query: Fields): string {
  const path = row.segments
    .map((segment) =>
      segment.startsWith("{") ? encodeURIComponent(params[segment.slice(1, -1)] ?? "") : segment,
    )
    .join("/");
  const search = new URLSearchParams();
  for (const name of row.queryNames) {
    const word = query[name];
    if (word !== undefined) search.set(name, word);
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

function notFound(path: string): SvcError {
  return new SvcError("http/not-found", { path: `${REST_PLACE}${path}`.slice(0, SHOWN) });
}
