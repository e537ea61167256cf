/** The type of a row of an API's table. Server, client, OpenAPI document and reference page of an API are made from its rows. */
import * as v from "valibot";
import type { Code } from "../../base/generated/codes.ts";

/** The names that the rows of one table may have: its groups, its credentials, and the scopes of a credential. */
export type TableKinds = {
  readonly group: string;
  readonly credential: string;
  readonly scope: string;
};

/** One call. */
export type RouteContract<K extends TableKinds = TableKinds> = {
  readonly group: K["group"];
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Segments in braces are fields of `params`. */
  readonly path: `/${string}`;
  readonly credential: K["credential"];
  readonly scope: K["scope"];
  readonly params: v.GenericSchema;
  readonly query: v.GenericSchema;
  /** `NO_BODY`, or a schema of an object; an optional one takes a request without a body. */
  readonly body: v.GenericSchema;
  /** Bytes of the body at most, where they are not those of every row of the API. */
  readonly bodyBytes?: number;
  readonly answer: v.GenericSchema;
  /** Codes that its handler answers, beside those that every call of its kind may meet. */
  readonly refusals: readonly Code[];
  /** One sentence. */
  readonly about: string;
  readonly example: {
    readonly path?: string;
    readonly body?: unknown;
    readonly answer: unknown;
  };
  /** ms. How long a client waits for the answer. */
  readonly timeoutMs: number;
  /** Takes `Idempotency-Key`: the call changes something, and its repetition under the same key changes nothing more. */
  readonly takesKey: boolean;
  /** Takes `?job=1`: the answer is then 202 with the number of a job. */
  readonly lasts: boolean;
  /** Whether the work ends when the client goes away. A payment goes on. */
  readonly endsWithCaller: boolean;
  /** Status of the answer where it is not 200. */
  readonly status?: 201;
  /** Answered as a file of CSV: the answer is its text. */
  readonly isCsv?: true;
  /** Answered as plain text. */
  readonly isText?: true;
  /** Answered as bytes, `application/octet-stream`. */
  readonly isBinary?: true;
  /** Answered as a file of this media type. */
  readonly fileType?: string;
  /** Answered as a stream of server-sent events: `answer` is the JSON in the data of each. */
  readonly isStream?: true;
  /** Answered by switching to a WebSocket: `answer` is the JSON of each message. A host that offers none answers 404. */
  readonly isSocket?: true;
  /** Answered with 503 while the field `ready` of the answer is false. */
  readonly tellsReadiness?: true;
};

/** Defaults of a row, for what most rows have in common. */
type Defaulted = "params" | "query" | "body" | "takesKey" | "lasts" | "endsWithCaller" | "refusals";

/** A request without a body. */
export const NO_BODY = v.pipe(
  v.unknown(),
  v.transform(() => null),
);

const NO_FIELDS = v.object({});

const DEFAULTS = {
  params: NO_FIELDS,
  query: NO_FIELDS,
  body: NO_BODY,
  refusals: [],
  takesKey: false,
  lasts: false,
  endsWithCaller: true,
} as const;

/** A row with the defaults in the places of what it leaves out. */
export type Row<C> = Omit<typeof DEFAULTS, keyof C> & C;

/** What is written of a row. */
type Written<K extends TableKinds> = Omit<RouteContract<K>, Defaulted> &
  Partial<Pick<RouteContract<K>, Defaulted>>;

/**
 * The maker of rows of one table. A row has no parameters, query or body, and work that ends with its caller, unless it
 * says so.
 */
export function routeMaker<K extends TableKinds>() {
  return <const C extends Written<K>>(contract: C): Row<C> => ({ ...DEFAULTS, ...contract });
}
