/** The type of a row of the wallet API's table, and of what a handler and a client make of it. */
import * as v from "valibot";
import type { Code } from "../../base/generated/codes.ts";

/** Parts of the API, each with its handlers. */
export type RouteGroup =
  | "status"
  | "keys"
  | "scan"
  | "spend"
  | "device"
  | "proofs"
  | "jobs"
  | "events"
  | "tokens";

/**
 * What a request must carry. `token-if-given`: a missing or malformed token is answered as one without a wallet.
 * `token-and-custodial`: refused by a daemon that holds no seeds, before anything else is looked at.
 */
export type Credential = "none" | "token-if-given" | "token" | "token-and-custodial";

/**
 * What a token must be good for. `any`: every token of the wallet opens it, or none is asked for. `view`, `prepare`, `spend`: the
 * wallet's own token, and a scoped token with this scope. `owner`: the wallet's own token alone.
 */
export type RouteScope = "any" | "view" | "prepare" | "spend" | "owner";

/** One call. Server, client, OpenAPI document and reference page are made from it. */
export type RouteContract = {
  readonly group: RouteGroup;
  readonly method: "GET" | "POST";
  /** Segments in braces are fields of `params`. */
  readonly path: `/${string}`;
  readonly credential: Credential;
  readonly scope: RouteScope;
  readonly params: v.GenericSchema;
  readonly query: v.GenericSchema;
  /** `NO_BODY`, or a schema of an object; an optional one takes a request without a body. */
  readonly body: v.GenericSchema;
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
  /** Takes `Idempotency-Key`: the call spends, and its repetition does not. */
  readonly spends: boolean;
  /** Takes `?job=1`: the answer is then 202 with the number of a job. */
  readonly lasts: boolean;
  /** Whether the work ends when the client goes away. A payment goes on. */
  readonly endsWithCaller: boolean;
  /** Answered as a file of CSV: the answer is its text. */
  readonly isCsv?: true;
  /** Answered with 503 while the field `ready` of the answer is false. */
  readonly tellsReadiness?: true;
};

/** Defaults of a row, for what most rows have in common. */
type Defaulted = "params" | "query" | "body" | "spends" | "lasts" | "endsWithCaller" | "refusals";

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
  spends: false,
  lasts: false,
  endsWithCaller: true,
} as const;

/** A row with the defaults in the places of what it leaves out. */
export type Row<C> = Omit<typeof DEFAULTS, keyof C> & C;

/** Makes a row: no parameters, query or body, and work that ends with its caller, unless it says so. */
export function route<
  const C extends Omit<RouteContract, Defaulted> & Partial<Pick<RouteContract, Defaulted>>,
>(contract: C): Row<C> {
  return { ...DEFAULTS, ...contract };
}
