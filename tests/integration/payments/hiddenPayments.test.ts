/** A payment in its stem phase does not leak: not by block templates, and not by refusals of similar payments. */
import { parseFlags } from "@svc/node-server/app/options/flags.ts";
import { TemplateService } from "@svc/node-server/mining/templateService.ts";
import type { PoolChange } from "@svc/node-server/mempool/poolChange.ts";
import type { PoolEntry } from "@svc/node-server/mempool/poolEntry.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import type { TxId } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "@svc/node-server/p2p/p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { afterEach, describe, expect, test } from "vitest";
import { SwallowingPeer } from "../../network/peers/swallowingPeer.ts";
import { core, NOW_MS } from "../engine/engineFixture.ts";
import { never, startTestNode } from "../node/nodeFixture.ts";
import { fixture, PoolScene, withFalseProof, withStorageMass } from "./poolFixture.ts";

const scenes: PoolScene[] = [];
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close();
});

const waiting = fixture.payment("waiting");
const wish = { payScript: decodeHex(fixture.owners.alice.recipient), extraData: new Uint8Array() };

/** Payments of a block, without its coinbase. */
function paymentsOf(block: Uint8Array): readonly string[] {
  const { txids }: { txids: string[] } = JSON.parse(core.computeHashes(block));
  return txids.slice(1);
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Whatever is not in it is on its stem. */
class OpenPart {
  readonly #shown = new Map<TxId, PoolEntry>();
  readonly #listeners = new Set<(change: PoolChange) => void>();

  get(txid: TxId): PoolEntry | undefined {
    return this.#shown.get(txid);
  }

  onChange(listener: (change: PoolChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Its stem has ended. */
  show(entry: PoolEntry): void {
    this.#shown.set(entry.txid, entry);
    for (const listener of this.#listeners) listener({ type: "added", entry });
  }
}

/** A pool whose payments are on their stem until they are shown. */
async function openScene(): Promise<{ readonly scene: PoolScene; readonly open: OpenPart }> {
  const scene = await PoolScene.open();
  scenes.push(scene);
  const open = new OpenPart();
  scene.pool.conceal(open);
  return { scene, open };
}

/** Hands something in; the code of the refusal. */
async function refusalOf(scene: PoolScene, raw: Uint8Array): Promise<SvcError> {
  return scene.pool.submit(raw, "stranger").then(
    () => new SvcError("engine/bad-call", { reason: "it was taken" }),
    (error: unknown) => SvcError.from(error),
  );
}

describe("a refusal", () => {
  const falsified = withFalseProof(waiting.raw, 1);
  const rejectsFalseProofs: PoolScene["verify"] = async ({ txid }) =>
    txid === waiting.txid ? null : new SvcError("shielded/proof-invalid", {});

  test("of what resembles a payment is the same where that is on its stem", async () => {
    const [holder, other] = [(await openScene()).scene, (await openScene()).scene];
    for (const scene of [holder, other]) scene.verify = rejectsFalseProofs;
    await holder.pool.submit(waiting.raw);
    for (const raw of [withStorageMass(waiting.raw), falsified]) {
      const [held, unknown] = [await refusalOf(holder, raw), await refusalOf(other, raw)];
      expect([held.code, held.data]).toEqual([unknown.code, unknown.data]);
      expect(held.code).toMatch(/storage-mass-not-zero|proof-invalid/);
    }
    // Both judged the false proof, and nobody paid less for it.
    expect(holder.judged.length).toBe(other.judged.length + 1);
  });

  test("of the note's second spender comes after its proof, and names no payment", async () => {
    const { scene, open } = await openScene();
    const [first, second] = [fixture.payment("first"), fixture.payment("second")];
    await scene.pool.submit(first.raw);
    const hidden = await refusalOf(scene, second.raw);
    expect(hidden.code).toBe("mempool/nullifier-conflict");
    expect(hidden.data).toEqual({ nullifier: first.nullifier });
    expect(scene.judged.map(({ txid }) => txid)).toEqual([first.txid, second.txid]);
    const [entry] = scene.pool.entries();
    if (entry === undefined) throw new Error("the payment does not wait");
    open.show(entry);
    const shown = await refusalOf(scene, second.raw);
    expect([shown.code, shown.data]).toEqual([hidden.code, hidden.data]);
    // What everybody may know of needs no proof to be refused.
    expect(scene.judged).toHaveLength(2);
  });
});

describe("a template", () => {
  test("has a payment from when its stem has ended, also where a template is remembered", async () => {
    const { scene, open } = await openScene();
    const { engine, pool, clock } = scene;
    const templates = new TemplateService({ engine, pool, clock, version: "t" });
    const before = await templates.build(wish);
    await pool.submit(waiting.raw);
    expect(paymentsOf(before)).toEqual([]);
    // It is the same one: nobody sees that something came.
    expect(await templates.build(wish)).toBe(before);
    const [entry] = pool.entries();
    if (entry === undefined) throw new Error("the payment does not wait");
    open.show(entry);
    expect(paymentsOf(await templates.build(wish))).toEqual([waiting.txid]);
  });

  test("of a node with a peer that swallows payments has them once they are spread", async () => {
    const hole = await SwallowingPeer.start("svc-simnet");
    const clock = new ManualClock(NOW_MS);
    const { peers } = parseFlags("local", [`--connect=127.0.0.1:${hole.port}`], {});
    const node = await startTestNode(null, { peers, clock });
    try {
      for (const raw of fixture.trunk.slice(0, fixture.forkIndex)) {
        expect((await node.api.submitBlock(raw, never)).kind).toBe("accepted");
      }
      while ((node.api.network?.peers().length ?? 0) === 0) await nextTurn();
      await node.api.submitTransaction(waiting.raw, never);
      while (hole.swallowed === 0) await nextTurn();
      expect(paymentsOf(await node.api.template(wish, never))).toEqual([]);
      const spread = new Promise<void>((resolve) => {
        node.api.onEvent(({ type }) => type === "poolAdded" && resolve());
      });
      clock.advance(
        P2P_LIMITS.p2pStemSafeMs + P2P_LIMITS.p2pRandomMeans * P2P_LIMITS.p2pStemSafeMeanMs,
      );
      await spread;
      expect(paymentsOf(await node.api.template(wish, never))).toEqual([waiting.txid]);
    } finally {
      await node.stop();
      await hole.stop();
    }
  });
});
