/** Asking seeders, over real DNS messages on loopback. */
import { afterEach, describe, expect, it } from "vitest";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { createLog } from "../../platform/log/log.ts";
import { addressText } from "../../platform/net/netAddress.ts";
import { startNameServer, type TestNameServer, type Zone } from "../testkit/nameServer.ts";
import { createAskSeeders, createNamedSeeders } from "./askSeeders.ts";

const servers: TestNameServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

const never = new AbortController().signal;

async function setUp(zone: Zone, seeders: readonly string[], outbound = 8) {
  const server = await startNameServer(zone);
  servers.push(server);
  const ask = createAskSeeders({
    seeders,
    port: 16_111,
    outbound,
    // The order of the names.
    random: () => 0,
    nameServers: [server.address],
    log: createLog("silent"),
  });
  if (ask === null) throw new Error("there is nobody to ask");
  return { ask, server };
}

const two: Zone = {
  "one.test": { a: ["1.0.0.1", "1.0.0.2"], aaaa: ["2a00:1450::1"] },
  "two.test": { a: ["1.0.0.2", "1.0.0.3", "10.0.0.1", "127.0.0.1"] },
};

describe("seeders", () => {
  it("are all asked at once when most peers are missing; every address once, at the port of the network", async () => {
    const { ask, server } = await setUp(two, ["one.test", "two.test"]);
    const found = await ask(16, never);
    expect(found.map(addressText).toSorted()).toEqual([
      "1.0.0.1:16111",
      "1.0.0.2:16111",
      "1.0.0.3:16111",
      "[2a00:1450::1]:16111",
    ]);
    expect(server.asked.toSorted()).toEqual([
      "one.test A",
      "one.test AAAA",
      "two.test A",
      "two.test AAAA",
    ]);
  });

  it("are asked one after the other when few are missing, until there are enough", async () => {
    const { ask, server } = await setUp(two, ["one.test", "two.test"]);
    expect(await ask(3, never)).toHaveLength(3);
    expect(server.asked.toSorted()).toEqual(["one.test A", "one.test AAAA"]);
    expect(await ask(4, never)).toHaveLength(4);
    expect(server.asked).toHaveLength(6);
  });

  it("that know nothing are passed over, and those that say too much are cut short", async () => {
    const many = Array.from({ length: P2P_LIMITS.p2pSeedAnswers + 1 }, (_, at) => `1.0.${at}.1`);
    const { ask } = await setUp({ "empty.test": {}, "m.t": { a: many } }, ["empty.test", "m.t"], 1);
    expect(await ask(2, never)).toHaveLength(P2P_LIMITS.p2pSeedAnswers);
  });

  it("are given up when the caller does", async () => {
    const { ask, server } = await setUp({}, ["silent.test"]);
    const stop = new AbortController();
    const asking = ask(16, stop.signal);
    while (server.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await expect(asking).rejects.toMatchObject({ code: "run/aborted" });
    await expect(ask(16, stop.signal)).rejects.toMatchObject({ code: "run/aborted" });
  });

  it("are peers of that name where a proxy dials, a few at a time, and nobody is asked", async () => {
    const seeders = ["one.test", "two.test", "three.test"];
    const ask = createNamedSeeders({ seeders, port: 5, random: () => 0 });
    const found = (await ask?.(16, never)) ?? [];
    expect(found).toHaveLength(P2P_LIMITS.p2pSeedersDialled);
    for (const { ip, port } of found) expect([seeders.includes(ip), port]).toEqual([true, 5]);
    expect(createNamedSeeders({ seeders: [], port: 5, random: () => 0 })).toBeNull();
  });

  it("are not asked where there are none", () => {
    const parts = { seeders: [], port: 1, outbound: 8, random: () => 0, log: createLog("silent") };
    expect(createAskSeeders(parts)).toBeNull();
  });
});
