import { setImmediate } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { untilAborted } from "@svc/shared/base/abort.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { mulberry32 } from "../../platform/testkit/mulberry32.ts";
import { IS_FULL, testSeed } from "../../platform/testkit/testRun.ts";
import { ManualClock, type Clock } from "../../platform/time/clock.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { ModelHosted } from "../testkit/modelHosted.ts";
import { pooledPayment, SCANNED_KEY, scannedBlock, stepTo } from "../testkit/scannedChain.ts";
import { FactOutbox } from "./factOutbox.ts";
import { FactSender, type FactSenderParts } from "./factSender.ts";
import { OutboxStore } from "./outboxStore.ts";

const SECRET = "what the scanner signs with";
const RECENT = 100;
const START_MS = 1_000_000n;
/** Lives of a scanner over one database. */
const ROUNDS = IS_FULL ? 40 : 12;

/** A scanner over a database, and the gateway that it tells. */
class Scene {
  readonly clock = new ManualClock(START_MS);
  readonly hosted = new ModelHosted(SECRET, () => this.clock.nowMs());
  /** How long it paused before it tried again, each time. */
  readonly pauses: number[] = [];
  readonly warnings: unknown[] = [];
  readonly lows: bigint[] = [];
  #store: OutboxStore | null = null;
  #sender: FactSender | null = null;
  #outbox: FactOutbox | null = null;
  readonly #folder: string | null;

  private constructor(folder: string | null) {
    this.#folder = folder;
  }

  static async open(folder: string | null = null): Promise<Scene> {
    const scene = new Scene(folder);
    await scene.begin();
    onTestFinished(() => scene.end());
    return scene;
  }

  get outbox(): FactOutbox {
    if (this.#outbox === null) throw new TypeError("not begun");
    return this.#outbox;
  }

  get sender(): FactSender {
    if (this.#sender === null) throw new TypeError("not begun");
    return this.#sender;
  }

  /** How many payments that lost their block are remembered. */
  get orphans(): number {
    return this.#store === null ? 0 : [...this.#store.orphans.all()].length;
  }

  /** Opens the database again; a new one where it is in memory. */
  async begin(scanner = "scanner"): Promise<void> {
    this.#store = await OutboxStore.open(this.#folder);
    this.#outbox = new FactOutbox({ store: this.#store, scanner, clock: this.clock });
    this.#sender = new FactSender(this.#parts(this.#outbox));
  }

  async end(): Promise<void> {
    await this.#sender?.stop();
    await this.#store?.close();
    this.#store = null;
    this.#sender = null;
  }

  /** Lets it tell until this is so. */
  async until(isSo: () => boolean): Promise<void> {
    this.sender.start();
    while (!isSo()) await setImmediate();
  }

  /** Lets it tell all that waits. */
  untilTold(): Promise<void> {
    return this.until(() => this.outbox.waiting === 0n);
  }

  #parts(outbox: FactOutbox): FactSenderParts {
    const pauses: Clock["sleep"] = (ms, signal) => {
      if (ms === GATEWAY_LIMITS.pushAnswerMs) {
        return untilAborted(signal).then(() => Promise.reject(new SvcError("run/aborted", {})));
      }
      this.pauses.push(ms);
      return Promise.resolve();
    };
    const { clock } = this;
    return {
      ...{ outbox, url: "https://pay.example", secret: new Secret(Buffer.from(SECRET)) },
      clock: {
        nowMs: () => clock.nowMs(),
        steadyMs: () => clock.steadyMs(),
        bootMs: () => clock.bootMs(),
        sleep: pauses,
      },
      request: (input, init) => this.hosted.request(input, init),
      log: { info: () => undefined, warn: (facts: unknown) => void this.warnings.push(facts) },
      onLow: (_, sequence) => void this.lows.push(sequence),
    };
  }
}

const minedIn = (hosted: ModelHosted): readonly number[] =>
  hosted.facts.flatMap((fact) => (fact.kind === "mined" ? [fact.index - 0x8000_0000] : []));

describe("facts for a hosted gateway", () => {
  it("are told in numbered batches, in the order of the chain, with the block that was scanned", async () => {
    const scene = await Scene.open();
    scene.outbox.takeStep(stepTo(1, [1, 2]), RECENT);
    scene.outbox.takeStep(stepTo(2, []), RECENT);
    scene.outbox.takeStep(stepTo(3, [3]), RECENT);
    scene.outbox.takePool([pooledPayment(4, "waiting")]);
    await scene.untilTold();
    expect(scene.hosted.applied.map(({ sequence }) => sequence)).toEqual([1n, 2n, 3n]);
    expect(scene.hosted.facts.map(({ kind }) => kind)).toEqual([
      "mined",
      "mined",
      "mined",
      "waiting",
    ]);
    expect(scene.hosted.applied.map(({ tip }) => tip.blueScore)).toEqual([1n, 3n, 3n]);
    expect(scene.hosted.applied[0]).toMatchObject({ scanner: "scanner", seenAtMs: START_MS });
  });

  it("say what a reorganisation took, and are cut into batches of a bound", async () => {
    const scene = await Scene.open();
    const many = Array.from({ length: GATEWAY_LIMITS.pushBatchFacts + 1 }, (_, place) => place);
    scene.outbox.takeStep(stepTo(1, many), RECENT);
    const { common } = stepTo(1, []);
    scene.outbox.takeStep({ common, blocks: [], found: [] }, RECENT);
    await scene.untilTold();
    const lengths = scene.hosted.applied.map(({ facts }) => facts.length);
    expect(lengths).toEqual([200, 1, 200, 1]);
    expect(scene.hosted.facts.filter(({ kind }) => kind === "orphaned")).toHaveLength(201);
  });

  it("are told again with the same number and content after a lost batch, a lost answer and an error", async () => {
    const scene = await Scene.open();
    const tricks = ["lose-batch", "lose-answer", new Response("x", { status: 503 })] as const;
    const left = [...tricks];
    scene.hosted.mischief = () => left.shift() ?? null;
    scene.outbox.takeStep(stepTo(1, [1]), RECENT);
    await scene.untilTold();
    expect(scene.hosted.heard).toEqual([1n, 1n, 1n, 1n]);
    expect(scene.hosted.torn).toEqual([]);
    expect(minedIn(scene.hosted)).toEqual([1]);
    expect(scene.pauses).toEqual([1_000, 2_000, 4_000]);
  });

  it("wait for a gateway that is down, with pauses that grow to a bound, and say so once", async () => {
    const scene = await Scene.open();
    scene.hosted.mischief = () => (scene.pauses.length < 9 ? "lose-batch" : null);
    scene.outbox.takeStep(stepTo(1, [1]), RECENT);
    await scene.untilTold();
    expect(scene.pauses.slice(-3)).toEqual([60_000, 60_000, 60_000]);
    expect(scene.warnings).toHaveLength(1);
    expect(JSON.stringify(scene.warnings)).not.toContain(SECRET);
    expect(scene.sender.problem).toBeNull();
  });

  it("are told again from where the gateway says that it lacks some", async () => {
    const scene = await Scene.open();
    for (const number of [1, 2, 3, 4]) scene.outbox.takeStep(stepTo(number, [number]), RECENT);
    await scene.untilTold();
    // It is put back to an older state.
    scene.hosted.next = 3n;
    scene.hosted.applied.splice(2);
    scene.outbox.takeStep(stepTo(5, [5]), RECENT);
    await scene.untilTold();
    expect(scene.hosted.applied.map(({ sequence }) => sequence)).toEqual([1n, 2n, 3n, 4n, 5n]);
    expect(scene.hosted.torn).toEqual([]);
  });

  it("go on after the number that the gateway had already", async () => {
    const scene = await Scene.open();
    for (const number of [1, 2, 3]) scene.outbox.takeStep(stepTo(number, [number]), RECENT);
    await scene.untilTold();
    const lies = [scene.hosted.says(false, 1n)];
    scene.hosted.mischief = () => lies.shift() ?? null;
    scene.outbox.takeStep(stepTo(4, [4]), RECENT);
    await scene.untilTold();
    expect(scene.hosted.heard).toEqual([1n, 2n, 3n, 4n, 1n, 4n]);
    expect(minedIn(scene.hosted)).toEqual([1, 2, 3, 4]);
  });
});

describe("a gateway that lies", () => {
  const answer = (status: number, body: unknown) => Response.json(body, { status });
  it.each([
    ["a number that was never told", 200, { applied: true, next: "9", low: [] }],
    ["a number below the batch", 200, { applied: true, next: "1", low: [] }],
    ["a gap ahead", 409, { applied: false, next: "9", low: [] }],
    ["a gap where there is none", 409, { applied: false, next: "1", low: [] }],
    ["a number that is none", 200, { applied: true, next: "-1", low: [] }],
    ["a number as a number", 200, { applied: true, next: 2, low: [] }],
    ["yes and no", 409, { applied: true, next: "2", low: [] }],
    ["nothing", 200, null],
    ["too many keys", 200, { applied: true, next: "2", low: Array(257).fill(null) }],
    ["a redirect", 302, { applied: true, next: "2", low: [] }],
    ["another page", 404, "<html>"],
    ["much", 200, "x".repeat(GATEWAY_LIMITS.pushAnswerBytes)],
  ])("by %s moves nothing, and is asked ever more slowly", async (_, status, body) => {
    const scene = await Scene.open();
    scene.hosted.mischief = () => (scene.pauses.length < 3 ? answer(status, body) : null);
    scene.outbox.takeStep(stepTo(1, [1]), RECENT);
    await scene.until(() => scene.pauses.length === 3);
    expect(scene.outbox.next()?.sequence).toBe(1n);
    expect(scene.pauses).toEqual([1_000, 2_000, 4_000]);
    await scene.untilTold();
    expect(minedIn(scene.hosted)).toEqual([1]);
  });

  it("gets a signature and no secret, and cannot send the scanner elsewhere", async () => {
    const scene = await Scene.open();
    const seen: string[] = [];
    const { request } = scene.hosted;
    Object.defineProperty(scene.hosted, "request", {
      value: async (input: string, init: RequestInit) => {
        const { headers, body, redirect } = init;
        const text = body instanceof Uint8Array ? Buffer.from(body).toString() : "";
        seen.push(input, JSON.stringify(headers), text, String(redirect));
        return request(input, init);
      },
    });
    scene.outbox.takeStep(stepTo(1, [1]), RECENT);
    await scene.untilTold();
    expect(seen.join(" ")).not.toContain(SECRET);
    expect(seen[0]).toBe("https://pay.example/ingest/v1/facts");
    expect(seen[3]).toBe("manual");
  });

  it("of another scanner's numbers stops this one until it has another name, which tells all anew", async () => {
    const scene = await Scene.open(folderOfTest());
    scene.outbox.takeStep(stepTo(1, [1]), RECENT);
    await scene.untilTold();
    scene.hosted.next = 40n;
    scene.outbox.takeStep(stepTo(2, [2]), RECENT);
    await scene.until(() => scene.sender.problem !== null);
    expect(scene.sender.problem?.data["reason"]).toContain("another --scanner");
    await scene.end();
    scene.hosted.next = 1n;
    scene.hosted.applied.splice(0);
    await scene.begin("scanner-2");
    expect(scene.outbox.runOf(SCANNED_KEY)).toBeNull();
    await scene.untilTold();
    expect(scene.hosted.applied.map(({ scanner }) => scanner)).toEqual(["scanner-2"]);
    expect(minedIn(scene.hosted)).toEqual([2, 1, 2]);
  });

  it("that wants an earlier batch when the answer to the newest was lost stops nobody", async () => {
    const scene = await Scene.open();
    for (const number of [1, 2, 3]) scene.outbox.takeStep(stepTo(number, [number]), RECENT);
    const tricks = ["lose-answer", scene.hosted.says(false, 1n)] as const;
    let heard = 0;
    scene.hosted.mischief = ({ sequence }) => (sequence === 3n ? (tricks[heard++] ?? null) : null);
    await scene.untilTold();
    expect(scene.hosted.heard).toEqual([1n, 2n, 3n, 3n, 1n]);
    expect(minedIn(scene.hosted)).toEqual([1, 2, 3]);
  });

  it("which has lost an orphaning that it acknowledged hears of it under another name, before what has a block again", async () => {
    const scene = await Scene.open(folderOfTest());
    scene.outbox.takeStep(stepTo(1, [1, 2]), RECENT);
    const { common } = stepTo(1, []);
    scene.outbox.takeStep({ common, blocks: [], found: [] }, RECENT);
    scene.outbox.takeStep(stepTo(2, [2]), RECENT);
    await scene.untilTold();
    await scene.end();
    scene.hosted.next = 1n;
    scene.hosted.applied.splice(0);
    await scene.begin("scanner-2");
    await scene.untilTold();
    const told = scene.hosted.facts.map((fact) => [fact.kind, "index" in fact ? fact.index : null]);
    const first = 0x8000_0000;
    expect(told).toEqual([
      ["orphaned", first + 1],
      ["orphaned", first + 2],
      ["mined", first + 2],
    ]);
  });

  it("is told of orphanings as deep as of payments", async () => {
    const scene = await Scene.open(folderOfTest());
    scene.outbox.takeStep(stepTo(1, [1, 2]), RECENT);
    const { common } = stepTo(1, []);
    scene.outbox.takeStep({ common, blocks: [], found: [] }, RECENT);
    scene.outbox.takeStep(stepTo(Number(GATEWAY_LIMITS.foundKept), []), RECENT);
    expect(scene.orphans).toBe(2);
    scene.outbox.takeStep(stepTo(Number(GATEWAY_LIMITS.foundKept) + 2, []), RECENT);
    expect(scene.orphans).toBe(0);
  });
});

describe("a gateway that another scanner of this name tells as well", () => {
  /** Forgets what was told, as a folder that was put back does, and tells another batch 1. */
  const anotherOne = async (scene: Scene) => {
    scene.outbox.takeStep(stepTo(1, [1]), RECENT);
    await scene.untilTold();
    await scene.end();
    await scene.begin();
    scene.outbox.takeStep(stepTo(2, [2]), RECENT);
  };

  it("acknowledges no other batch of the same number: nothing is told further, and the log says so", async () => {
    const scene = await Scene.open();
    await anotherOne(scene);
    scene.outbox.takeStep(stepTo(3, [3]), RECENT);
    await scene.until(() => scene.pauses.length === 3 || scene.outbox.waiting === 0n);
    expect(scene.sender.problem).toMatchObject({ code: "gateway/bad-answer" });
    expect(scene.sender.problem?.data["reason"]).toContain("another --scanner");
    expect(scene.outbox.next()?.sequence).toBe(1n);
    expect(new Set(scene.hosted.heard)).toEqual(new Set([1n]));
    expect(scene.warnings).toHaveLength(1);
    expect(minedIn(scene.hosted)).toEqual([1]);
  });

  it("is in the log also where the answer before was no answer either", async () => {
    const scene = await Scene.open();
    await anotherOne(scene);
    const tricks = [new Response("<html>", { status: 502 })];
    scene.hosted.mischief = () => tricks.shift() ?? null;
    await scene.until(() => scene.pauses.length === 3 || scene.outbox.waiting === 0n);
    expect(scene.warnings).toHaveLength(2);
  });
});

describe("the outbox", () => {
  it("is bounded: whoever asks the node waits until there is room", async () => {
    const scene = await Scene.open();
    const { signal } = new AbortController();
    const most = GATEWAY_LIMITS.pushWaiting;
    for (let number = 1; number <= most; number += 1) {
      scene.outbox.takeStep(stepTo(number, [number]), RECENT);
    }
    let isThere = false;
    const room = scene.outbox.room(signal).then(() => (isThere = true));
    await setImmediate();
    expect(isThere).toBe(false);
    await scene.until(() => scene.outbox.waiting < BigInt(most));
    await room;
    const cancelled = scene.outbox.room(AbortSignal.abort());
    await expect(cancelled).rejects.toMatchObject({ code: "run/aborted" });
  });

  it("keeps so many batches that were acknowledged, and no more", async () => {
    const scene = await Scene.open();
    for (let number = 1; number <= GATEWAY_LIMITS.pushKept + 3; number += 1) {
      scene.outbox.takeStep(stepTo(number, [number]), RECENT);
    }
    await scene.untilTold();
    expect(scene.outbox.tellAgainFrom(3n)).toBe(false);
    expect(scene.outbox.tellAgainFrom(4n)).toBe(true);
  });

  it("tells the tip alone now and then, and never beside facts that wait", async () => {
    const scene = await Scene.open();
    scene.outbox.takeStep(stepTo(1, [1]), RECENT);
    scene.outbox.takeTip(scannedBlock(1));
    await scene.untilTold();
    expect(scene.hosted.applied).toHaveLength(1);
    const look = async (ms: bigint, number: number): Promise<number> => {
      scene.clock.advance(Number(ms));
      scene.outbox.takeTip(scannedBlock(number));
      await scene.untilTold();
      return scene.hosted.applied.length;
    };
    expect(await look(GATEWAY_LIMITS.pushTipMs - 1n, 2)).toBe(1);
    expect(await look(1n, 2)).toBe(2);
    expect(await look(GATEWAY_LIMITS.pushBeatMs - 1n, 2)).toBe(2);
    expect(await look(1n, 2)).toBe(3);
    expect(scene.hosted.applied.at(-1)).toMatchObject({ facts: [], tip: { blueScore: 2n } });
  });

  it("begins with a block: facts of the pool wait for one", async () => {
    const scene = await Scene.open();
    let isThere = false;
    const waits = scene.outbox.roomAtBlock(new AbortController().signal).then(() => {
      isThere = true;
    });
    await setImmediate();
    expect(isThere).toBe(false);
    scene.outbox.takeStep({ common: null, blocks: [scannedBlock(7)], found: [] }, RECENT);
    await waits;
    expect(scene.outbox.waiting).toBe(0n);
  });

  it("tells after a new start what left the pool while nobody looked, and nothing of what is there or mined", async () => {
    const scene = await Scene.open(folderOfTest());
    scene.outbox.takeStep(stepTo(1, []), RECENT);
    scene.outbox.takePool([1, 2, 3, 4].map((number) => pooledPayment(number, "waiting")));
    scene.outbox.takePool([pooledPayment(4, "gone")]);
    await scene.end();
    await scene.begin();
    scene.outbox.takePool([pooledPayment(2, "waiting")]);
    scene.outbox.takeStep(stepTo(2, [3]), RECENT);
    scene.outbox.endPoolLook();
    scene.outbox.endPoolLook();
    await scene.untilTold();
    const told = scene.hosted.facts.map((fact) => {
      return `${fact.kind} ${fact.kind === "addresses" ? "" : fact.index - 0x8000_0000}`;
    });
    expect(told.slice(4)).toEqual(["gone 4", "waiting 2", "mined 3", "gone 1"]);
    await scene.end();
    await scene.begin();
    scene.outbox.endPoolLook();
    await scene.untilTold();
    expect(scene.hosted.facts.at(-1)).toMatchObject({ kind: "gone", index: 0x8000_0002 });
  });

  it("gives every fact once and in order over ends and lies at random places", async () => {
    const random = mulberry32(testSeed(31));
    const scene = await Scene.open(folderOfTest());
    let chain = 0;
    let payment = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      scene.hosted.mischief = () => {
        const place = random() % 6;
        if (place < 2) return place === 0 ? "lose-batch" : "lose-answer";
        return place === 2 ? scene.hosted.says(random() % 2 === 0, BigInt(random() % 50)) : null;
      };
      for (let count = random() % 4; count > 0; count -= 1) {
        chain += 1;
        scene.outbox.takeStep(stepTo(chain, [(payment += 1)]), RECENT);
      }
      scene.sender.start();
      for (let turns = random() % 30; turns > 0; turns -= 1) await setImmediate();
      await scene.end();
      await scene.begin();
    }
    scene.hosted.mischief = () => null;
    // A lie about the last batch is found out with the next one: the chain goes on.
    scene.outbox.takeStep(stepTo(chain + 1, [(payment += 1)]), RECENT);
    await scene.until(() => scene.hosted.applied.length === payment);
    expect(scene.hosted.torn).toEqual([]);
    expect(minedIn(scene.hosted)).toEqual(Array.from({ length: payment }, (_, at) => at + 1));
  });
});
