/** Ban list: hosts that are refused for a time, kept across restarts (specification network 1.5, 10.1). */
import { ByteReader, ByteWriter } from "@svc/shared/base/bytes.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { anchored, type Clock } from "../../platform/time/clock.ts";
import type { Kv, KvPair } from "../../storage/kv.ts";
import { META_TABLES } from "../../storage/layout.ts";
import { hostOf, ipBytes, textOf } from "../../platform/net/netAddress.ts";

/** Dependencies of the ban list. */
export type BanListParts = {
  readonly store: Kv;
  readonly clock: Pick<Clock, "nowMs" | "steadyMs" | "bootMs">;
};

/** Stored rows begin with it. */
const VERSION = 1;
const IP_LENGTH = 16;
const KEYS_END = new Uint8Array(IP_LENGTH + 1).fill(0xff);

/** The banned hosts. A ban ends by itself after `P2P_LIMITS.p2pBanMs`. */
export class BanList {
  readonly #parts: BanListParts;
  /** Whoever sets the machine's clock ends no ban and makes none longer. */
  readonly #clock: Pick<Clock, "nowMs">;
  /** Host → when it was banned, Unix milliseconds. In the order of the bans. */
  readonly #bans = new Map<string, bigint>();

  /** Reads what is stored. Throws `store/corrupt`. */
  constructor(parts: BanListParts) {
    this.#parts = parts;
    this.#clock = anchored(parts.clock);
    const nowMs = this.#clock.nowMs();
    const [table, limit] = [META_TABLES.bans, P2P_LIMITS.p2pBans];
    const rows = parts.store.range({ table, from: new Uint8Array(), to: KEYS_END, limit });
    const bans = rows.map(readBan).toSorted((a, b) => Number(a.sinceMs - b.sinceMs));
    // One from a time when the clock was ahead begins now.
    for (const { ip, sinceMs } of bans) this.#bans.set(ip, sinceMs < nowMs ? sinceMs : nowMs);
  }

  /** Hosts that are banned now; of IPv6 the first address of the /64. */
  list(): string[] {
    return [...this.#bans.keys()].filter((ip) => this.has(ip));
  }

  /** Whether a host is banned now. */
  has(ip: string): boolean {
    const sinceMs = this.#bans.get(hostOf(ip));
    if (sinceMs === undefined) return false;
    if (this.#clock.nowMs() - sinceMs < BigInt(P2P_LIMITS.p2pBanMs)) return true;
    this.lift(ip);
    return false;
  }

  /** Bans a host from now on. When there are too many, the oldest ban ends. */
  ban(ip: string): void {
    const sinceMs = this.#clock.nowMs();
    const host = hostOf(ip);
    this.#bans.delete(host);
    this.#bans.set(host, sinceMs);
    const value = new ByteWriter().u8(VERSION).u64(sinceMs).toBytes();
    this.#parts.store.commit([{ table: META_TABLES.bans, key: ipBytes(host), value }]);
    for (const oldest of this.#bans.keys()) {
      if (this.#bans.size <= P2P_LIMITS.p2pBans) break;
      this.lift(oldest);
    }
  }

  /** Ends a ban. */
  lift(ip: string): void {
    const host = hostOf(ip);
    if (!this.#bans.delete(host)) return;
    this.#parts.store.commit([{ table: META_TABLES.bans, key: ipBytes(host), value: null }]);
  }
}

function readBan({ key, value }: KvPair): { readonly ip: string; readonly sinceMs: bigint } {
  try {
    const reader = new ByteReader(value);
    if (key.length !== IP_LENGTH || reader.u8() !== VERSION) throw new Error("another form");
    const sinceMs = reader.u64();
    reader.finish();
    return { ip: textOf(key), sinceMs };
  } catch (error) {
    throw new SvcError("store/corrupt", { table: "bans", reason: "a row" }, error);
  }
}
