/** Calls of a till to its gateway. The browser sends the cookie, which no script reads. */

import { objectOf, textOf } from "./objectOf.ts";

/** What came of a call. */
export type CallOutcome =
  | { readonly kind: "answer"; readonly json: Readonly<Record<string, unknown>> }
  /** The gateway said no, with a code. */
  | { readonly kind: "refused"; readonly status: number; readonly code: string }
  /** Nothing came back: it may have been done or not. */
  | { readonly kind: "lost" };

/** Makes it; `key` is an idempotency key. */
export async function callGateway(
  method: "GET" | "POST" | "DELETE",
  path: string,
  { body, key, timeoutMs }: { body?: object; key?: string; timeoutMs: number },
): Promise<CallOutcome> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key !== undefined) headers["Idempotency-Key"] = key;
  const signal = AbortSignal.timeout(timeoutMs);
  const init: RequestInit = { method, headers, signal, redirect: "error" };
  if (body !== undefined) init.body = JSON.stringify(body);
  try {
    const answer = await fetch(path, init);
    const json = objectOf(await answer.json()) ?? {};
    if (answer.ok) return { kind: "answer", json };
    return { kind: "refused", status: answer.status, code: textOf(json["code"]) };
  } catch {
    return { kind: "lost" };
  }
}

/** An idempotency key: 128 random bits. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
