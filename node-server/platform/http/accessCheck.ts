/**
 * Access check of the HTTP server (Host and Origin headers, trusted proxies), done for every request and every upgrade before
 * anything else.
 *
 * A page that is open in a browser on this machine can send requests to it. But the page cannot choose the headers `Host`
 * and `Origin`: a name that was bound to this machine's address (DNS rebinding) shows in the first one, a page of another
 * origin in the second one.
 */
import type { IncomingHttpHeaders } from "node:http";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { parseNetAddress, sourceOf } from "../net/netAddress.ts";
import { isRequestedHere } from "./isRequestedHere.ts";
import { TrustedProxies } from "./trustedProxies.ts";

/** The operator's access rules. */
export type HttpRules = {
  /** Further names of this server, lower case, without a port. */
  readonly hostNames: readonly string[];
  /** Origins whose pages may use it, `https://wallet.example`, beside its own pages. */
  readonly origins: readonly string[];
  readonly proxies: TrustedProxies;
};

/** The default rules: only the node's own pages and programs on this machine. */
export const OWN_PAGES: HttpRules = {
  hostNames: [],
  origins: [],
  proxies: TrustedProxies.none(),
};

/** Who sends a request. */
export type Caller = {
  /** What its shares are counted by: an IPv4 address, or the /64 of an IPv6 address. */
  readonly host: string;
  /** The configured origin that asks, null for this server's own pages and for programs. */
  readonly origin: string | null;
};

/** The parts of a request that the check reads. */
export type JudgedRequest = {
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly socket: {
    readonly remoteAddress?: string | undefined;
    readonly localAddress?: string | undefined;
  };
};

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];
const HOST_FORM = /^(?<name>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/;
const ANY_PORT = 1;
/** Characters of a foreign name in an error. */
const SHOWN = 80;

/** Checks who may use the server. */
export class AccessCheck {
  readonly #rules: HttpRules;
  readonly #names: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  readonly #isOpened: boolean;

  /**
   * `listen` is the host that the server listens at. `isOpened`: a part of the server is open to everybody, who can therefore
   * reach it; the rest is for programs on this machine, and for who asks under a configured name or from a page of a
   * configured origin.
   */
  constructor(rules: HttpRules, listen: string, isOpened = false) {
    const listened = listen.includes(":") ? `[${listen}]` : listen;
    this.#rules = rules;
    this.#names = new Set([...LOOPBACK_NAMES, listened.toLowerCase(), ...rules.hostNames]);
    this.#origins = new Set(rules.origins);
    this.#isOpened = isOpened;
  }

  /** Whether a connection comes from a proxy: it carries requests of many hosts. */
  isProxy(ip: string | undefined): boolean {
    return this.#rules.proxies.has(plainIp(ip));
  }

  /** Who asks. Throws `http/bad-request`, `http/foreign-host` and `http/foreign-origin`. */
  judge({ url = "", headers, socket }: JudgedRequest): Caller {
    if (!url.startsWith("/")) {
      throw new SvcError("http/bad-request", { reason: "the target is no path" });
    }
    const asked = (headers.host ?? "").toLowerCase();
    this.#requireOwnName(asked, plainIp(socket.localAddress));
    const origin = this.#foreignOrigin(asked, headers);
    if (this.#isOpened && origin === null && !isRequestedHere({ headers, socket })) {
      this.#requireConfiguredName(asked);
    }
    return { host: this.#hostOf({ headers, socket }), origin };
  }

  /** Who asks under whatever name, from whatever page: for answers that are meant for everybody. */
  stranger(request: Pick<JudgedRequest, "headers" | "socket">): Caller {
    return { host: this.#hostOf(request), origin: null };
  }

  #hostOf({ headers, socket }: Pick<JudgedRequest, "headers" | "socket">): string {
    const forwarded = headers["x-forwarded-for"];
    const words = Array.isArray(forwarded) ? forwarded.join(",") : forwarded;
    return sourceOf(this.#rules.proxies.callerOf(plainIp(socket.remoteAddress), words));
  }

  #requireOwnName(asked: string, local: string): void {
    const name = nameOf(asked);
    if (name !== "" && (this.#names.has(name) || plainIp(name) === local)) return;
    throw foreignHost(asked);
  }

  /** A caller chooses the header himself: an own name shows nothing of where a program runs. */
  #requireConfiguredName(asked: string): void {
    if (!this.#rules.hostNames.includes(nameOf(asked))) throw foreignHost(asked);
  }

  /**
   * The configured origin that asks; null for this server's own pages and for programs. A page that hides its origin, in a
   * request for an image or a script, is told apart by `Sec-Fetch-Site`; following a link to a page is nobody's fault.
   */
  #foreignOrigin(asked: string, headers: IncomingHttpHeaders): string | null {
    const { origin } = headers;
    if (origin === undefined) {
      const site = headers["sec-fetch-site"] ?? "none";
      const isForeign = site === "cross-site" || site === "same-site";
      if (isForeign && headers["sec-fetch-mode"] !== "navigate") {
        throw new SvcError("http/foreign-origin", { origin: site });
      }
      return null;
    }
    // A page with `Referrer-Policy: no-referrer` hides its origin from its own server, too, when it sends a form.
    if (origin === "null" && headers["sec-fetch-site"] === "same-origin") return null;
    const lower = origin.toLowerCase();
    if (lower === `http://${asked}` || lower === `https://${asked}`) return null;
    if (this.#origins.has(lower)) return lower;
    throw new SvcError("http/foreign-origin", { origin: origin.slice(0, SHOWN) });
  }
}

/** The name in a header `Host`, without the port; "" for what is none. */
function nameOf(asked: string): string {
  return HOST_FORM.exec(asked)?.groups?.["name"] ?? "";
}

function foreignHost(asked: string): SvcError {
  return new SvcError("http/foreign-host", { host: asked.slice(0, SHOWN) });
}

/** One text for an address: without brackets, IPv4 in IPv6 as IPv4; "" for what is none. */
function plainIp(ip: string | undefined): string {
  return parseNetAddress(ip ?? "", ANY_PORT)?.ip ?? "";
}
