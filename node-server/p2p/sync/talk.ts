/** A conversation of the initial sync: its messages come by name, so there is one of a kind at a time on a link. */
import type { P2pName, P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import type { Link } from "../link/link.ts";
import type { Arrived, Route } from "../link/route.ts";

/** What is asked, and which messages answer it. */
export type Talk<Name extends P2pName> = {
  readonly payload: P2pPayload;
  readonly answers: readonly Name[];
  /** Answers that may wait: what the other side sends before it is asked to go on. */
  readonly capacity: number;
};

/** Asks, and hears the answers until `work` settles; what comes later ends the link. */
export async function talk<Name extends P2pName, T>(
  link: Link,
  { payload, answers, capacity }: Talk<Name>,
  work: (route: Route<Name>) => Promise<T>,
): Promise<T> {
  const route = link.route(answers, { capacity });
  link.send(payload);
  try {
    return await work(route);
  } finally {
    link.unroute(answers);
  }
}

/** A question that is answered by one message. */
export type OneQuestion<Name extends P2pName> = {
  readonly payload: P2pPayload;
  readonly answer: Name;
  /** Milliseconds. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
};

/** Asks and waits for one answer. Rejects like `Route.next`. */
export async function askOne<Name extends P2pName>(
  link: Link,
  { payload, answer, waitMs, signal }: OneQuestion<Name>,
): Promise<Arrived<Name>["payload"]> {
  const arrived = await talk(link, { payload, answers: [answer], capacity: 1 }, (route) =>
    route.next(waitMs, signal),
  );
  return arrived.payload;
}
