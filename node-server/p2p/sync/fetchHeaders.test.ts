import { beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../../platform/time/clock.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { fetchAntipast, fetchHeaders } from "./fetchHeaders.ts";
import { hashOf, headerMessage } from "./testkit/numberedChain.ts";

let count = 0;
beforeEach(() => {
  count = 0;
});

/** A peer that answers with these pages, and then that this was all. */
function connect(pages: readonly (readonly number[])[]) {
  const { peer, remote, start } = linkedPeer(new ManualClock(0n), []);
  const names = ["requestHeaders", "requestNextHeaders", "requestAntipast"] as const;
  const requests = remote.route(names);
  start();
  const serve = async (): Promise<void> => {
    for (const page of pages) {
      await requests.next(null);
      const value = { blockHeaders: page.map(headerMessage) };
      remote.send({ $case: "blockHeaders", value });
    }
    await requests.next(null);
    remote.send({ $case: "doneHeaders", value: {} });
  };
  serve().catch(() => undefined);
  const parts = {
    link: peer.link,
    insert: async () => [],
    onProgress: (taken: number) => {
      count += taken;
    },
    steadyMs: () => 0n,
    signal: new AbortController().signal,
  };
  return { parts, link: peer.link, remote };
}

const range = { low: hashOf(1), high: hashOf(300) };

describe("headers of a peer's chain", () => {
  it("come page by page", async () => {
    const many = Array.from({ length: 200 }, (_, index) => index + 4);
    await fetchHeaders(connect([[2, 3], many, [300]]).parts, range);
    expect(count).toBe(203);
  });

  it.each([
    [
      "the same page again",
      [
        [2, 3],
        [2, 3],
      ],
    ],
    [
      "a page that goes back",
      [
        [2, 3],
        [4, 2],
      ],
    ],
    ["an empty page", [[2, 3], []]],
  ])("end with %s", async (_, pages) => {
    const { parts } = connect(pages);
    await expect(fetchHeaders(parts, range)).rejects.toMatchObject({ code: "p2p/bad-message" });
    expect(count).toBe(2);
  });

  it("beside a chain are one page", async () => {
    const { parts, remote, link } = connect([[7, 8]]);
    const done = fetchAntipast(parts, { block: hashOf(1), context: hashOf(8) });
    await settle();
    remote.send({ $case: "doneHeaders", value: {} });
    await done;
    expect([count, link.signal.aborted]).toEqual([2, false]);
  });
});
