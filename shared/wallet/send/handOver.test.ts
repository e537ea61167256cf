import { describe, expect, it } from "vitest";
import { asTxId } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { handOver, type SubmitPort } from "./handOver.ts";

const never = new AbortController().signal;
const TXID = asTxId("ab".repeat(32));

function node(name: string, log: string[], answer: () => Promise<typeof TXID>): SubmitPort {
  return {
    submit: (raw) => {
      log.push(`${name} ${raw.length}`);
      return answer();
    },
  };
}

const takes = async () => TXID;
const refuses = () => Promise.reject(new SvcError("mempool/full", { count: 1, max: 1 }));
const hasIt = () => Promise.reject(new SvcError("mempool/duplicate", { txid: TXID }));

describe("a payment", () => {
  it("goes to another node than the one that is followed, and to that one alone", async () => {
    const log: string[] = [];
    const nodes = handOver(() => [node("other", log, takes), node("followed", log, takes)]);
    expect(await nodes.submit(new Uint8Array(3), never)).toBe(TXID);
    expect(await nodes.submit(new Uint8Array(4), never)).toBe(TXID);
    expect(log).toEqual(["other 3", "other 4"]);
  });

  it("goes to the next node at the next attempt where one refuses it or is away", async () => {
    const log: string[] = [];
    const nodes = handOver(() => [node("other", log, refuses), node("followed", log, takes)]);
    await expect(nodes.submit(new Uint8Array(3), never)).rejects.toMatchObject({
      code: "mempool/full",
    });
    expect(await nodes.submit(new Uint8Array(3), never)).toBe(TXID);
    expect(log).toEqual(["other 3", "followed 3"]);
  });

  it("that the first node refused leaves the next payment with the first node", async () => {
    const log: string[] = [];
    const isRefused = (raw: Uint8Array) => raw.length === 3;
    const other: SubmitPort = {
      submit: async (raw) => {
        log.push(`other ${raw.length}`);
        return isRefused(raw) ? refuses() : TXID;
      },
    };
    const nodes = handOver(() => [other, node("followed", log, takes)]);
    await nodes.submit(new Uint8Array(3), never).catch(() => undefined);
    await nodes.submit(new Uint8Array(3), never);
    await nodes.submit(new Uint8Array(4), never);
    await nodes.submit(new Uint8Array(3), never);
    expect(log).toEqual(["other 3", "followed 3", "other 4", "followed 3"]);
  });

  it("goes round all nodes, the followed one last, and forgets the turns of the oldest payments", async () => {
    const log: string[] = [];
    const away = () => Promise.reject(new SvcError("wallet/node-unreachable", { url: "" }));
    const nodes = handOver(() => [
      node("second", log, away),
      node("third", log, away),
      node("followed", log, away),
    ]);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after another
      await nodes.submit(new Uint8Array(3), never).catch(() => undefined);
    }
    expect(log).toEqual(["second 3", "third 3", "followed 3", "second 3"]);
    for (let payment = 0; payment < WALLET_LIMITS.handOverTurns; payment += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one payment after another
      await nodes.submit(new Uint8Array(10 + payment), never).catch(() => undefined);
    }
    await nodes.submit(new Uint8Array(3), never).catch(() => undefined);
    expect(log.at(-1)).toBe("second 3");
  });

  it("stays with a node that has it already", async () => {
    const log: string[] = [];
    const nodes = handOver(() => [node("other", log, hasIt), node("followed", log, takes)]);
    for (const _ of [1, 2]) await nodes.submit(new Uint8Array(3), never).catch(() => undefined);
    expect(log).toEqual(["other 3", "other 3"]);
  });

  it("stays with its node where the wallet itself stopped", async () => {
    const log: string[] = [];
    const stop = new AbortController();
    const aborted = () => {
      stop.abort();
      return Promise.reject(new SvcError("run/aborted", {}));
    };
    const nodes = handOver(() => [node("other", log, aborted), node("followed", log, takes)]);
    await expect(nodes.submit(new Uint8Array(3), stop.signal)).rejects.toMatchObject({
      code: "run/aborted",
    });
    await nodes.submit(new Uint8Array(3), never).catch(() => undefined);
    expect(log).toEqual(["other 3", "other 3"]);
  });
});
