/** A model of a daemon whose answers to submit are lost, and how they are lost and refused. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { daemonRefusal } from "@svc/shared/signer/daemonRefusal.ts";
import { DaemonModel, type Answer } from "./daemonModel.ts";

/** The error of a line that broke. */
export const broken = (): Error => new TypeError("fetch failed");

/** The error of a daemon that refuses with a code. */
export const refused = (code: string, status = 404): Error =>
  daemonRefusal(status, JSON.stringify({ error: "no", code }));

/** Ways in which an answer is lost. */
export const LOSSES: readonly (readonly [string, () => Error | string])[] = [
  ["a broken line", broken],
  ["a client that gave up", () => new DOMException("late", "TimeoutError")],
  ["a timeout", () => new SvcError("run/timeout", { what: "submit", limitMs: 60_000 })],
  ["a page of a proxy", () => daemonRefusal(502, "<html>")],
  ["a page of a proxy with success", () => "<html>"],
  ["an answer without an id", () => "{}"],
  ["a defect of the daemon", () => refused("internal/unexpected", 500)],
  ["a daemon that ends", () => refused("node/stopping", 503)],
  ["a code of a later daemon", () => daemonRefusal(503, '{"error":"x","code":"later/code"}')],
  // The signed payment is stored, and then something stands in the way.
  ["a wallet that was dropped meanwhile", () => refused("wallet/opening", 503)],
  ["a wallet that fell behind", () => refused("wallet/not-synced", 503)],
  ["a disk without room", () => refused("wallet/storage", 500)],
  ["a later refusal for now", () => daemonRefusal(409, '{"error":"x","code":"later/code"}')],
];

/** A model with one prepared payment whose first so many answers to submit are lost. */
export function losingDaemon(
  prepared: Answer,
  times: number,
  loss: () => Error | string,
): DaemonModel {
  const daemon = new DaemonModel([prepared]);
  for (let call = 1; call <= times; call += 1) daemon.losses.set(call, loss());
  return daemon;
}
