import { describe, expect, it } from "vitest";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import type { NodeNotification } from "../service/nodeApi.ts";
import { hashOf } from "../testkit/fakeNode.ts";
import { NotificationRenderings } from "./notificationRenderings.ts";

const news = (byte: number): NodeNotification => ({
  type: "blockAdded",
  hash: asBlockHash(hashOf(byte)),
  parents: [],
});

/** Renderings of so many bytes each, and what was made. */
function scene(length = 1) {
  const made: string[] = [];
  const renderings = new NotificationRenderings(async (event, form) => {
    made.push(`${event.type === "blockAdded" ? event.hash.slice(0, 2) : ""} ${form}`);
    await Promise.resolve();
    return new Uint8Array(length);
  });
  return { renderings, made };
}

describe("renderings", () => {
  it("are made once for each event and form, also for those who ask at the same time", async () => {
    const { renderings, made } = scene();
    const event = news(1);
    const done = [renderings.hold(event), renderings.hold(event)];
    const [first, second] = await Promise.all([
      renderings.bytesOf(event, "blockAdded"),
      renderings.bytesOf(event, "blockAdded"),
    ]);
    expect(second).toBe(first);
    expect(await renderings.bytesOf(event, "blockAdded")).toBe(first);
    await renderings.bytesOf(event, "newBlockTemplate");
    // The same facts in another event are other news.
    const other = news(1);
    done.push(renderings.hold(other));
    await renderings.bytesOf(other, "blockAdded");
    expect(made).toEqual(["01 blockAdded", "01 newBlockTemplate", "01 blockAdded"]);
    for (const release of done) release();
    expect([renderings.size, renderings.bytes]).toEqual([0, 0]);
  });

  it("are kept until the last client was told", async () => {
    const { renderings, made } = scene(10);
    const event = news(1);
    const [first, second] = [renderings.hold(event), renderings.hold(event)];
    await renderings.bytesOf(event, "blockAdded");
    first();
    expect([renderings.size, renderings.bytes]).toEqual([1, 10]);
    await renderings.bytesOf(event, "blockAdded");
    second();
    expect([renderings.size, renderings.bytes, made.length]).toEqual([0, 0, 1]);
  });

  it("leave nothing behind where everybody went while they were made", async () => {
    const { renderings } = scene(10);
    const event = news(1);
    const release = renderings.hold(event);
    const made = renderings.bytesOf(event, "blockAdded");
    release();
    await made;
    expect([renderings.size, renderings.bytes]).toEqual([0, 0]);
  });

  it("that wait for slow clients are bounded, and made again when they are asked for", async () => {
    const { renderings, made } = scene(RPC_LIMITS.grpcRenderedBytes / 2);
    const events = [1, 2, 3].map(news);
    for (const event of events) {
      renderings.hold(event);
      await renderings.bytesOf(event, "blockAdded");
    }
    expect(renderings.bytes).toBe(RPC_LIMITS.grpcRenderedBytes);
    for (const event of events.slice(1)) await renderings.bytesOf(event, "blockAdded");
    expect(made).toHaveLength(3);
    for (const event of events.slice(0, 1)) await renderings.bytesOf(event, "blockAdded");
    expect(made.at(-1)).toBe("01 blockAdded");
    expect(made).toHaveLength(4);
  });

  it("that fail are tried again by who comes later", async () => {
    let fails = true;
    const renderings = new NotificationRenderings(async () => {
      if (fails) throw new Error("gone");
      return new Uint8Array(1);
    });
    const event = news(1);
    renderings.hold(event);
    const [first, second] = [1, 2].map(() => renderings.bytesOf(event, "blockAdded"));
    await expect(first).rejects.toThrow("gone");
    await expect(second).rejects.toThrow("gone");
    fails = false;
    expect(await renderings.bytesOf(event, "blockAdded")).toHaveLength(1);
  });
});
