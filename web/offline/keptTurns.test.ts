/** Retention of cached builds by a service worker: a death, a full disk or a foreign store changes nothing of it. */
import { beforeEach, describe, expect, it } from "vitest";
import { earlierBuild, makeRoom, storeOf, takeTurn, type KeptStores } from "./keptTurns.ts";

/** The stores of a browser. After so many changes its worker dies: every further one fails. */
class ModelStores implements KeptStores {
  names: string[] = [];
  changesLeft = Number.POSITIVE_INFINITY;
  /** Whether nothing more can be stored. */
  isFull = false;

  async keys(): Promise<readonly string[]> {
    return [...this.names];
  }

  async open(name: string): Promise<void> {
    if (this.names.includes(name)) return;
    if (this.isFull) throw new DOMException("full", "QuotaExceededError");
    this.#change();
    this.names.push(name);
  }

  async delete(name: string): Promise<boolean> {
    if (!this.names.includes(name)) return false;
    this.#change();
    this.names = this.names.filter((one) => one !== name);
    return true;
  }

  #change(): void {
    if (this.changesLeft === 0) throw new Error("the worker has died");
    this.changesLeft -= 1;
  }
}

let stores: ModelStores;

beforeEach(() => {
  stores = new ModelStores();
});

/** Builds that are kept. */
const kept = () =>
  stores.names
    .filter((name) => name.startsWith(storeOf("")))
    .map((name) => name.slice(storeOf("").length));

async function install(id: string): Promise<void> {
  await makeRoom(id, stores);
  await stores.open(storeOf(id));
}

async function use(...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await install(id);
    await takeTurn(id, stores);
  }
}

describe("a build that takes over", () => {
  it("leaves the one before for pages that still load, until a later one is fetched", async () => {
    await use("a", "b");
    expect(kept()).toEqual(["a", "b"]);
    expect(earlierBuild("b", stores.names)).toBe("a");
    await install("c");
    expect(kept()).toEqual(["b", "c"]);
    await takeTurn("c", stores);
    expect(kept()).toEqual(["b", "c"]);
    expect(earlierBuild("c", stores.names)).toBe("b");
  });

  it("is never kept beside more than one other, however often they change", async () => {
    const ids = Array.from({ length: 12 }, (_, at) => String(at % 5));
    for (const id of ids) {
      await install(id);
      expect(kept().length).toBeLessThanOrEqual(2);
      await takeTurn(id, stores);
      expect(kept().length).toBeLessThanOrEqual(2);
      expect(kept()).toContain(id);
    }
    // Notes are bounded as well.
    expect(stores.names.length).toBeLessThanOrEqual(4);
  });

  it("follows the one in use, not one that only waited", async () => {
    await use("a", "b");
    await install("waited");
    await use("c");
    expect(kept()).toEqual(["b", "c"]);
    expect(earlierBuild("c", stores.names)).toBe("b");
  });

  it("may be the one before again", async () => {
    await use("a", "b", "a");
    expect(kept().toSorted()).toEqual(["a", "b"]);
    expect(earlierBuild("a", stores.names)).toBe("b");
    await install("c");
    expect(kept()).toEqual(["a", "c"]);
  });

  it("follows a build that noted no turn, and none where there were several", async () => {
    stores.names = [storeOf("old")];
    await use("a");
    expect(kept()).toEqual(["old", "a"]);
    await use("b");
    expect(kept()).toEqual(["a", "b"]);
    stores.names = [storeOf("old"), storeOf("older")];
    await use("c");
    expect(kept()).toEqual(["c"]);
  });
});

it("a later build that is fetched leaves the one in use and one that waits", async () => {
  await use("a", "b");
  await install("waiting");
  await makeRoom("c", stores);
  expect(kept()).toEqual(["b", "waiting"]);
});

it("stores of others stay", async () => {
  stores.names = ["other", "svc-pos-1"];
  await use("a", "b", "c");
  expect(stores.names).toEqual(expect.arrayContaining(["other", "svc-pos-1"]));
});

it("kill: after a death at any change the build in use is whole, and the next ones keep two again", async () => {
  for (let changes = 0; changes < 12; changes += 1) {
    stores = new ModelStores();
    await use("a", "b");
    stores.changesLeft = changes;
    const lived = await use("c").then(
      () => true,
      () => false,
    );
    stores.changesLeft = Number.POSITIVE_INFINITY;
    expect(kept(), `${changes} changes`).toContain("b");
    if (lived) expect(kept()).toContain("c");
    await use("d", "e");
    expect(kept(), `${changes} changes`).toEqual(["d", "e"]);
  }
});

it("a full disk: nothing that is in use goes, and later builds keep two again", async () => {
  await use("a", "b");
  await install("c");
  stores.isFull = true;
  await expect(takeTurn("c", stores)).rejects.toThrow("full");
  expect(kept()).toEqual(["b", "c"]);
  stores.isFull = false;
  await use("d", "e");
  expect(kept()).toEqual(["d", "e"]);
});
