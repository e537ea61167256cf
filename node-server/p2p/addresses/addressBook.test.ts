/** The address book and the list of bans. */
import { beforeEach, describe, expect, it } from "vitest";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { STORAGE_LIMITS } from "../../storage/storageLimits.ts";
import { PLATFORM_LIMITS } from "../../platform/platformLimits.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { IS_FULL } from "../../platform/testkit/testRun.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { META_TABLES } from "../../storage/layout.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { AddressBook } from "./addressBook.ts";
import { BanList } from "./banList.ts";
import { addressText, type NetAddress } from "../../platform/net/netAddress.ts";

/** Repeatable numbers from 0 to 1: xorshift. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const address = (ip: string, port = 1): NetAddress => ({ ip, port });
const texts = (addresses: readonly NetAddress[]): string[] => addresses.map(addressText);
const everything = (): boolean => false;

const NOW_MS = 1_700_000_000_000n;
/** Messages of a flood, each as long as one may be; two hold more than the book does. */
const FLOODS = IS_FULL ? 20 : 3;

let store = new MemoryKv();
let clock = new ManualClock(NOW_MS);
beforeEach(() => {
  store = new MemoryKv();
  clock = new ManualClock(NOW_MS);
});

function bookOf(): AddressBook {
  return new AddressBook({ store, random: randomFrom(7), clock });
}

describe("the address book", () => {
  it("takes what one host can be meant by, and tells of it who may know", () => {
    const all = ["127.0.0.1", "0.0.0.0", "224.0.0.1", "10.0.0.1", "8.8.8.8"].map((ip) =>
      address(ip),
    );
    const book = bookOf();
    book.add([...all, address("8.8.8.8"), address("8.8.8.8", 0), address("8.8.8.8", 2)]);
    expect(texts(book.list()).toSorted()).toEqual(["10.0.0.1:1", "8.8.8.8:1", "8.8.8.8:2"]);
    const givenBy = (giver: string): string[] => {
      store = new MemoryKv();
      const told = bookOf();
      told.add(all, giver);
      return texts(told.list()).toSorted();
    };
    // Who is on the internet says nothing of private networks, and hears nothing of them.
    expect(givenBy("9.9.9.9")).toEqual(["8.8.8.8:1"]);
    expect(givenBy("192.168.0.7")).toEqual(["10.0.0.1:1", "8.8.8.8:1"]);
    expect(givenBy("127.0.0.1")).toEqual(["10.0.0.1:1", "8.8.8.8:1"]);
    expect(texts(book.sample(9, "9.9.9.9")).toSorted()).toEqual(["8.8.8.8:1", "8.8.8.8:2"]);
    expect(book.sample(9, "192.168.0.7")).toHaveLength(3);
  });

  it("forgets what fails and keeps what succeeds, across restarts", () => {
    const book = bookOf();
    const [good, bad, host] = [address("1.0.0.1"), address("1.0.0.2"), address("1.0.0.3")];
    book.add([good, bad, host]);
    book.succeeded(good);
    for (let count = 0; count < 2; count += 1) {
      book.failed(good);
      book.failed(bad);
    }
    const again = bookOf();
    expect(again.size).toBe(3);
    again.failed(bad);
    again.failed(good);
    expect(texts(again.list()).toSorted()).toEqual(["1.0.0.1:1", "1.0.0.3:1"]);
    again.forget("1.0.0.3");
    again.failed(good);
    again.failed(address("1.0.0.9"));
    expect([again.size, bookOf().size]).toEqual([0, 0]);
    // Who was reached is worth knowing.
    again.succeeded(address("1.0.0.9"));
    expect(bookOf().size).toBe(1);
  });

  it("never holds more than its bound, and drops what failed most often", () => {
    const book = bookOf();
    const perBucket = P2P_LIMITS.p2pAddressesPerBucket;
    const many = Array.from({ length: STORAGE_LIMITS.p2pAddresses }, (_, at) =>
      address(`1.${Math.floor(at / perBucket)}.0.${at % perBucket}`),
    );
    book.add(many);
    for (const each of many.slice(10)) book.succeeded(each);
    book.failed(address("1.0.0.3"));
    book.add([address("9.9.9.9"), address("9.9.9.8")]);
    expect(book.size).toBe(STORAGE_LIMITS.p2pAddresses);
    const held = new Set(texts(book.list()));
    expect(held.has("1.0.0.3:1")).toBe(false);
    expect(many.slice(10).every((each) => held.has(addressText(each)))).toBe(true);
    expect(bookOf().size).toBe(STORAGE_LIMITS.p2pAddresses);
  });

  it("picks each once, seldom what failed, and no bucket more often for having many", () => {
    const book = bookOf();
    const crowd = Array.from({ length: P2P_LIMITS.p2pAddressesPerBucket }, (_, at) =>
      address(`1.1.${at}.1`),
    );
    const failing = address("3.3.3.3");
    book.add([...crowd, address("2.2.2.2"), failing]);
    book.failed(failing);
    const first = new Map<string, number>();
    for (let round = 0; round < 1_000; round += 1) {
      const [chosen] = book.pick(1, everything);
      const [bucket = ""] = chosen?.ip.split(".") ?? [];
      first.set(bucket, (first.get(bucket) ?? 0) + 1);
    }
    // One of the two buckets, each as likely; a failure makes it 64 times less likely.
    expect(first.get("1")).toBeGreaterThan(400);
    expect(first.get("2")).toBeGreaterThan(400);
    expect(first.get("3") ?? 0).toBeLessThan(40);
    const all = book.pick(1_000, everything);
    expect(new Set(texts(all)).size).toBe(crowd.length + 2);
    const skipped = book.pick(1_000, ({ ip }) => ip.startsWith("1.1."));
    expect(texts(skipped).toSorted()).toEqual(["2.2.2.2:1", "3.3.3.3:1"]);
  });

  it("dials seldom what was not reached for long, and forgets it in the end, also across restarts", () => {
    const [old, recent] = [address("1.1.0.1"), address("2.2.0.1")];
    bookOf().succeeded(old);
    clock.advance(6 * P2P_LIMITS.p2pAddressHalfMs);
    const book = bookOf();
    // Not so old that it is gone: it was seen again a while ago.
    book.succeeded(old);
    clock.advance(4 * P2P_LIMITS.p2pAddressHalfMs);
    book.succeeded(recent);
    const first = Array.from({ length: 1_000 }, () => book.pick(1, everything)[0]?.ip);
    const olds = first.filter((ip) => ip === old.ip).length;
    // One in seventeen.
    expect(olds).toBeGreaterThan(30);
    expect(olds).toBeLessThan(100);
    clock.advance(P2P_LIMITS.p2pAddressOldMs - 4 * P2P_LIMITS.p2pAddressHalfMs + 1);
    expect(texts(bookOf().pick(9, everything))).toEqual([addressText(recent)]);
    expect(bookOf().size).toBe(1);
    // A failure does not make it younger.
    const again = bookOf();
    again.failed(recent);
    clock.advance(P2P_LIMITS.p2pAddressOldMs);
    expect(again.pick(9, everything)).toEqual([]);
  });

  it("answers with any of its addresses", () => {
    const book = bookOf();
    book.add(Array.from({ length: 50 }, (_, at) => address(`1.${at}.0.1`)));
    const seen = new Set<string>();
    for (let round = 0; round < 100; round += 1) {
      const sample = texts(book.sample(5, "9.9.9.9"));
      expect(new Set(sample).size).toBe(5);
      for (const text of sample) seen.add(text);
    }
    expect(seen.size).toBe(50);
  });

  it("gives a host, a neighbourhood and a giver their part of the book and no more", () => {
    const book = bookOf();
    const held = (starts: string): number =>
      texts(book.list()).filter((text) => text.startsWith(starts)).length;
    const known = address("1.1.1.1", 7);
    book.succeeded(known);
    book.add(Array.from({ length: 1_000 }, (_, at) => address("1.1.1.1", 1_000 + at)));
    expect(held("1.1.1.1:")).toBe(P2P_LIMITS.p2pAddressesPerHost);
    expect(texts(book.list())).toContain(addressText(known));
    book.add(Array.from({ length: 200 }, (_, at) => address(`2001:db8:1:1::${at}`)));
    expect(held("[2001:")).toBe(P2P_LIMITS.p2pAddressesPerHost);
    book.add(Array.from({ length: 200 }, (_, at) => address(`2001:db8:1:${at}::1`)));
    expect(held("[2001:")).toBe(P2P_LIMITS.p2pAddressesPerBucket);
    book.add(Array.from({ length: 200 }, (_, at) => address(`1.1.2.${at}`)));
    expect(held("1.1.")).toBe(P2P_LIMITS.p2pAddressesPerBucket);
    const told = Array.from({ length: 2_000 }, (_, at) => address(`5.${at >> 8}.${at & 255}.1`, 9));
    const spread = (from: number): NetAddress[] =>
      told.map(({ ip }, at) => address(ip.replace(/^5\.\d+/, `5.${from + (at % 100)}`)));
    book.add(spread(0), "9.9.9.9");
    expect(held("5.")).toBe(P2P_LIMITS.p2pAddressesPerGiver);
    // A restart does not give it another part, and what was reached is no longer its part.
    const again = bookOf();
    again.add(spread(100), "9.9.9.9");
    const all = again.list().filter(({ ip }) => ip.startsWith("5."));
    expect(all).toHaveLength(P2P_LIMITS.p2pAddressesPerGiver);
    for (const each of all) again.succeeded(each);
    again.add(spread(0), "9.9.9.9");
    const more = again.list().filter(({ ip }) => ip.startsWith("5."));
    expect(more).toHaveLength(2 * P2P_LIMITS.p2pAddressesPerGiver);
  });

  it("takes a flood in without looking at all it holds for each", () => {
    let drawn = 0;
    const book = new AddressBook({ store, random: () => ((drawn += 1), 0.5), clock });
    for (let round = 0; round < FLOODS; round += 1) {
      book.add(
        Array.from({ length: P2P_LIMITS.p2pAddressesTaken }, (_, at) =>
          address(`${round + 1}.${at & 255}.${at >> 8}.1`),
        ),
      );
    }
    expect(book.size).toBe(STORAGE_LIMITS.p2pAddresses);
    // One draw for each that has to go.
    expect(drawn).toBe(FLOODS * P2P_LIMITS.p2pAddressesTaken - STORAGE_LIMITS.p2pAddresses);
  });

  it("refuses a damaged store", () => {
    bookOf().add([address("1.0.0.1")]);
    const [row] = store.range({
      table: META_TABLES.addresses,
      from: new Uint8Array(),
      to: new Uint8Array(20).fill(0xff),
      limit: 1,
    });
    const key = row?.key ?? new Uint8Array();
    const sound = row?.value ?? new Uint8Array();
    const often = sound.with(1, P2P_LIMITS.p2pAddressFailures + 1);
    for (const value of [sound.with(0, 3), sound.subarray(1), often, Uint8Array.of(2)]) {
      store.commit([{ table: META_TABLES.addresses, key, value }]);
      expect(codeOf(() => bookOf())).toBe("store/corrupt");
    }
  });
});

describe("the list of bans", () => {
  it("ends a ban after a day, and by hand, across restarts", () => {
    const clock = new ManualClock(1_000n);
    const bans = new BanList({ store, clock });
    bans.ban("1.0.0.1");
    clock.advance(1_000);
    bans.ban("1.0.0.2");
    bans.ban("2001:db8::1");
    const again = new BanList({ store, clock });
    expect(again.list()).toEqual(["1.0.0.1", "1.0.0.2", "2001:db8::"]);
    expect([again.has("2001:db8::ffff"), again.has("2001:db8:0:1::1")]).toEqual([true, false]);
    again.lift("2001:db8::2");
    clock.advance(P2P_LIMITS.p2pBanMs - 1_000);
    expect([again.has("1.0.0.1"), again.has("1.0.0.2")]).toEqual([false, true]);
    expect(new BanList({ store, clock }).list()).toEqual(["1.0.0.2"]);
  });

  it("holds so many", () => {
    const clock = new ManualClock(1_000n);
    const bans = new BanList({ store, clock });
    for (let at = 0; at <= P2P_LIMITS.p2pBans; at += 1) bans.ban(`1.0.${at >> 8}.${at & 255}`);
    expect(bans.list()).toHaveLength(P2P_LIMITS.p2pBans);
    expect(bans.has("1.0.0.0")).toBe(false);
  });

  it("refuses a damaged store", () => {
    const clock = new ManualClock(1_000n);
    new BanList({ store, clock }).ban("1.0.0.1");
    const key = new Uint8Array(16);
    for (const value of [Uint8Array.of(2), Uint8Array.of(1, 2)]) {
      store.commit([{ table: META_TABLES.bans, key, value }]);
      expect(codeOf(() => new BanList({ store, clock }))).toBe("store/corrupt");
    }
  });
});

describe("a clock that is set while the node runs", () => {
  const DAY_MS = 86_400_000;

  it("makes no address older: none is forgotten, and those that are old are all the same", () => {
    const book = bookOf();
    book.add([address("8.8.8.8")]);
    clock.step(3 * P2P_LIMITS.p2pAddressOldMs);
    expect(texts(book.pick(9, everything))).toEqual(["8.8.8.8:1"]);
    clock.step(-6 * P2P_LIMITS.p2pAddressOldMs);
    clock.advance(P2P_LIMITS.p2pAddressOldMs + 1);
    expect(book.pick(9, everything)).toEqual([]);
  });

  it("is told from a sleep of the machine, which bans and addresses have passed", () => {
    const [book, bans] = [bookOf(), new BanList({ store, clock })];
    book.add([address("8.8.8.8")]);
    bans.ban("1.0.0.1");
    clock.suspend(P2P_LIMITS.p2pBanMs);
    clock.advance(PLATFORM_LIMITS.sleptLookMs);
    expect(bans.has("1.0.0.1")).toBe(false);
    clock.suspend(P2P_LIMITS.p2pAddressOldMs);
    clock.advance(PLATFORM_LIMITS.sleptLookMs);
    expect(book.pick(9, everything)).toEqual([]);
  });

  it("neither ends a ban nor makes it longer", () => {
    const bans = new BanList({ store, clock });
    bans.ban("1.0.0.1");
    clock.step(3 * DAY_MS);
    expect(bans.has("1.0.0.1")).toBe(true);
    clock.step(-6 * DAY_MS);
    clock.advance(P2P_LIMITS.p2pBanMs - 1);
    expect(bans.has("1.0.0.1")).toBe(true);
    clock.advance(1);
    expect(bans.has("1.0.0.1")).toBe(false);
  });

  it("lets a ban from the future last no longer than any other after a restart", () => {
    clock.step(3 * DAY_MS);
    new BanList({ store, clock }).ban("1.0.0.1");
    clock.step(-3 * DAY_MS);
    const again = new BanList({ store, clock });
    expect(again.has("1.0.0.1")).toBe(true);
    clock.advance(P2P_LIMITS.p2pBanMs);
    expect(again.has("1.0.0.1")).toBe(false);
  });
});
