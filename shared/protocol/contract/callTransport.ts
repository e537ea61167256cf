/**
 * The core of a typed client: sends the request of a row and reads its answer. It works wherever there is `fetch`, follows no
 * redirect and sends no cookies.
 */
import * as v from "valibot";
import { bodyWithin } from "../../base/bodyWithin.ts";
import { jsonText } from "../../base/jsonText.ts";
import { SvcError } from "../../base/svcError.ts";
import { apiRefusal, type UnknownRefusal } from "./apiRefusal.ts";
import { parseExactJson } from "./numberText.ts";
import type { RouteContract } from "./routeContract.ts";

/** The errors of one API's client, beside those that its server answers. */
export type TransportFaults = {
  /** No answer came. */
  readonly unreachable: (url: string, cause: unknown) => SvcError;
  /** The answer is none of the API. */
  readonly badAnswer: (status: number, reason: string, cause?: unknown) => SvcError;
  /** A refusal has a code that this program does not know. */
  readonly refused: UnknownRefusal;
};

/** Where a server is, and how it is asked. */
export type TransportParts = {
  /** Without a path of the API. */
  readonly baseUrl: string;
  /** The platform's `fetch` unless another is given. */
  readonly fetch?: typeof fetch;
  /** A signal that aborts after so many ms; the platform's unless another is given. */
  readonly timeout?: (ms: number) => AbortSignal;
};

/** The parts of a request. */
export type CallInput = {
  readonly params: unknown;
  readonly query: unknown;
  /** Undefined for none. */
  readonly body: unknown;
};

/** A request without any of these parts. */
export const NOTHING = { params: {}, query: {}, body: undefined } as const;

/** The rest of a request. */
export type CallRest = {
  readonly signal: AbortSignal;
  /** Credentials and keys. */
  readonly headers: Readonly<Record<string, string>>;
};

/** An answer, its JSON not yet held against the row's schema. */
export type RawAnswer = { readonly status: number; readonly json: unknown };

/** Characters of a foreign text in an error. */
const SHOWN = 200;

/** Asks one server. */
export class CallTransport {
  readonly #parts: TransportParts;
  readonly #faults: TransportFaults;
  /** Bytes of an answer beyond which it is not read. */
  readonly #answerBytes: number;
  readonly #base: string;

  constructor(parts: TransportParts, faults: TransportFaults, answerBytes: number) {
    this.#parts = parts;
    this.#faults = faults;
    this.#answerBytes = answerBytes;
    this.#base = parts.baseUrl.replace(/\/+$/, "");
  }

  /**
   * Makes the call of a row. Rejects with the errors that the server answers, with those of the faults,
   * `codec/count-too-large`, `run/timeout` and `run/aborted`.
   */
  async ask(row: RouteContract, input: CallInput, rest: CallRest): Promise<RawAnswer> {
    const { timeoutMs } = row;
    const timeout = (this.#parts.timeout ?? ((ms) => AbortSignal.timeout(ms)))(timeoutMs);
    const signal = AbortSignal.any([rest.signal, timeout]);
    try {
      const request = this.#parts.fetch ?? fetch;
      const init = initOf(row, input, rest.headers);
      const response = await request(this.#base + target(row, input), { ...init, signal });
      return this.#read(row, response, await bodyWithin(response, this.#answerBytes));
    } catch (error) {
      if (error instanceof SvcError) throw error;
      if (rest.signal.aborted) throw new SvcError("run/aborted", {}, error);
      if (timeout.aborted) {
        throw new SvcError("run/timeout", { what: row.path, limitMs: timeoutMs }, error);
      }
      throw this.#faults.unreachable(this.#base, error);
    }
  }

  /** Reads an answer by its schema. Throws the fault of a bad answer. */
  answerOf<S extends v.GenericSchema>(schema: S, answer: RawAnswer): v.InferOutput<S> {
    const read = v.safeParse(schema, answer.json);
    if (read.success) return read.output;
    const [issue] = read.issues;
    const place = issue.path?.map(({ key }) => String(key)).join(".") ?? "";
    const reason = `${place === "" ? "it" : place} is not what was expected`;
    throw this.#faults.badAnswer(answer.status, reason.slice(0, SHOWN));
  }

  #read(row: RouteContract, response: Response, bytes: Uint8Array): RawAnswer {
    const { status } = response;
    if (response.ok && row.isCsv) return { status, json: new TextDecoder().decode(bytes) };
    const json = this.#parsed(status, bytes);
    if (response.ok) return { status, json };
    const refusal = apiRefusal(status, json, this.#faults.refused);
    if (refusal !== null) throw refusal;
    if (row.tellsReadiness) return { status, json };
    throw this.#faults.badAnswer(status, "an error of no known form");
  }

  /** A proxy in between answers with pages. */
  #parsed(status: number, bytes: Uint8Array): unknown {
    try {
      return parseExactJson(new TextDecoder().decode(bytes));
    } catch (error) {
      throw this.#faults.badAnswer(status, "it is no JSON", error);
    }
  }
}

function initOf(
  { method }: RouteContract,
  { body }: CallInput,
  headers: CallRest["headers"],
): RequestInit {
  return {
    method,
    credentials: "omit",
    referrerPolicy: "no-referrer",
    cache: "no-store",
    redirect: "error",
    headers: {
      ...headers,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: jsonText(body) }),
  };
}

/** Path and query. A list of the query is its name with each of its words. */
function target({ path: pattern }: RouteContract, { params, query }: CallInput): string {
  const values = new Map(Object.entries(asRecord(params)));
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(String(values.get(key))),
  );
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(asRecord(query))) {
    const words: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const word of words) {
      if (word !== undefined && word !== null) search.append(key, wordOf(word));
    }
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

/** The fields of a plain value; none for what has none. */
export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : jsonText(value).replaceAll('"', "");
}
