/** The nodes of a seeder, in memory and in their file. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder, type TemporaryFolder } from "../platform/testkit/temporaryFolder.ts";
import { SEEDER_LIMITS } from "./seederLimits.ts";
import { addressText, isRoutable, type NetAddress } from "../platform/net/netAddress.ts";
import { NodeBook } from "./nodeBook.ts";
import { readNodeFile, writeNodeFile } from "./nodeFile.ts";

const at = (ip: string, port = 7): NetAddress => ({ ip, port });
const NOW_MS = 1_700_000_000_000;

function bookOf(peers: readonly NetAddress[] = []): NodeBook {
  return new NodeBook({ peers, isOfUse: ({ ip }) => isRoutable(ip), random: () => 0.5 });
}

let folder: TemporaryFolder;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

describe("the nodes of a seeder", () => {
  it("are tried when they are due, named when they answer at the right port, forgotten in the end", () => {
    const book = bookOf();
    book.add([at("127.0.0.1")], null, NOW_MS);
    book.add(
      [at("1.0.0.1"), at("1.0.0.2", 8), at("1.0.0.3", 0), at("10.0.0.1")],
      "9.9.9.9",
      NOW_MS,
    );
    expect(book.due(NOW_MS, 9).map(addressText)).toEqual(["127.0.0.1:7", "1.0.0.1:7", "1.0.0.2:8"]);
    expect(book.due(NOW_MS, 1)).toHaveLength(1);
    expect(book.reliable(7, NOW_MS)).toEqual([]);
    book.tried(at("1.0.0.1"), true, NOW_MS);
    book.tried(at("1.0.0.2", 8), true, NOW_MS);
    book.tried(at("127.0.0.1"), false, NOW_MS);
    expect(book.due(NOW_MS, 9)).toEqual([]);
    expect([book.reliable(7, NOW_MS), book.reliable(8, NOW_MS)]).toEqual([
      ["1.0.0.1"],
      ["1.0.0.2"],
    ]);
    expect(book.due(NOW_MS + SEEDER_LIMITS.seederRetryMs, 9)).toHaveLength(2);
    for (let time = 0; time < SEEDER_LIMITS.seederFailures; time += 1) {
      book.tried(at("127.0.0.1"), false, NOW_MS);
    }
    book.forget(at("1.0.0.2", 8));
    book.tried(at("1.0.0.2", 8), true, NOW_MS);
    expect(book.nodes().map(({ address }) => addressText(address))).toEqual(["1.0.0.1:7"]);
  });

  it("are not displaced by a flood of others", () => {
    const book = bookOf();
    book.add([at("1.0.0.1")], "9.9.9.9", NOW_MS);
    book.tried(at("1.0.0.1"), true, NOW_MS);
    const flood = Array.from({ length: 40_000 }, (_, n) =>
      at(`${1 + (n % 9)}.${(n >> 8) & 255}.${n & 255}.${n % 200}`),
    );
    for (let giver = 0; giver < 16; giver += 1) {
      book.add(flood.slice(giver * 2_500, (giver + 1) * 2_500), `9.9.9.${giver}`, NOW_MS);
    }
    expect(book.size).toBeLessThanOrEqual(SEEDER_LIMITS.seederNodes);
    expect(book.reliable(7, NOW_MS)).toEqual(["1.0.0.1"]);
    book.add(flood, "9.9.8.8", NOW_MS);
    const given = book.nodes().filter(({ giver }) => giver === "9.9.8.8");
    expect(given.length).toBeLessThanOrEqual(SEEDER_LIMITS.seederNodesPerGiver);
  });

  it("are visited however many addresses are told of meanwhile, and those tell in their turn", () => {
    const book = bookOf();
    const [known, early] = [at("1.0.0.1"), at("1.0.0.2")];
    book.add([known], "9.9.9.9", NOW_MS);
    book.tried(known, true, NOW_MS);
    book.add([early], "9.9.9.9", NOW_MS);
    const dueMs = NOW_MS + SEEDER_LIMITS.seederRetryMs;
    const flood = Array.from({ length: 300 }, (_, n) => at(`2.${n & 255}.${n >> 8}.1`));
    book.add(flood, "9.9.9.8", NOW_MS + 1);
    expect(book.due(dueMs, 2)).toEqual([early, known]);
    expect(book.due(dueMs, 100)).toHaveLength(51);
    // Once it was asked in vain an address waits for its time like any other.
    book.tried(early, false, NOW_MS);
    expect(book.due(NOW_MS + 2 * SEEDER_LIMITS.seederRetryMs, 400)).toHaveLength(201);
    expect(book.due(NOW_MS + 2 * SEEDER_LIMITS.seederRetryMs, 1_000)).toContainEqual(early);
  });

  it("are the operator's own for ever, and are tried as often as those that answer", () => {
    const own = at("127.0.0.1");
    const book = bookOf([own]);
    expect(book.isLost).toBe(true);
    book.addPeers(NOW_MS);
    expect(book.isLost).toBe(false);
    const far = NOW_MS + 2 * SEEDER_LIMITS.seederForgetMs;
    book.tried(own, true, NOW_MS);
    for (let time = 0; time <= SEEDER_LIMITS.seederFailures; time += 1) book.tried(own, false, far);
    expect(book.nodes().map(({ address }) => address)).toEqual([own]);
    expect(book.isLost).toBe(true);
    expect(book.due(far + SEEDER_LIMITS.seederRetryMs - 1, 1)).toEqual([]);
    expect(book.due(far + SEEDER_LIMITS.seederRetryMs, 1)).toEqual([own]);
    book.add([at("1.0.0.1")], "9.9.9.9", far);
    expect(book.isLost).toBe(false);
    book.forget(own);
    book.addPeers(far);
    expect(book.size).toBe(2);
  });

  it("do not stay for ever as a clock wrote them that was ahead", () => {
    const book = bookOf();
    const ahead = NOW_MS + 10 * SEEDER_LIMITS.seederForgetMs;
    book.add([at("1.0.0.1"), at("1.0.0.2")], "9.9.9.9", ahead);
    book.tried(at("1.0.0.1"), true, ahead);
    expect(book.due(NOW_MS, 9).map(addressText)).toEqual(["1.0.0.1:7", "1.0.0.2:7"]);
    const again = bookOf();
    again.restore(book.nodes(), NOW_MS);
    const times = again.nodes().map(({ history }) => [history.lastTryMs, history.lastSuccessMs]);
    expect(times).toEqual(
      expect.arrayContaining([
        [null, null],
        [NOW_MS, NOW_MS],
      ]),
    );
    expect(again.reliable(7, NOW_MS + SEEDER_LIMITS.seederFreshMs)).toEqual(["1.0.0.1"]);
    expect(again.reliable(7, NOW_MS + SEEDER_LIMITS.seederFreshMs + 1)).toEqual([]);
  });

  it("survive in a file", async () => {
    const path = join(folder.path, "nodes.json");
    expect(await readNodeFile(path)).toEqual([]);
    const book = bookOf();
    book.add([at("1.0.0.1"), at("2001:4860::1")], "9.9.9.9", NOW_MS);
    book.tried(at("1.0.0.1"), true, NOW_MS);
    await writeNodeFile(path, book.nodes());
    const again = bookOf();
    again.restore(await readNodeFile(path), NOW_MS);
    expect(again.nodes().toSorted(byText)).toEqual(book.nodes().toSorted(byText));
    expect(await readdir(folder.path)).toEqual(["nodes.json"]);
  });

  it("are refused in a damaged file", async () => {
    const path = join(folder.path, "damaged.json");
    const book = bookOf();
    book.add([at("1.0.0.1")], null, NOW_MS);
    await writeNodeFile(path, book.nodes());
    const text = await readFile(path, "utf8");
    for (const broken of [
      text.slice(1),
      text.replace('"version":1', '"version":2'),
      text.replace("1.0.0.1", "1.0.0"),
      text.replace('"tries":0', '"tries":-1'),
      text.replace(/"windows":\[\{[^}]*\},/, '"windows":['),
    ]) {
      expect(broken).not.toBe(text);
      await writeFile(path, broken);
      await expect(readNodeFile(path)).rejects.toMatchObject({ code: "store/corrupt" });
    }
  });
});

function byText(a: { address: NetAddress }, b: { address: NetAddress }): number {
  return addressText(a.address) < addressText(b.address) ? -1 : 1;
}
