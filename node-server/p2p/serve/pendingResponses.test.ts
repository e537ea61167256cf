import { expect, it } from "vitest";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { settle } from "../testkit/linkedPeer.ts";
import { PendingResponses } from "./pendingResponses.ts";

const never = new AbortController().signal;

it("a host that does not read holds up its own answers alone", async () => {
  const held = new PendingResponses();
  const lazy = held.take("lazy", P2P_LIMITS.p2pServedHostBytes);
  expect([held.hasRoom("lazy"), held.hasRoom("other")]).toEqual([false, true]);
  let came = false;
  const waits = held.room("lazy", never).then(() => (came = true));
  await settle();
  expect(came).toBe(false);
  lazy.give(1);
  await waits;
  lazy.giveAll();
  lazy.giveAll();
  expect(held.hasRoom("lazy")).toBe(true);
});

it("all hosts together have a bound, and whoever has nothing waiting a little more", () => {
  const held = new PendingResponses();
  const hosts = P2P_LIMITS.p2pServedHeldBytes / P2P_LIMITS.p2pServedHostBytes;
  const small = held.take("some", 1);
  const taken = Array.from({ length: hosts }, (_, at) =>
    held.take(`host ${at}`, P2P_LIMITS.p2pServedHostBytes),
  );
  expect([held.hasRoom("some"), held.hasRoom("none")]).toEqual([false, true]);
  const more = held.take("large", P2P_LIMITS.p2pServedHeldMaxBytes - P2P_LIMITS.p2pServedHeldBytes);
  expect(held.hasRoom("none")).toBe(false);
  for (const answer of [...taken, more, small]) answer.giveAll();
  expect([held.hasRoom("some"), held.hasRoom("none")]).toEqual([true, true]);
});
