/** Tests of fetching anchor bindings: which peers are asked, and that a false binding ends the link of its sender. */
import { beforeEach, describe, expect, it } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { SERVICES } from "@svc/shared/protocol/p2p/p2pServices.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import type { Peer } from "../peers/peer.ts";
import { linkedPeer } from "../testkit/linkedPeer.ts";
import { bindAnchors } from "./bindAnchors.ts";
import { SyncMeter } from "./syncMeter.ts";
import { hashOf, wireHash } from "./testkit/numberedChain.ts";

const clock = new ManualClock(0n);
const { signal } = new AbortController();
const WANTED = 5;

/** An import that wants five bindings; one whose data say so is false, or shows that the state is. */
class FakeImport {
  bound = 0;
  isWaived = false;
  fails: SvcError<"import/wrong-binding" | "import/wrong-entry"> | null = null;

  readonly wantsBindings = async (): Promise<boolean> => this.bound < WANTED && !this.isWaived;
  readonly bindings = async (rows: Uint8Array): Promise<void> => {
    if (this.fails !== null) {
      const fault = this.fails;
      this.fails = null;
      throw fault;
    }
    this.bound += rows.length / ROW;
  };
  readonly waiveBindings = async (): Promise<void> => {
    this.isWaived = true;
  };
}
/** Block, length, one byte. */
const ROW = 32 + 4 + 1;

let staged = new FakeImport();
let asked: string[] = [];
beforeEach(() => {
  staged = new FakeImport();
  asked = [];
});

/** A peer that has so many rows; -1 stands for one of another point. */
function giver(name: string, rows: number, services: bigint = SERVICES.anchorBindings): Peer {
  const { peer, remote, start } = linkedPeer(clock, [], name, { services });
  const requests = remote.route(["requestAnchorBindings"]);
  start();
  const serve = async (): Promise<void> => {
    for (;;) {
      await requests.next(null);
      asked.push(name);
      if (rows < 0) remote.send({ $case: "unexpectedPruningPoint", value: {} });
      else {
        const entries = Array.from({ length: rows }, (_, row) => {
          return { block: wireHash(row).bytes, data: Uint8Array.of(row) };
        });
        const half = Math.floor(rows / 2);
        const parts = [entries.slice(0, half), entries.slice(half)];
        for (const [at, part] of parts.entries()) {
          const value = { entries: part, done: at === 1 };
          remote.send({ $case: "anchorBindingChunk", value });
        }
      }
    }
  };
  void serve().catch(() => undefined);
  return peer;
}

function bind(peer: Peer, ...others: Peer[]): Promise<string> {
  const meter = new SyncMeter(clock);
  const log = createLog("silent");
  const steadyMs = (): bigint => clock.steadyMs();
  const parts = { staged, peer, others: () => [peer, ...others], meter, steadyMs, signal, log };
  return rejectionCode(bindAnchors(parts, hashOf(1)), "done");
}

describe("old anchors of a claimed state", () => {
  it("are bound by the peer that claims them, where it can", async () => {
    expect(await bind(giver("goal", WANTED), giver("other", WANTED))).toBe("done");
    expect([asked, staged.bound, staged.isWaived]).toEqual([["goal"], WANTED, false]);
  });

  it("are bound by another, where the peer has another point or knows nothing of it", async () => {
    const foreign = giver("foreign", WANTED, SERVICES.extendedState);
    expect(await bind(foreign, giver("moved", -1), giver("able", WANTED))).toBe("done");
    expect([asked, staged.bound]).toEqual([["moved", "able"], WANTED]);
    const moved = giver("moved", -1);
    staged = new FakeImport();
    expect(await bind(moved, giver("able", WANTED))).toBe("done");
    // Its link goes on: it did nothing wrong, and more is asked of it.
    expect([staged.bound, moved.link.signal.aborted]).toEqual([WANTED, false]);
  });

  it("are taken as they came where nobody can bind them", async () => {
    expect(await bind(giver("foreign", WANTED, 0n), giver("moved", -1))).toBe("done");
    expect([asked, staged.bound, staged.isWaived]).toEqual([["moved"], 0, true]);
  });

  it("cost another peer its link that binds them falsely, and the next is asked", async () => {
    const liar = giver("liar", WANTED);
    staged.fails = new SvcError("import/wrong-binding", { hash: hashOf(1), reason: "false" });
    expect(await bind(giver("foreign", 0, 0n), liar, giver("able", WANTED))).toBe("done");
    expect([asked, staged.bound]).toEqual([["liar", "able"], WANTED]);
    expect(liar.link.signal.aborted).toBe(true);
  });

  it("end the import that another peer's binding shows to be false, and that one keeps its link", async () => {
    const able = giver("able", WANTED);
    staged.fails = new SvcError("import/wrong-entry", { index: 1, reason: "its root is another" });
    expect(await bind(giver("foreign", 0, 0n), able)).toBe("import/wrong-entry");
    expect(able.link.signal.aborted).toBe(false);
  });
});
