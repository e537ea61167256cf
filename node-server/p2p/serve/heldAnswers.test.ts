import { expect, it } from "vitest";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { settle } from "../testkit/linkedPeer.ts";
import { HeldAnswers } from "./heldAnswers.ts";

const never = new AbortController().signal;

it("a host that does not read holds up its own answers alone", async () => {
  const held = new HeldAnswers();
  const lazy = held.take("lazy", LIMITS.p2pServedHostBytes);
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
  const held = new HeldAnswers();
  const hosts = LIMITS.p2pServedHeldBytes / LIMITS.p2pServedHostBytes;
  const small = held.take("some", 1);
  const taken = Array.from({ length: hosts }, (_, at) =>
    held.take(`host ${at}`, LIMITS.p2pServedHostBytes),
  );
  expect([held.hasRoom("some"), held.hasRoom("none")]).toEqual([false, true]);
  const more = held.take("large", LIMITS.p2pServedHeldMaxBytes - LIMITS.p2pServedHeldBytes);
  expect(held.hasRoom("none")).toBe(false);
  for (const answer of [...taken, more, small]) answer.giveAll();
  expect([held.hasRoom("some"), held.hasRoom("none")]).toEqual([true, true]);
});
