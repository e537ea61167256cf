/** Test helper: a browser of a till, which keeps the cookie that the gateway sets. */
import { expect } from "vitest";
import * as v from "valibot";
import { sale, type SaleRecord } from "@svc/shared/protocol/gateway/saleRecord.ts";

/** A gateway with tills. */
export type TillHost = {
  fetch(path: string, init?: RequestInit): Promise<Response>;
};

/** Name and password of a till. */
export type TillLogin = { readonly till: string; readonly password: string };

/** What a browser says of itself in each request of the gateway's own page. */
const OWN = { "Sec-Fetch-Site": "same-origin" };

/** The browser. */
export class TillCaller {
  readonly #host: TillHost;
  /** What it sends as `Cookie`; null for none. */
  cookie: string | null = null;
  /** The cookie by which its device is known; null for none. */
  device: string | null = null;

  constructor(host: TillHost) {
    this.#host = host;
  }

  /** Asks; a body is sent as JSON. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const sent: Record<string, string> = { ...OWN, ...headers };
    const cookies = [this.cookie, this.device].filter((cookie) => cookie !== null);
    if (cookies.length > 0) sent["Cookie"] = cookies.join("; ");
    if (body === undefined) return this.#host.fetch(path, { method, headers: sent });
    sent["Content-Type"] = "application/json";
    return this.#host.fetch(path, { method, headers: sent, body: JSON.stringify(body) });
  }

  /** Tries to sign in, and keeps the cookie of the answer. */
  async signIn(login: TillLogin, headers: Readonly<Record<string, string>> = {}) {
    const answer = await this.ask("POST", "/pos/v1/session", login, headers);
    const set = answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0] ?? "");
    if (set[0] !== undefined) this.cookie = set[0];
    if (set[1] !== undefined) this.device = set[1];
    return answer;
  }

  /** Begins a sale. */
  async sell(terms: object, headers: Readonly<Record<string, string>> = {}): Promise<SaleRecord> {
    const answer = await this.ask("POST", "/pos/v1/sales", terms, headers);
    const json: unknown = await answer.json();
    expect(answer.status, JSON.stringify(json)).toBe(201);
    return v.parse(sale, json);
  }

  /** Status and code of a refusal. */
  async refusal(method: string, path: string, body?: unknown, headers = {}) {
    return refusalOf(await this.ask(method, path, body, headers));
  }
}

/** Status and code of an answer. */
export async function refusalOf(answer: Response): Promise<readonly [number, unknown]> {
  const json = v.parse(v.record(v.string(), v.unknown()), await answer.json());
  return [answer.status, json["code"]];
}
