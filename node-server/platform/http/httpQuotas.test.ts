/** Tests of the quotas and rate limits by host, and that a host beyond its quota does not affect others. */
import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../time/clock.ts";
import { HttpQuotas, type HttpShareBounds } from "./httpQuotas.ts";

const ROOMY: HttpShareBounds = {
  connections: { total: 1_024, perHost: 128 },
  requests: {
    each: { perSecond: 200, burst: 2_000 },
    all: { perSecond: 4_000, burst: 16_000 },
    sources: 16_384,
  },
  unsentPerHost: 32 * 1024 * 1024,
  unsentBytes: 256 * 1024 * 1024,
};

/** An answer of which so many bytes have not been taken. */
class FakeAnswer extends EventEmitter {
  writableLength: number;
  destroyed = false;

  constructor(unsent: number) {
    super();
    this.writableLength = unsent;
  }

  destroy(): this {
    this.destroyed = true;
    this.emit("close");
    return this;
  }
}

function shares(over: Partial<HttpShareBounds>) {
  const clock = new ManualClock(0n);
  return { clock, shares: new HttpQuotas(clock, { ...ROOMY, ...over }) };
}

describe("requests", () => {
  const requests = {
    each: { perSecond: 2, burst: 3 },
    all: { perSecond: 100, burst: 100 },
    sources: 8,
  };

  it("of one host have a rate; what it lacks comes back with time", () => {
    const { clock, shares: all } = shares({ requests });
    const ask = (host: string): void => all.asked(host, new FakeAnswer(0));
    for (let count = 0; count < 3; count += 1) ask("flood");
    expect(() => ask("flood")).toThrow("http/too-many-requests (retryAfter=1)");
    ask("honest");
    clock.advance(500);
    ask("flood");
    expect(() => ask("flood")).toThrow("http/too-many-requests");
    // Whoever sets the clock fills no bucket, and stops none from filling.
    clock.step(86_400_000);
    expect(() => ask("flood")).toThrow("http/too-many-requests");
    clock.step(-2 * 86_400_000);
    clock.advance(500);
    ask("flood");
  });
});

describe("bytes", () => {
  it("that a host does not read keep it from asking for more, and nobody else", () => {
    const { shares: all } = shares({ unsentPerHost: 100 });
    const unread = new FakeAnswer(101);
    all.asked("slow", unread);
    expect(() => all.asked("slow", new FakeAnswer(0))).toThrow("http/too-many-requests");
    all.asked("honest", new FakeAnswer(0));
    unread.emit("close");
    all.asked("slow", new FakeAnswer(0));
  });

  it("of all together are bounded: the host with the most is cut off", () => {
    const { shares: all } = shares({ unsentPerHost: 100, unsentBytes: 150 });
    const [first, second, small] = [new FakeAnswer(60), new FakeAnswer(30), new FakeAnswer(70)];
    all.asked("a", first);
    all.asked("a", second);
    all.asked("b", small);
    all.asked("c", new FakeAnswer(0));
    expect([first, second, small].map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
    all.asked("a", new FakeAnswer(0));
  });
});
