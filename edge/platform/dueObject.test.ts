import {
  createScheduledController,
  runDurableObjectAlarm,
  runInDurableObject,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { asTimestampMs, type TimestampMs } from "@svc/shared/base/brand.ts";
import { migrate } from "../testkit/database.ts";
import testWorker, { type ProbeObject } from "../testkit/testWorker.ts";
import { sweepDueTimes } from "./sweepDueTimes.ts";

/** In the year 2100, so that no alarm goes off by itself. */
const T0 = 4_102_444_800_000n;
const MINUTE = 60_000n;
const at = (ms: bigint) => asTimestampMs(T0 + ms);

let db: D1Database;
let number = 0;
beforeEach(async () => {
  db = await migrate();
  await db.prepare("DELETE FROM due_times").run();
  number += 1;
});

const probe = (name = "") => env.PROBES.getByName(`probe ${number} ${name}`);
type Stub = ReturnType<typeof probe>;
const within = <T>(stub: Stub, look: (one: ProbeObject, state: DurableObjectState) => Promise<T>) =>
  runInDurableObject<ProbeObject, T>(stub, look);
const setTime = (stub: Stub, time: TimestampMs) =>
  within(stub, async (one) => {
    one.time = time;
  });
const alarmOf = (stub: Stub) => within(stub, (_, { storage }) => storage.getAlarm());
const loseAlarm = (stub: Stub) => within(stub, (_, { storage }) => storage.deleteAlarm());
const runsOf = (stub: Stub) => within(stub, async ({ runs }) => [...runs]);
const rows = async () =>
  (await db.prepare("SELECT object, due_ms FROM due_times ORDER BY due_ms").all()).results;
const sweep = (now: TimestampMs) => sweepDueTimes(db, now, new Map([["PROBES", env.PROBES]]));

describe("an object that is due", () => {
  it("has its time in its storage, its alarm and a row", async () => {
    const stub = probe();
    await stub.waitUntil(at(MINUTE));
    expect(await stub.waitsFor()).toBe(at(MINUTE));
    expect(await alarmOf(stub)).toBe(Number(at(MINUTE)));
    expect(await rows()).toEqual([{ object: stub.id.toString(), due_ms: Number(at(MINUTE)) }]);
  });

  it("works when its alarm comes, and waits for what its work says", async () => {
    const stub = probe();
    await stub.waitUntil(at(MINUTE));
    await within(stub, async (one) => {
      one.time = at(MINUTE);
      one.work = () => Promise.resolve(at(2n * MINUTE));
    });
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await runsOf(stub)).toEqual([at(MINUTE)]);
    expect(await alarmOf(stub)).toBe(Number(at(2n * MINUTE)));
    await within(stub, async (one) => {
      one.time = at(3n * MINUTE);
      one.work = () => Promise.resolve(null);
    });
    expect(await runDurableObjectAlarm(stub)).toBe(true);
    expect(await runsOf(stub)).toEqual([at(MINUTE), at(3n * MINUTE)]);
    expect([await stub.waitsFor(), await alarmOf(stub), await rows()]).toEqual([null, null, []]);
  });

  it("does nothing at an alarm of an older time", async () => {
    const stub = probe();
    await stub.waitUntil(at(MINUTE));
    await setTime(stub, at(0n));
    await runDurableObjectAlarm(stub);
    expect(await runsOf(stub)).toEqual([]);
    expect(await alarmOf(stub)).toBe(Number(at(MINUTE)));
  });

  it("tries again in seconds when its work fails, and the platform hears of no fault", async () => {
    const stub = probe();
    await stub.waitUntil(at(0n));
    await within(stub, async (one) => {
      one.time = at(0n);
      one.work = () => Promise.reject(new Error("the node is away"));
    });
    await runDurableObjectAlarm(stub);
    expect(await stub.waitsFor()).toBe(at(5_000n));
    expect(await alarmOf(stub)).toBe(Number(at(5_000n)));
  });

  it("has one time everywhere, the last one, when several are set at once", async () => {
    const stub = probe();
    const minutes = [5n, 1n, 9n, 3n];
    await Promise.all(minutes.map((minute) => stub.waitUntil(at(minute * MINUTE))));
    const [found] = await rows();
    const stored = [await stub.waitsFor(), await alarmOf(stub), found?.["due_ms"]].map(Number);
    expect(new Set(stored).size).toBe(1);
    expect(minutes.map((minute) => Number(at(minute * MINUTE)))).toContain(stored[0]);
  });

  it.each([
    [1n, 9n],
    [9n, 1n],
    [1n, null],
  ])(
    "waits for the earlier time where one is set while it works: minutes %i and %s",
    async (set, said) => {
      const stub = probe();
      await stub.waitUntil(at(0n));
      await within(stub, async (one) => {
        one.time = at(0n);
        one.work = async () => {
          await one.waitUntil(at(set * MINUTE));
          return said === null ? null : at(said * MINUTE);
        };
      });
      await runDurableObjectAlarm(stub);
      expect(await stub.waitsFor()).toBe(at(MINUTE));
      expect(await alarmOf(stub)).toBe(Number(at(MINUTE)));
      expect(await rows()).toEqual([{ object: stub.id.toString(), due_ms: Number(at(MINUTE)) }]);
    },
  );

  it("is not lost where its row cannot be written", async () => {
    const stub = probe();
    await stub.waitUntil(at(0n));
    await within(stub, async (one) => {
      one.time = at(0n);
      one.work = () => Promise.resolve(at(MINUTE));
    });
    await db.prepare("ALTER TABLE due_times RENAME TO away").run();
    try {
      await runDurableObjectAlarm(stub);
      expect(await alarmOf(stub)).toBe(Number(at(MINUTE)));
      await within(stub, (one) =>
        expect(one.waitUntil(at(2n * MINUTE))).rejects.toThrow("due_times"),
      );
      expect(await stub.waitsFor()).toBe(at(MINUTE));
    } finally {
      await db.prepare("ALTER TABLE away RENAME TO due_times").run();
    }
    expect(await rows()).toEqual([{ object: stub.id.toString(), due_ms: Number(at(0n)) }]);
    await setTime(stub, at(40_000n));
    await sweep(at(40_000n));
    expect(await rows()).toEqual([{ object: stub.id.toString(), due_ms: Number(at(MINUTE)) }]);
  });
});

describe("the sweep", () => {
  it.each([0n, 1n, 29_999n, 30_000n, 30_001n, 59_999n])(
    "finds a lost alarm within two minutes, the first sweep %i ms behind the due time",
    async (phase) => {
      const stub = probe();
      const due = at(10n * MINUTE);
      await stub.waitUntil(due);
      await loseAlarm(stub);
      expect(await alarmOf(stub)).toBeNull();
      let found: bigint | null = null;
      for (let tick = 0n; found === null && tick < 5n; tick += 1n) {
        const now = asTimestampMs(due + phase + tick * MINUTE);
        await setTime(stub, now);
        await sweep(now);
        if ((await alarmOf(stub)) !== null) found = now - due;
      }
      expect(found).not.toBeNull();
      expect(found ?? 0n).toBeLessThanOrEqual(2n * MINUTE);
      await runDurableObjectAlarm(stub);
      expect(await runsOf(stub)).toEqual([due + (found ?? 0n)]);
      expect(await rows()).toEqual([]);
    },
  );

  it("leaves alone whoever is not due, and whose alarm is a little late", async () => {
    const [later, late] = [probe("later"), probe("late")];
    await later.waitUntil(at(MINUTE));
    await late.waitUntil(at(0n));
    await loseAlarm(later);
    await loseAlarm(late);
    expect(await sweep(at(30_000n))).toEqual({ overdue: 0, failed: 0 });
    expect([await alarmOf(later), await alarmOf(late)]).toEqual([null, null]);
  });

  it("forgets an object that waits for nothing any more", async () => {
    const stub = probe();
    await db
      .prepare("INSERT INTO due_times (kind, object, due_ms) VALUES ('PROBES', ?1, ?2)")
      .bind(stub.id.toString(), Number(at(0n)))
      .run();
    expect(await sweep(at(MINUTE))).toEqual({ overdue: 1, failed: 0 });
    expect(await rows()).toEqual([]);
  });

  it("goes on behind an object that it cannot ask, and asks it again later", async () => {
    const stub = probe();
    await stub.waitUntil(at(0n));
    await setTime(stub, at(MINUTE));
    await loseAlarm(stub);
    await db.prepare("INSERT INTO due_times (kind, object, due_ms) VALUES ('GONE', 'x', 1)").run();
    expect(await sweep(at(MINUTE))).toEqual({ overdue: 2, failed: 1 });
    expect(await alarmOf(stub)).not.toBeNull();
    expect(await sweep(at(MINUTE))).toEqual({ overdue: 0, failed: 0 });
    expect(await sweep(at(2n * MINUTE))).toEqual({ overdue: 2, failed: 1 });
  });

  it("comes with the Worker's Cron", async () => {
    const id = env.INVOICES.idFromName("nobody's").toString();
    await db
      .prepare("INSERT INTO due_times (kind, object, due_ms) VALUES ('INVOICES', ?1, ?2)")
      .bind(id, Number(at(0n)))
      .run();
    const controller = createScheduledController({ scheduledTime: Number(at(MINUTE)) });
    await testWorker.scheduled(controller, env);
    expect(await rows()).toEqual([]);
  });
});
