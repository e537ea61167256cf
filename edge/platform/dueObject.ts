/**
 * Base of Durable Objects that have something to do at a time. The next due time lies in the object's storage and in a row of D1
 * (`dueTimes.ts`); the platform's alarm is only what wakes the object. An alarm that is lost, late or early changes nothing: the
 * sweep (`sweepDueTimes.ts`) calls `rearm`, and what an object does when it is woken is decided by what is stored.
 */
import { DurableObject } from "cloudflare:workers";
import { asTimestampMs, type TimestampMs } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";
import { putDueTime, removeDueTime, type DueRow } from "./dueTimes.ts";
import { edgeNow } from "./edgeClock.ts";

/** What such an object needs of its environment. */
export type DueEnv = { readonly DB: D1Database };

const DUE = "due";

/** A Durable Object that is woken when it is due. */
export abstract class DueObject<Env extends DueEnv> extends DurableObject<Env> {
  /** The last setting of a due time, behind which the next one goes: they reach D1 and the storage in one order. */
  #setting: Promise<unknown> = Promise.resolve();
  /** Settings so far. */
  #settings = 0;

  /** The name under which the sweep finds the class. */
  protected abstract readonly kind: string;

  /** Does what is due; resolves with when it is due next, null for never. After a fault it is called again in a few seconds. */
  protected abstract onDue(now: TimestampMs): Promise<TimestampMs | null>;

  /** The time of day. */
  protected now(): TimestampMs {
    return edgeNow();
  }

  /**
   * Sets when the object is woken next, null for never. D1 hears of it first: behind a fault in the middle the sweep wakes the object
   * for nothing, which is better than never. Rejects with what D1 says, and then nothing has changed for the object.
   */
  protected setDue(due: TimestampMs | null): Promise<void> {
    this.#settings += 1;
    const setting = this.#setting.then(() => this.#set(due));
    this.#setting = setting.catch(() => undefined);
    return setting;
  }

  async #set(due: TimestampMs | null): Promise<void> {
    const { storage } = this.ctx;
    if (due === null) {
      await storage.delete(DUE);
      await storage.deleteAlarm();
      await removeDueTime(this.env.DB, this.#row());
      return;
    }
    if (due === (await this.due()) && Number(due) === (await storage.getAlarm())) return;
    await putDueTime(this.env.DB, this.#row(), due);
    await this.#arm(due);
  }

  /** When the object is woken next; null for never. */
  protected async due(): Promise<TimestampMs | null> {
    const due = await this.ctx.storage.get<bigint>(DUE);
    return due === undefined ? null : asTimestampMs(due);
  }

  /** The platform wakes the object. Never rejects: the platform gives up on an alarm that failed six times. */
  override async alarm(): Promise<void> {
    const due = await this.due();
    if (due === null) return;
    const now = this.now();
    if (due > now) {
      await this.ctx.storage.setAlarm(Number(due));
      return;
    }
    let next: TimestampMs | null = asTimestampMs(now + EDGE_LIMITS.dueRetryMs);
    try {
      const settings = this.#settings;
      next = await this.onDue(now);
      // Whoever has set a time meanwhile knows something that the work did not.
      if (settings !== this.#settings) next = earlier(next, await this.due());
      await this.setDue(next);
    } catch (thrown) {
      console.error(`what is due failed: ${SvcError.from(thrown).code}`);
      // Where D1 failed the row tells of the older time, and the sweep comes too often rather than never.
      if (next !== null) await this.#arm(next);
    }
  }

  /** Called by the sweep: sets the alarm anew where the platform has lost it, and puts the row right. */
  async rearm(): Promise<void> {
    const due = await this.due();
    if (due === null) {
      await removeDueTime(this.env.DB, this.#row());
      return;
    }
    const { storage } = this.ctx;
    const alarm = await storage.getAlarm();
    const isLate = due <= this.now();
    if (isLate || alarm === null || alarm > Number(due)) await storage.setAlarm(Number(due));
    // The row of one that is late stays as it is until its work is done.
    if (!isLate) await putDueTime(this.env.DB, this.#row(), due);
  }

  async #arm(due: TimestampMs): Promise<void> {
    await this.ctx.storage.put<bigint>(DUE, due);
    await this.ctx.storage.setAlarm(Number(due));
  }

  #row(): DueRow {
    return { kind: this.kind, object: this.ctx.id.toString() };
  }
}

function earlier(a: TimestampMs | null, b: TimestampMs | null): TimestampMs | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
