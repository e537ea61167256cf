/** Payments of one source never count against another source of the mempool. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NODE_RATES } from "@svc/node-server/engine/verify/workRateLimiter.ts";
import { settle } from "@svc/node-server/p2p/testkit/linkedPeer.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { ENGINE_LIMITS } from "@svc/node-server/engine/engineLimits.ts";
import { MEMPOOL_LIMITS } from "@svc/node-server/mempool/mempoolLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { decodeRawTransaction } from "@svc/shared/protocol/raw/rawTransaction.ts";
import { madePayment, type MadeAnchor } from "./madePayment.ts";
import { fixture, PoolScene, withFalseProof, withStorageMass } from "./poolFixture.ts";

const honest = fixture.payment("waiting");
const altered = withStorageMass(honest.raw);

let scene: PoolScene;
beforeEach(async () => {
  scene = await PoolScene.open();
});
afterEach(() => scene.close());

/** Resolves when the engine was asked for so many checks. */
async function checked(count: number): Promise<void> {
  while (scene.checks < count) await new Promise((resolve) => setImmediate(resolve));
}

/** A door for strangers, by name. */
function door(name: "HTTP" | "gRPC"): Promise<(raw: Uint8Array) => Promise<string>> {
  return name === "HTTP" ? scene.overHttp() : scene.overGrpc();
}

describe("a joined admission", () => {
  for (const name of ["HTTP", "gRPC"] as const) {
    test(`other bytes with the same id, handed in over ${name}, are no fault of an honest peer`, async () => {
      const submit = await door(name);
      const open = scene.holdChecks();
      const refused = submit(altered);
      await checked(1);
      const { link, give } = scene.overPeer("honest");
      await give(honest.txid, honest.raw);
      await settle();
      const added = scene.added(honest.txid);
      open();
      expect(await refused).toContain("tx/storage-mass-not-zero");
      await Promise.race([link.ended, added]);
      expect(link.signal.aborted).toBe(false);
      expect(scene.pool.get(honest.txid)?.raw).toEqual(honest.raw);
    });

    test(`other bytes with the same id, given by a peer, are no fault of a wallet over ${name}`, async () => {
      const submit = await door(name);
      const open = scene.holdChecks();
      const { link, give } = scene.overPeer("attacker");
      await give(honest.txid, altered);
      await checked(1);
      const taken = submit(honest.raw);
      await settle();
      open();
      expect((await link.ended).code).toBe("tx/storage-mass-not-zero");
      expect(await taken).toBe(honest.txid);
    });
  }
});

/** The anchor of the recorded payments. */
function anchor(): MadeAnchor {
  const { payload } = decodeRawTransaction(honest.raw);
  return { root: encodeHex(payload.subarray(9, 41)), block: encodeHex(payload.slice(-32)) };
}

/** How often something is done before it is refused for being too fast. */
async function untilTooFast(once: (number: number) => Promise<string>): Promise<number> {
  for (let count = 0; count < 2_000; count += 1) {
    if ((await once(count)).includes("queue/too-fast")) return count;
  }
  return 2_000;
}

/** The id of what a source hands in, or the code of its refusal. */
function handIn(raw: Uint8Array, source: string): Promise<string> {
  return scene.pool.submit(raw, source).catch((error: unknown) => SvcError.from(error).code);
}

describe("what judging costs its source", () => {
  test("a token for each action", async () => {
    const of = anchor();
    const { burst } = NODE_RATES.proofs.each;
    for (const actions of [2, 38]) {
      let note = actions * 1_000;
      const admitted = await untilTooFast(() => {
        note += 1;
        return handIn(madePayment(note, of, { actions, fee: 100_000_000n }), `${actions}`);
      });
      expect(admitted).toBe(Math.floor(burst / actions));
    }
    expect(scene.pool.size).toBe(256 + 13);
  });

  test("a false proof costs what its judging takes, over HTTP, gRPC and of a peer", async () => {
    scene.verify = async () => new SvcError("shielded/proof-invalid", {});
    const { raw } = fixture.payment("later");
    const over = async (submit: (raw: Uint8Array) => Promise<string>): Promise<number> => {
      const count = await untilTooFast((number) => submit(withFalseProof(raw, number)));
      // All that the burst is worth comes back before the next one.
      scene.clock.advance(60_000);
      return count;
    };
    const junk = Math.ceil(ENGINE_LIMITS.proofsBurst / (2 + 2 + MEMPOOL_LIMITS.falseProofActions));
    const http = await scene.overHttp();
    expect(await over(http)).toBe(junk);
    expect(await over(await scene.overGrpc())).toBe(junk);
    expect(await over((bytes) => handIn(bytes, "10.0.0.9"))).toBe(junk);
    expect(scene.judged).toHaveLength(3 * junk);
    // A source that owes nothing is judged at once, beside one that owes.
    await over((bytes) => handIn(bytes, "10.0.0.9"));
    scene.verify = async () => null;
    expect(await handIn(honest.raw, "10.0.0.8")).toBe(honest.txid);
  });

  test("a payment that comes again when it was told to is judged then", async () => {
    const raw = madePayment(7, anchor(), { actions: 38, fee: 100_000_000n });
    for (let spent = 0; spent < ENGINE_LIMITS.proofsBurst - 20; spent += 1) {
      scene.work.take("proofs", "busy");
    }
    const refusal = await scene.pool.submit(raw, "busy").catch(SvcError.from);
    if (!SvcError.is(refusal, "queue/too-fast")) throw new Error(String(refusal));
    scene.clock.advance(Number(refusal.data.retryMs));
    await scene.pool.submit(raw, "busy");
    expect(scene.pool.size).toBe(1);
  });

  test("a payment that fails the checks costs its source a token", async () => {
    const tries = await untilTooFast((number) =>
      handIn(withStorageMass(honest.raw, 1 + (number & 7)), "a"),
    );
    expect(tries).toBe(ENGINE_LIMITS.proofsBurst);
    expect(await handIn(honest.raw, "b")).toBe(honest.txid);
  });
});

describe("a source that is refused for itself", () => {
  test("does not pass that on to another one with the same bytes", async () => {
    for (let spent = 0; spent < ENGINE_LIMITS.proofsBurst - 1; spent += 1)
      scene.work.take("proofs", "busy");
    const open = scene.holdChecks();
    const busy = handIn(honest.raw, "busy");
    await checked(1);
    const others = ["a", "b", "c"].map((source) => handIn(honest.raw, source));
    await settle();
    open();
    expect(await busy).toBe("queue/too-fast");
    expect(await Promise.all(others)).toEqual([honest.txid, honest.txid, honest.txid]);
    expect(scene.judged).toHaveLength(1);
  });

  test("has its share of the places in admission, and leaves those of others", async () => {
    const open = scene.holdChecks();
    const { raw } = fixture.payment("later");
    scene.verify = async () => new SvcError("shielded/proof-invalid", {});
    const junk = Array.from({ length: 256 }, (_, number) =>
      handIn(withFalseProof(raw, number), "a"),
    );
    const taken = handIn(honest.raw, "b");
    await checked(MEMPOOL_LIMITS.mempoolSourceAdmissions + 1);
    scene.verify = async (job) =>
      job.txid === honest.txid ? null : new SvcError("shielded/proof-invalid", {});
    open();
    expect(await taken).toBe(honest.txid);
    const codes = await Promise.all(junk);
    const refused = codes.filter((code) => code === "mempool/verification-queue-full");
    expect(refused).toHaveLength(256 - MEMPOOL_LIMITS.mempoolSourceAdmissions);
  });
});
