/** Trusted reverse proxies, such as one that ends TLS: only what they say of a caller's address is believed. */
import { BlockList, isIPv6 } from "node:net";
import { parseNetAddress } from "../net/netAddress.ts";

const RANGE_FORM = /^(?<ip>[0-9a-fA-F:.]+)(?:\/(?<bits>\d{1,3}))?$/;
/** Any port: only the address of an entry counts. */
const ANY_PORT = 1;

/** The trusted addresses and ranges. */
export class TrustedProxies {
  readonly #list: BlockList;

  private constructor(list: BlockList) {
    this.#list = list;
  }

  /** Nobody is one. */
  static none(): TrustedProxies {
    return new TrustedProxies(new BlockList());
  }

  /** Reads addresses and ranges, `IP` or `IP/BITS`; undefined when one is neither. */
  static of(ranges: readonly string[]): TrustedProxies | undefined {
    const list = new BlockList();
    for (const range of ranges) {
      const { ip = "", bits } = RANGE_FORM.exec(range)?.groups ?? {};
      const plain = parseNetAddress(ip, ANY_PORT)?.ip;
      if (plain === undefined) return undefined;
      const most = isIPv6(plain) ? 128 : 32;
      const length = bits === undefined ? most : Number(bits);
      if (length > most) return undefined;
      list.addSubnet(plain, length, familyOf(plain));
    }
    return new TrustedProxies(list);
  }

  /** Whether this address is a proxy's. */
  has(ip: string): boolean {
    return this.#list.check(ip, familyOf(ip));
  }

  /**
   * The address of a caller: the other end of the connection, and where that is a proxy the last entry of `X-Forwarded-For`
   * that no proxy stands for. Entries before that one are the caller's own words.
   */
  callerOf(remote: string, forwarded: string | undefined): string {
    const entries = forwarded?.split(",") ?? [];
    let caller = remote;
    while (this.has(caller)) {
      const before = parseNetAddress(entries.pop()?.trim() ?? "", ANY_PORT);
      if (before === undefined) return caller;
      caller = before.ip;
    }
    return caller;
  }
}

function familyOf(ip: string): "ipv4" | "ipv6" {
  return isIPv6(ip) ? "ipv6" : "ipv4";
}
