import { describe, expect, it } from "vitest";
import type { DagBlock } from "@svc/shared/explorer/dag/dagBlock.ts";
import { MINUTE_MS } from "@svc/shared/explorer/dag/replayTape.ts";
import type { DagFeed } from "./dagFeed.ts";
import { DagSession } from "./dagSession.ts";

const NOW = 100 * MINUTE_MS + 30_000;

function block(hash: string, timestamp: number, more: Partial<DagBlock> = {}): DagBlock {
  return {
    hash,
    timestamp,
    parents: [],
    color: "blue",
    isChainBlock: true,
    mergedBy: null,
    blueScore: timestamp,
    daaScore: 1,
    txCount: 1,
    work: "native",
    ...more,
  };
}

type Scene = {
  readonly session: DagSession;
  /** Minutes that were asked for. */
  readonly asked: number[];
  /** Whether the newest blocks are followed. */
  readonly isFollowing: () => boolean;
  readonly tell: (blocks: readonly DagBlock[] | null) => void;
  fails: boolean;
};

/** A chain with a block in each ten seconds of each minute. */
function scene(): Scene {
  const asked: number[] = [];
  let seen: ((blocks: readonly DagBlock[] | null) => void) | null = null;
  const feed: DagFeed = {
    nowMs: () => NOW,
    follow: (told) => {
      seen = told;
      return () => {
        seen = null;
      };
    },
    minute: async (minute) => {
      asked.push(minute);
      if (made.fails) throw new TypeError("no answer");
      const times = [0, 10, 20, 30, 40, 50].map((second) => minute * MINUTE_MS + second * 1_000);
      return { blocks: times.map((time) => block(`b${time}`, time)), isComplete: true };
    },
  };
  const made: Scene = {
    session: new DagSession({ feed, changed: () => undefined }),
    asked,
    isFollowing: () => seen !== null,
    tell: (blocks) => seen?.(blocks),
    fails: false,
  };
  return made;
}

/** Lets the answers that are there arrive. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

describe("a replay", () => {
  it("plays from the minute of its address and loads ahead", async () => {
    const { session, asked } = scene();
    session.start({ atMs: 50 * MINUTE_MS, speed: 20 });
    await settle();
    expect(asked).toEqual([50, 51, 52]);
    expect(session.layout.size).toBe(1);
    for (let frame = 0; frame < 8; frame += 1) session.tick(250);
    expect(session.status.atMs).toBe(50 * MINUTE_MS + 40_000);
    expect(session.layout.size).toBe(5);
    expect(session.status).toMatchObject({ mode: "replay", isPlaying: true, seen: 5 });
    session.stop();
  });

  it("shows all of a minute and stands still at speed 0", async () => {
    const { session } = scene();
    session.start({ atMs: 50 * MINUTE_MS, speed: 0 });
    await settle();
    expect(session.layout.size).toBe(6);
    expect(session.status.isPlaying).toBe(false);
    session.stop();
  });

  it("pauses, steps from block to block, and goes back", async () => {
    const { session } = scene();
    session.start({ atMs: 50 * MINUTE_MS, speed: 1 });
    await settle();
    session.pause();
    session.tick(250);
    expect(session.status.atMs).toBe(50 * MINUTE_MS);
    session.step();
    session.step();
    expect(session.status.atMs).toBe(50 * MINUTE_MS + 20_000);
    expect(session.layout.size).toBe(3);
    session.seek(50 * MINUTE_MS + 10_000);
    await settle();
    expect(session.layout.size).toBe(2);
    session.stop();
  });

  it("hands over to live where the present begins, and keeps what is drawn", async () => {
    const made = scene();
    const { session } = made;
    session.start({ atMs: 99 * MINUTE_MS, speed: 600 });
    await settle();
    expect(made.isFollowing()).toBe(false);
    session.tick(250);
    session.tick(250);
    expect(session.status.mode).toBe("live");
    expect(session.layout.size).toBe(6);
    expect(made.isFollowing()).toBe(true);
    made.tell([block("new", NOW)]);
    expect(session.layout.size).toBe(7);
    session.stop();
    expect(made.isFollowing()).toBe(false);
  });

  it("waits for a minute that is late, and says so", () => {
    const { session } = scene();
    session.start({ atMs: 50 * MINUTE_MS, speed: 1 });
    session.tick(250);
    expect(session.status).toMatchObject({ isWaiting: true, atMs: 50 * MINUTE_MS });
    session.stop();
  });

  it("says that the source fails, and does not ask more often for it", async () => {
    const made = scene();
    made.fails = true;
    made.session.start({ atMs: 50 * MINUTE_MS, speed: 1 });
    await settle();
    for (let frame = 0; frame < 50; frame += 1) made.session.tick(16);
    await settle();
    expect(made.asked).toEqual([50]);
    expect(made.session.status.isFailing).toBe(true);
    made.session.stop();
  });

  it("of a minute that is not over is live", () => {
    const made = scene();
    made.session.start({ atMs: NOW, speed: 1 });
    expect(made.session.status.mode).toBe("live");
    made.session.stop();
  });
});

describe("live", () => {
  it("takes what comes, says when nothing does, and counts what left the chain", () => {
    const { session, tell } = scene();
    session.start(null);
    tell([block("a", 1), block("b", 2, { parents: ["a"] })]);
    tell(null);
    expect(session.status).toMatchObject({ isFailing: true, seen: 2 });
    tell([
      block("b", 2, { parents: ["a"], isChainBlock: false, color: "red" }),
      block("c", 3, { parents: ["a"] }),
    ]);
    expect(session.status).toMatchObject({ isFailing: false, seen: 3, leftChain: 1 });
    session.stop();
  });
});
