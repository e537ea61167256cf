/**
 * Request/response conversations of initial sync. Responses are matched by message name, not by id, so a link carries one
 * conversation at a time.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pName, P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import type { Link } from "../link/link.ts";
import type { Arrived, Route } from "../link/route.ts";

/** A request, and which messages answer it. */
export type Conversation<Name extends P2pName> = {
  readonly payload: P2pPayload;
  readonly answers: readonly Name[];
  /** Answers that may wait: what the other side sends before it is asked to go on. */
  readonly capacity: number;
};

/** The end of the conversation that a link has: names are the same in all of them, so the next one waits for it. */
const conversations = new WeakMap<Link, Promise<void>>();
/** Links with a conversation that was left before its end: what is on its way would be taken for answers to the next question. */
const left = new WeakSet<Link>();

/**
 * Waits for the conversation before it on this link, sends a request, and takes the responses until `work` settles; what comes
 * later ends the link. When `work` rejects, what comes later is skipped, and the next conversation over this link is refused:
 * it ends the link with `p2p/evicted`, which is held against nobody, and rejects with it.
 */
export async function holdConversation<Name extends P2pName, T>(
  link: Link,
  { payload, answers, capacity }: Conversation<Name>,
  work: (route: Route<Name>) => Promise<T>,
): Promise<T> {
  const before = conversations.get(link);
  const ended = Promise.withResolvers<void>();
  conversations.set(link, ended.promise);
  try {
    await before;
    if (left.has(link)) link.end(new SvcError("p2p/evicted", {}));
    if (link.signal.aborted) throw SvcError.from(link.signal.reason);
    const route = link.route(answers, { capacity });
    link.send(payload);
    const result = await work(route);
    link.unroute(answers);
    return result;
  } catch (error) {
    link.ignore(answers);
    left.add(link);
    throw error;
  } finally {
    ended.resolve();
  }
}

/** A request with exactly one response. */
export type OneQuestion<Name extends P2pName> = {
  readonly payload: P2pPayload;
  /** Names of the messages that answer it. */
  readonly answers: readonly Name[];
  /** Milliseconds. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
};

/** Sends a request and waits for its one response. Rejects like `Route.next`. */
export async function askOne<Name extends P2pName>(
  link: Link,
  { payload, answers, waitMs, signal }: OneQuestion<Name>,
): Promise<Arrived<Name>["payload"]> {
  const arrived = await holdConversation(link, { payload, answers, capacity: 1 }, (route) =>
    route.next(waitMs, signal),
  );
  return arrived.payload;
}
