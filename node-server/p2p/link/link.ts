/**
 * A link to a peer: sends messages, routes received ones to the flows that wait for them, and ends with one error
 * (specification network 1.1, ADR 18).
 */
import { isOfClass } from "@svc/shared/base/codeClasses.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { peerTextOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { throwIfAborted, withAnySignal } from "@svc/shared/base/abort.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import {
  readEnvelope,
  withResponseId,
  writeEnvelope,
  type P2pEnvelope,
  type P2pName,
  type P2pPayload,
} from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { TokenBucket, type Rate } from "../../platform/time/tokenBucket.ts";
import { withinMs } from "../../platform/time/withinMs.ts";
import { ByteBudget } from "./byteBudget.ts";
import {
  checkMessageParts,
  DROPPED_WHEN_FULL,
  isBulk,
  readMessageHead,
  type MessageHead,
} from "./messageBounds.ts";
import { Route, type Arrived } from "./route.ts";
import type { RemoteAddress, Wire } from "./wire.ts";

/** Dependencies of a link. */
export type LinkParts = {
  readonly wire: Wire;
  readonly clock: Clock;
  /** Hears of a message whose number this program does not know; it is skipped. */
  readonly onUnknown: (number: number) => void;
  /** What all links share; a link that is given none has its own. */
  readonly budgets?: LinkBudgets | undefined;
};

/** Byte budgets that all links of a node share. */
export type LinkBudgets = {
  /** Bytes handed in that have not gone out. */
  readonly unsent: ByteBudget;
  /** Bytes of large messages that wait for their flows. */
  readonly queued: ByteBudget;
};

/** Makes the budgets for the links of one node. */
export function newLinkBudgets(): LinkBudgets {
  return {
    unsent: new ByteBudget(P2P_LIMITS.p2pTotalRoomBytes),
    queued: new ByteBudget(P2P_LIMITS.p2pTotalQueuedBytes),
  };
}

/** The queue length of a route, in messages. */
export type RouteOptions = { readonly capacity?: number };

/** A request with exactly one response. */
export type Question<Name extends P2pName> = {
  readonly payload: P2pPayload;
  /** Names of the messages that answer it. */
  readonly answers: readonly Name[];
  /** Milliseconds. */
  readonly waitMs: number;
  readonly signal?: AbortSignal;
};

/** A request with as many responses as the other side has. */
export type Conversation<Name extends P2pName> = {
  readonly route: Route<Name>;
  /** No more answers are wanted. */
  readonly end: () => void;
};

/** A route as the link sees it. */
type Intake = Pick<Route<P2pName>, "capacity" | "clear" | "has" | "offer" | "offerNews">;

/** What one peer may send of small messages, and of ones that nobody waits for. */
const SMALL_MESSAGES: Rate = {
  perSecond: P2P_LIMITS.p2pSmallPerSecond,
  burst: P2P_LIMITS.p2pSmallBurst,
};
const SMALL_BYTES: Rate = {
  perSecond: P2P_LIMITS.p2pSmallBytesPerSecond,
  burst: P2P_LIMITS.p2pSmallBytesBurst,
};

/** A link to one peer, open until it ends. */
export class Link {
  readonly #wire: Wire;
  readonly #clock: Clock;
  readonly #onUnknown: (number: number) => void;
  readonly #budgets: LinkBudgets;
  readonly #byName = new Map<P2pName, Intake>();
  readonly #byId = new Map<number, Intake>();
  /** Names of messages that may still be on their way, and that nobody wants any more. */
  readonly #ignored = new Set<P2pName>();
  readonly #end = new AbortController();
  readonly #ended = Promise.withResolvers<SvcError>();
  #nextId = 1;
  /** Of this link's unsent bytes, those that the budget knows of. */
  #countedUnsent = 0;
  /** Bytes of large messages that wait in routes. */
  #queued = 0;
  #isReading = true;
  readonly #smallMessages: TokenBucket;
  readonly #smallBytes: TokenBucket;

  constructor({ wire, clock, onUnknown, budgets = newLinkBudgets() }: LinkParts) {
    this.#smallMessages = new TokenBucket(SMALL_MESSAGES, clock.steadyMs());
    this.#smallBytes = new TokenBucket(SMALL_BYTES, clock.steadyMs());
    this.#wire = wire;
    this.#clock = clock;
    this.#onUnknown = onUnknown;
    this.#budgets = budgets;
  }

  /** The other side's address. */
  get remote(): RemoteAddress {
    return this.#wire.remote;
  }

  /** Whether this side dialled. */
  get isOutbound(): boolean {
    return this.#wire.isOutbound;
  }

  /** Aborts, with the error as its reason, when the link ends. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Why the link ended. */
  get ended(): Promise<SvcError> {
    return this.#ended.promise;
  }

  /** Begins to hear. Routes for the first messages must be there. */
  start(): void {
    this.#wire.listen({
      onMessage: (bytes) => this.#receive(bytes),
      onSent: () => this.#countUnsent(),
      onClosed: (error) => {
        this.#countUnsent();
        this.end(error ?? new SvcError("p2p/closed", {}));
      },
    });
  }

  /** From now on messages of these names wait here. A name has one route. */
  route<Name extends P2pName>(
    names: readonly Name[],
    { capacity = P2P_LIMITS.p2pRouteMessages }: RouteOptions = {},
  ): Route<Name> {
    const route = this.#newRoute(names, capacity);
    for (const name of names) {
      this.#ignored.delete(name);
      this.#byName.set(name, route);
    }
    return route;
  }

  /** Messages of these names end the link from now on; what waits in their routes is forgotten. */
  unroute(names: readonly P2pName[]): void {
    for (const name of names) {
      this.#byName.get(name)?.clear();
      this.#byName.delete(name);
    }
  }

  /** The same, but what the peer was asked for before is no fault when it comes. */
  ignore(names: readonly P2pName[]): void {
    this.unroute(names);
    for (const name of names) this.#ignored.add(name);
  }

  /** Sends a message, as the answer to a question when `responseId` names its route. Does nothing after the end. */
  send(payload: P2pPayload, responseId = 0): void {
    this.#write({ payload, responseId, requestId: 0 });
  }

  /**
   * Sends a message whose bytes exist already: an envelope without the ids of its routes, as `writeEnvelope` makes it with
   * zeros for both. The bytes must stay as they are.
   */
  sendEncoded(payload: Uint8Array, responseId = 0): void {
    this.#writeBytes(withResponseId(payload, responseId));
  }

  /**
   * Waits until this peer, and all peers together, have taken so much that more may be handed in; whoever serves waits here
   * before each message that is not small. Rejects with `run/aborted`, or the reason the link ended for: a peer that takes
   * nothing for `P2P_LIMITS.p2pRoomMs` ends it.
   */
  async room(signal?: AbortSignal): Promise<void> {
    if (this.#hasRoom() && !this.signal.aborted && signal?.aborted !== true) return;
    const signals = signal === undefined ? [this.signal] : [this.signal, signal];
    try {
      await withAnySignal(signals, (either) => this.#room(either));
    } catch (error) {
      throw this.signal.aborted ? SvcError.from(this.signal.reason) : error;
    }
  }

  /** Asks and waits for one answer. Rejects like `Route.next`. */
  async ask<Name extends P2pName>(question: Question<Name>): Promise<Arrived<Name>["payload"]> {
    const { payload, answers, waitMs, signal } = question;
    const conversation = this.converse(payload, answers, 1);
    try {
      return (await conversation.route.next(waitMs, signal)).payload;
    } finally {
      conversation.end();
    }
  }

  /** Asks, and makes a route for all that is answered; what comes after its end is skipped. */
  converse<Name extends P2pName>(
    payload: P2pPayload,
    answers: readonly Name[],
    capacity: number,
  ): Conversation<Name> {
    const id = this.#nextId;
    this.#nextId += 1;
    const route = this.#newRoute(answers, capacity);
    this.#byId.set(id, route);
    this.#write({ payload, responseId: 0, requestId: id });
    const end = (): void => {
      this.#byId.delete(id);
      route.clear();
    };
    return { route, end };
  }

  /** Ends the link and tells the other side why, if it can hear it. Only the first error counts. */
  end(error: SvcError): void {
    if (this.signal.aborted) return;
    if (!isOfClass(error, "silent")) {
      const reason = peerTextOf(error);
      this.#write({ payload: { $case: "reject", value: { reason } }, responseId: 0, requestId: 0 });
    }
    if (this.signal.aborted) return;
    this.#end.abort(error);
    for (const routes of [this.#byName, this.#byId]) {
      for (const route of routes.values()) route.clear();
      routes.clear();
    }
    this.#wire.close();
    this.#ended.resolve(error);
  }

  #write(envelope: P2pEnvelope): void {
    if (!this.signal.aborted) this.#writeBytes(writeEnvelope(envelope));
  }

  #writeBytes(bytes: Uint8Array): void {
    if (this.signal.aborted) return;
    const unsent = this.#wire.unsentBytes;
    const isTight = this.#budgets.unsent.used > P2P_LIMITS.p2pTotalUnsentBytes;
    const max = isTight ? P2P_LIMITS.p2pRoomBytes : P2P_LIMITS.p2pUnsentBytes;
    if (unsent > max) this.end(new SvcError("p2p/slow-reader", { unsent, max }));
    else this.#wire.send(bytes);
    this.#countUnsent();
  }

  #countUnsent(): void {
    const now = this.#wire.unsentBytes;
    this.#budgets.unsent.change(now - this.#countedUnsent);
    this.#countedUnsent = now;
  }

  #hasRoom(): boolean {
    const own = this.#wire.unsentBytes;
    if (own < P2P_LIMITS.p2pRoomShare) return true;
    return own < P2P_LIMITS.p2pRoomBytes && this.#budgets.unsent.hasRoom;
  }

  async #room(signal: AbortSignal): Promise<void> {
    throwIfAborted(signal);
    const limit = { waitMs: P2P_LIMITS.p2pRoomMs, what: "room", signal };
    try {
      await withinMs(this.#clock, limit, (within) =>
        this.#budgets.unsent.when(() => this.#hasRoom(), within),
      );
    } catch (error) {
      if (SvcError.is(error, "run/timeout")) {
        const [waiting, max] = [this.#wire.unsentBytes, P2P_LIMITS.p2pRoomBytes];
        this.end(new SvcError("p2p/slow-reader", { unsent: waiting, max }));
      }
      throw error;
    }
  }

  #newRoute<Name extends P2pName>(names: readonly Name[], capacity: number): Route<Name> {
    return new Route(names, capacity, {
      clock: this.#clock,
      ended: this.signal,
      onQueued: (change) => this.#countQueued(change),
      onFault: (error) => this.end(error),
    });
  }

  #countQueued(change: number): void {
    this.#queued += change;
    this.#budgets.queued.change(change);
    if (this.#isReading && !this.#mayRead()) this.#stopReading();
  }

  #mayRead(): boolean {
    if (this.#queued < P2P_LIMITS.p2pQueuedShare) return true;
    return this.#queued < P2P_LIMITS.p2pQueuedBytes && this.#budgets.queued.hasRoom;
  }

  #stopReading(): void {
    const resume = (): void => {
      this.#isReading = true;
      this.#wire.resume();
    };
    this.#isReading = false;
    this.#wire.pause();
    this.#budgets.queued.when(() => this.#mayRead(), this.signal).then(resume, resume);
  }

  #receive(bytes: Uint8Array): void {
    if (this.signal.aborted) return;
    try {
      const head = readMessageHead(bytes);
      const { name, number } = head;
      if (number === null) throw badField("message", "there is none");
      if (name === undefined) this.#onUnknown(number);
      else this.#deliver(name, head, bytes);
    } catch (error) {
      this.end(SvcError.from(error));
    }
  }

  /** Messages that cost their sender next to nothing have a rate that no honest peer comes near. */
  #pay(message: P2pName, bytes: number): void {
    const nowMs = this.#clock.steadyMs();
    const isWithin =
      this.#smallMessages.take(1, nowMs) === 1 && this.#smallBytes.take(bytes, nowMs) === bytes;
    if (isWithin) return;
    throw new SvcError("p2p/flooded", { message, limit: P2P_LIMITS.p2pSmallBurst });
  }

  /** Nothing is looked at that nobody wants, and nothing decoded before its flow takes it. */
  #deliver(name: P2pName, head: MessageHead, envelope: Uint8Array): void {
    if (name === "reject") throw rejection(envelope, head);
    const { responseId, requestId } = head;
    const route = responseId === 0 ? this.#byName.get(name) : this.#byId.get(responseId);
    // Nobody waits any more for the answer to a question that was given up.
    const isLate = responseId === 0 ? this.#ignored.has(name) : responseId < this.#nextId;
    if (route === undefined || !isBulk(name)) this.#pay(name, envelope.length);
    if (route === undefined && isLate) return;
    if (route === undefined || !route.has(name)) {
      throw new SvcError("p2p/unexpected-message", { message: name });
    }
    checkMessageParts(envelope, head);
    const arrival = { name, requestId, envelope };
    if (DROPPED_WHEN_FULL.has(name)) route.offerNews(arrival);
    else if (!route.offer(arrival)) {
      throw new SvcError("p2p/flooded", { message: name, limit: route.capacity });
    }
  }
}

function rejection(envelope: Uint8Array, head: MessageHead): SvcError {
  checkMessageParts(envelope, head);
  const { payload } = readEnvelope(envelope);
  const text = payload?.$case === "reject" ? payload.value.reason : "";
  return new SvcError("p2p/rejected", { reason: text.slice(0, P2P_LIMITS.p2pReasonChars) });
}
