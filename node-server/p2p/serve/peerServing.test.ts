/** Serving within bounds, and what the flows say. Questions are answered by the test. */
import { beforeEach, describe, expect, it } from "vitest";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pName, P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { linkedPeer, settle } from "../testkit/linkedPeer.ts";
import { PeerServing } from "./peerServing.ts";
import type { ServedPage, ServeQuestion } from "./serveMessages.ts";
import { pageOf, unexpectedPoint } from "./servedPage.ts";
import { servingFlows } from "./servingFlows.ts";

const hashOf = (number: number): string => asBlockHash(number.toString(16).padStart(64, "0"));
const wire = (number: number) => ({ bytes: decodeHex(hashOf(number)) });
const NOTHING = {};
const POINT = hashOf(9);
/** More than a peer says before it is asked. */
const LOTS = 1_000;

let clock = new ManualClock(0n);
let asked: ServeQuestion[] = [];
let answer: (question: ServeQuestion) => ServedPage | Promise<ServedPage>;
let serving: PeerServing;
beforeEach(() => {
  clock = new ManualClock(0n);
  asked = [];
  answer = () => pageOf([], null);
  const ask = async (question: ServeQuestion): Promise<ServedPage> => {
    asked.push(question);
    return answer(question);
  };
  serving = new PeerServing({ host: { ask }, clock });
});

const entry: P2pPayload = {
  $case: "blockWithTrustedDataV4",
  value: { block: undefined, daaWindowIndices: [], ghostdagDataIndices: [] },
};
const done: P2pPayload = { $case: "doneBlocksWithTrustedData", value: NOTHING };
const chunk: P2pPayload = { $case: "smtLaneChunk", value: { entries: [] } };
const metadata: P2pPayload = {
  $case: "smtMetadata",
  value: { data: new Uint8Array(), activeLanesCount: 1n },
};
const headers: P2pPayload = { $case: "blockHeaders", value: { blockHeaders: [] } };
const times = (count: number, payload: P2pPayload): P2pPayload[] =>
  Array.from({ length: count }, () => payload);

function connect(names: readonly P2pName[], key = "peer", services = 0n) {
  const { peer, remote, start } = linkedPeer(clock, servingFlows(serving), key, { services });
  const route = remote.route(names, { capacity: LOTS });
  start();
  const heard: string[] = [];
  const hear = async (): Promise<void> => {
    for (;;) heard.push((await route.next(null)).payload.$case);
  };
  hear().catch(() => undefined);
  return { peer, link: peer.link, remote, heard };
}

describe("what a peer is served", () => {
  it("is a stream of entries that it asks to go on", async () => {
    answer = (question) => {
      if (question.kind === "points") return pageOf([], POINT);
      if (question.kind !== "entries") return unexpectedPoint();
      const from = Number(question.cursor ?? 0);
      // 99 entries and one more, in three pages.
      if (from < 2) return pageOf(times(33, entry), String(from + 1));
      return pageOf([...times(34, entry), done], null);
    };
    const { remote, heard } = connect(["blockWithTrustedDataV4", "doneBlocksWithTrustedData"]);
    remote.send({ $case: "requestPruningPointAndItsAnticone", value: NOTHING });
    await settle();
    expect(heard).toHaveLength(P2P_LIMITS.p2pEntriesWindow);
    remote.send({ $case: "requestNextPruningPointAndItsAnticoneBlocks", value: NOTHING });
    await settle();
    expect(heard).toHaveLength(P2P_LIMITS.p2pEntriesWindow + 2);
    expect(heard.at(-1)).toBe("doneBlocksWithTrustedData");
    expect(asked).toEqual([
      { kind: "points" },
      { kind: "entries", point: POINT, cursor: null },
      { kind: "entries", point: POINT, cursor: "1" },
      { kind: "entries", point: POINT, cursor: "2" },
    ]);
  });

  it("is asked for again when the store was opened anew under the question, but not for ever", async () => {
    let failures = 1;
    answer = () => {
      failures -= 1;
      if (failures >= 0) throw new SvcError("engine/restarted", {});
      return pageOf([headers], null);
    };
    const { remote, heard, link } = connect(["blockHeaders"]);
    const request: P2pPayload = {
      $case: "requestHeaders",
      value: { lowHash: wire(1), highHash: wire(2) },
    };
    remote.send(request);
    await settle();
    expect(heard).toEqual(["blockHeaders"]);
    failures = 2;
    remote.send(request);
    expect((await link.ended).code).toBe("engine/restarted");
  });

  it("is chunks, of which the last window is not waited behind", async () => {
    answer = (question) => {
      if (question.kind !== "lanes") return unexpectedPoint();
      if (question.cursor === null) return pageOf([metadata], "1");
      const at = Number(question.cursor);
      return pageOf([chunk], at < 20 ? String(at + 1) : null);
    };
    const { remote, heard, link } = connect(["smtMetadata", "smtLaneChunk"]);
    const request: P2pPayload = {
      $case: "requestPruningPointSmtState",
      value: { hash: wire(9) },
    };
    remote.send(request);
    await settle();
    expect(heard).toHaveLength(1 + P2P_LIMITS.p2pChunksWindow);
    remote.send({ $case: "requestNextPruningPointSmtChunk", value: NOTHING });
    await settle();
    expect(heard).toHaveLength(1 + 2 * P2P_LIMITS.p2pChunksWindow);
    // The flow is ready for another request: it waits for no sign that it may go on.
    remote.send(request);
    await settle();
    expect(heard).toHaveLength(2 + 3 * P2P_LIMITS.p2pChunksWindow);
    expect(link.signal.aborted).toBe(false);
    remote.send(request);
    expect((await link.ended).code).toBe("p2p/unexpected-message");
  });

  it("is pages of headers until there are no more, or from a new beginning", async () => {
    answer = (question) => {
      if (question.kind !== "headers") return unexpectedPoint();
      const low = Number.parseInt(question.low, 16);
      if (low >= 3) return pageOf([{ $case: "doneHeaders", value: NOTHING }], null);
      return pageOf([headers], hashOf(low + 1));
    };
    const { remote, heard, link } = connect(["blockHeaders", "doneHeaders"]);
    const from = (low: number): P2pPayload => ({
      $case: "requestHeaders",
      value: { lowHash: wire(low), highHash: wire(7) },
    });
    const more: P2pPayload = { $case: "requestNextHeaders", value: NOTHING };
    for (const request of [from(1), from(2), more]) remote.send(request);
    await settle();
    expect(heard).toEqual(["blockHeaders", "blockHeaders", "doneHeaders"]);
    remote.send(more);
    expect((await link.ended).code).toBe("p2p/unexpected-message");
  });

  it("comes in parts under the route that asked", async () => {
    const block: P2pPayload = { $case: "blockBody", value: { transactions: [] } };
    answer = (question) => {
      if (question.kind !== "blocks") return unexpectedPoint();
      const left = question.hashes.length / 32;
      return pageOf(times(Math.min(left, 2), block), left > 2 ? "2" : null);
    };
    const { remote, link } = connect([]);
    const hashes = [1, 2, 3, 4, 5].map(wire);
    const { route } = remote.converse(
      { $case: "requestBlockBodies", value: { hashes } },
      ["blockBody"],
      LOTS,
    );
    for (let count = 0; count < 5; count += 1) await route.next(null);
    expect(asked.map((each) => each.kind === "blocks" && each.hashes.at(-1))).toEqual([5, 5, 5]);
    const many = Array.from({ length: P2P_LIMITS.p2pBlocksAsked + 1 }, () => wire(1));
    remote.send({ $case: "requestIbdBlocks", value: { hashes: many } });
    expect((await link.ended).code).toBe("p2p/bad-message");
  });

  it("says more of the state to those who announced that they take it", async () => {
    answer = () => unexpectedPoint();
    for (const services of [0n, 1n]) {
      const { remote } = connect(["unexpectedPruningPoint"], `peer ${services}`, services);
      remote.send({ $case: "requestPruningPointShieldedState", value: { hash: wire(9) } });
      await settle();
    }
    const first = { kind: "state", point: POINT, cursor: null };
    expect(asked).toEqual([
      { ...first, isExtended: false },
      { ...first, isExtended: true },
    ]);
  });

  it("ends with the error of what cannot be answered", async () => {
    answer = () => Promise.reject(new SvcError("chain/unknown-block", { hash: hashOf(1) }));
    const { remote, link } = connect([]);
    remote.send({ $case: "requestRelayBlocks", value: { hashes: [wire(1)] } });
    expect((await link.ended).code).toBe("chain/unknown-block");
  });
});

describe("the bounds of serving", () => {
  it("are one question of a host at a time, which it keeps when its link ends", async () => {
    const { promise, resolve } = Promise.withResolvers<ServedPage>();
    answer = () => promise;
    const first = connect([]);
    const ask = { kind: "blockLocator", high: POINT, limit: 1 } as const;
    const gone = serving.give(first.peer, ask);
    await settle();
    first.link.end(new SvcError("p2p/closed", {}));
    await expect(gone).rejects.toMatchObject({ code: "run/aborted" });
    const again = serving.give(connect([]).peer, ask);
    await settle();
    expect(asked).toHaveLength(1);
    resolve(pageOf([], null));
    expect(await again).toBeNull();
    expect(asked).toHaveLength(2);
  });

  it("let a peer have so many exports, and then one after a time", async () => {
    const { peer } = connect([]);
    for (let count = 0; count < P2P_LIMITS.p2pServedExports; count += 1)
      await serving.payExport(peer);
    let isPaid = false;
    const next = serving.payExport(peer).then(() => (isPaid = true));
    await settle();
    clock.advance(P2P_LIMITS.p2pServedExportMs - 1);
    await settle();
    expect(isPaid).toBe(false);
    clock.advance(1);
    await next;
    // Under another name it is the same host.
    const other = connect([], "another");
    const waits = serving.payExport(other.peer);
    other.link.end(new SvcError("p2p/closed", {}));
    await expect(waits).rejects.toMatchObject({ code: "run/aborted" });
  });

  it("let a peer have so many bytes, and then what comes with time", async () => {
    const page = pageOf([done], null);
    const size = page.messages[0]?.length ?? 0;
    const rates = {
      bytes: { perSecond: 1_000 * size, burst: 2 * size },
      exports: { perSecond: 1, burst: 1 },
    };
    answer = () => page;
    const ask = async (question: ServeQuestion): Promise<ServedPage> => {
      asked.push(question);
      return answer(question);
    };
    const bounded = new PeerServing({ host: { ask }, clock, rates });
    const { peer } = connect(["doneBlocksWithTrustedData"]);
    for (let count = 0; count < 2; count += 1) await bounded.give(peer, { kind: "proof" });
    const next = bounded.give(peer, { kind: "proof" });
    await settle();
    expect(asked).toHaveLength(2);
    clock.advance(1);
    await next;
    expect(asked).toHaveLength(3);
  });

  it("end the link of whoever never asks for the rest of a stream", async () => {
    answer = (question) =>
      question.kind === "points" ? pageOf([], POINT) : pageOf(times(100, entry), null);
    const { remote, link } = connect(["blockWithTrustedDataV4"]);
    remote.send({ $case: "requestPruningPointAndItsAnticone", value: NOTHING });
    await settle();
    clock.advance(P2P_LIMITS.p2pServeNextMs);
    expect((await link.ended).code).toBe("p2p/stalled");
  });

  it("are one for all that waits: nothing more is read for a host that does not take what it asked for", async () => {
    const lazy = linkedPeer(clock, servingFlows(serving), "lazy");
    lazy.start();
    const stuck = Promise.withResolvers<void>();
    const page = pageOf([done], null);
    const [message = new Uint8Array()] = page.messages;
    // As long as what may wait, without its memory.
    const large = new Proxy(message, {
      get: (target, name) =>
        name === "length" ? P2P_LIMITS.p2pServedHeldBytes : Reflect.get(target, name),
    });
    answer = () => ({ messages: [message, large], next: null });
    const held = serving.give(lazy.peer, { kind: "proof" }, { afterEach: () => stuck.promise });
    await settle();
    const other = linkedPeer(clock, servingFlows(serving), "other");
    other.start();
    // However many questions of it wait, each looks again when its turn comes.
    const waits = serving.give(other.peer, { kind: "points" });
    await settle();
    expect(asked).toHaveLength(1);
    lazy.peer.link.end(new SvcError("p2p/closed", {}));
    stuck.reject(new SvcError("run/aborted", {}));
    await expect(held).rejects.toMatchObject({ code: "run/aborted" });
    answer = () => pageOf([], null);
    expect(await waits).toBeNull();
    expect(asked).toHaveLength(2);
  });
});
