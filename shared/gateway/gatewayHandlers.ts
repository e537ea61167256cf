/** What a handler of the gateway API is given, and what it gives back. */
import type * as v from "valibot";
import type {
  GatewayAnswer,
  GatewayRouteName,
  GatewayRoutes,
} from "../protocol/gateway/gatewayRoutes.ts";
import type { MerchantKey, RequestKey } from "./gatewayPorts.ts";
import type { KnownDevice, RequestSession } from "./till/tillOfRequest.ts";

/** A request whose parts were read by the schemas of its row. */
export type GatewayCall<R extends GatewayRouteName> = {
  readonly params: v.InferOutput<GatewayRoutes[R]["params"]>;
  readonly query: v.InferOutput<GatewayRoutes[R]["query"]>;
  readonly body: v.InferOutput<GatewayRoutes[R]["body"]>;
  /** The merchant's idempotency key, where the row takes one and the caller gave it. */
  readonly request: RequestKey | null;
  /** Ends when the gateway stops, and with the caller where the row says so. */
  readonly signal: AbortSignal;
};

/** A request with an API key. */
export type KeyedCall<R extends GatewayRouteName> = GatewayCall<R> & { readonly key: MerchantKey };

/** A request with the cookie of a till that is signed in. */
export type TillCall<R extends GatewayRouteName> = GatewayCall<R> & {
  readonly session: RequestSession;
};

/** A request with a password. */
export type PasswordCall<R extends GatewayRouteName> = GatewayCall<R> & {
  /** The device, where it signed in before. */
  readonly device: KnownDevice | null;
};

/** The call that a row's handler is given: with a key or a till where the row asks for one. */
export type CallOf<R extends GatewayRouteName> = GatewayRoutes[R]["credential"] extends "key"
  ? KeyedCall<R>
  : GatewayRoutes[R]["credential"] extends "till"
    ? TillCall<R>
    : GatewayRoutes[R]["credential"] extends "password"
      ? PasswordCall<R>
      : GatewayCall<R>;

/** An answer that the same request had before. */
export class ReplayedAnswer<T> {
  readonly answer: T;

  constructor(answer: T) {
    this.answer = answer;
  }
}

/** An answer that sets cookies, or takes one away. */
export class CookieAnswer<T> {
  readonly answer: T;
  /** Headers `Set-Cookie`. */
  readonly cookies: readonly string[];

  constructor(answer: T, ...cookies: readonly string[]) {
    this.answer = answer;
    this.cookies = cookies;
  }
}

/** A file. */
export class FileAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What a browser saves it as: letters, digits, dots, dashes and underscores. */
  readonly name: string;

  constructor(bytes: Uint8Array<ArrayBuffer>, name: string) {
    this.bytes = bytes;
    this.name = name;
  }
}

/** Pieces of an event stream, as text. */
export class StreamedAnswer {
  readonly events: AsyncIterable<string>;

  constructor(events: AsyncIterable<string>) {
    this.events = events;
  }
}

/** A WebSocket that a host opens: `open` is given the caller's name, and resolves with what switches to it. */
export class SocketAnswer {
  readonly open: (caller: string) => Promise<Response>;

  constructor(open: (caller: string) => Promise<Response>) {
    this.open = open;
  }
}

/** What a handler gives back. */
export type HandlerAnswer<R extends GatewayRouteName> =
  | GatewayAnswer<R>
  | ReplayedAnswer<GatewayAnswer<R>>
  | CookieAnswer<GatewayAnswer<R>>
  | FileAnswer
  | StreamedAnswer
  | SocketAnswer;

/** A handler of one row. */
export type GatewayHandler<R extends GatewayRouteName> = (
  call: CallOf<R>,
) => Promise<HandlerAnswer<R>>;

/** A handler for each row of the table. */
export type GatewayHandlers = { readonly [R in GatewayRouteName]: GatewayHandler<R> };
