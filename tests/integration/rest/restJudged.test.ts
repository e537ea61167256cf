/**
 * What a block is shown to have merged, applied and dropped, against a whole node: true tables pass, and of every altered one the check
 * names what differs. One node has a graph with red blocks and payments dropped in it, the other a real payment that was dropped.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { writePaymentProof, type PaymentProof } from "@svc/shared/signer/paymentProof.ts";
import { checkBlock } from "@svc/web/explorer/check/checkBlock.ts";
import { orNone } from "@svc/web/explorer/check/checkContext.ts";
import { checkDisclosure } from "@svc/web/explorer/check/checkPasted.ts";
import { verdictOf } from "@svc/web/explorer/check/checkReport.ts";
import { restSource, type CheckSource } from "@svc/web/explorer/check/checkSource.ts";
import { checkTransaction } from "@svc/web/explorer/check/checkTransaction.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { EngineChain } from "../../fixtures/payments/engineChain.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { disclosedPayment } from "./disclosedPayment.ts";
import { core } from "../engine/engineFixture.ts";
import { ForkingChain } from "../index/indexFixture.ts";
import { contextOf, differing, lyingSource, openSteps, proven, type Lie } from "./lyingSource.ts";
import { never, startTestNode, tipOf, trustingVerifier } from "../node/nodeFixture.ts";
import { smallNetwork } from "../node/smallNetwork.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const fixture = readPaymentFixture();
const ROUNDS = 40;
const nodes: RunningNode[] = [];
const folders: { remove: () => void }[] = [];

afterAll(async () => {
  for (const node of nodes) await node.stop();
  for (const folder of folders) folder.remove();
});

/** Resolves when the index of a node has its sink. */
async function indexed(node: RunningNode, source: CheckSource): Promise<void> {
  const isThere = async () => {
    const { sink } = await tipOf(node);
    const told = Object(await orNone(source.json("/info/index")).catch(() => null));
    return told["sink"] === sink && told["behind"] === 0;
  };
  await vi.waitUntil(isThere, { timeout: STEP_HANG_MS });
}

async function started(
  blocks: readonly Uint8Array[],
  over: Parameters<typeof startTestNode>[1],
): Promise<CheckSource> {
  const node = await startTestNode(null, {
    index: "on",
    spawnVerifier: trustingVerifier,
    ...over,
  });
  nodes.push(node);
  for (const raw of blocks) await node.api.submitBlock(raw, never);
  const source = restSource(`${node.httpAddress}/api`);
  await indexed(node, source);
  return source;
}

type Shown = {
  verboseData: {
    isChainBlock: boolean;
    mergeSetBluesHashes: string[];
    mergeSetRedsHashes: string[];
  };
  extra: { applied: unknown[] | null; dropped: unknown[] | null };
};

describe("a graph with reorganisations and dropped payments", () => {
  let honest: CheckSource;
  let listed: { hash: string; shown: Shown }[];
  beforeAll(async () => {
    const folder = temporaryFolder();
    folders.push(folder);
    const file = join(folder.path, "network.json");
    writeFileSync(file, smallNetwork());
    const chain = new ForkingChain(seededRandom("judged payments"));
    const blocks = Array.from({ length: ROUNDS }, () => chain.round()).flat();
    honest = await started(blocks, { network: { file } });
    listed = [];
    for (const { block_hash: hash } of Object(await honest.json("/blocks/recent?limit=200"))) {
      listed.push({ hash, shown: Object(await honest.json(`/blocks/${hash}`)) });
    }
  });

  it("passes as a whole: what every block of the chain merged, applied and dropped", async () => {
    const context = await contextOf(honest);
    const seen = { judged: 0, dropped: 0, beside: 0 };
    for (const { hash, shown } of listed) {
      const report = await checkBlock(context, hash);
      expect([hash, differing(report)]).toEqual([hash, []]);
      if (shown.extra.applied === null) {
        expect(openSteps(report)).toContain("mergeset: besideChain");
        seen.beside += 1;
        continue;
      }
      expect(proven(report)).toContain("mergeset");
      if (!proven(report).includes("judged")) {
        expect(openSteps(report)).toContain("judged: noBlockAbove");
        continue;
      }
      seen.judged += shown.extra.applied.length;
      seen.dropped += shown.extra.dropped?.length ?? 0;
    }
    console.info(seen);
    expect(seen.beside).toBeGreaterThan(3);
    expect(seen.judged).toBeGreaterThan(3);
    expect(seen.dropped).toBeGreaterThan(1);
  });

  it("with the names of an applied and a dropped payment exchanged, in the proof too, is seen", async () => {
    const both = listed.find(
      ({ shown: { extra } }) =>
        (extra.applied?.length ?? 0) > 0 && (extra.dropped?.length ?? 0) > 0,
    );
    if (both === undefined) throw new Error("no block applied and dropped payments");
    const [{ transaction_id: one }] = Object(both.shown.extra.applied);
    const [{ transaction_id: other }] = Object(both.shown.extra.dropped);
    const places = [`/blocks/${both.hash}`, `/blocks/${both.hash}/acceptance`];
    const exchanged = (key: string, value: unknown): unknown =>
      key === "transaction_id" || key === "txid"
        ? value === one
          ? other
          : value === other
            ? one
            : value
        : value;
    const keptAccepted = (document: Record<string, never>) => {
      const { accepted } = document;
      const told: object = JSON.parse(JSON.stringify(document, exchanged));
      return accepted === undefined ? told : { ...told, accepted };
    };
    const context = await contextOf(
      lyingSource(honest, {
        json: (path, document) => (places.includes(path) ? keptAccepted(document) : document),
      }),
    );
    const lies = differing(await checkBlock(context, both.hash));
    expect(lies).toContain("shown judged");
  });

  it("has every block that carries a payment checked, and one that does not is named", async () => {
    const carriers = new Map<string, string[]>();
    for (const { hash } of listed) {
      for (const txid of Object(await honest.json(`/blocks/${hash}`)).verboseData.transactionIds) {
        carriers.set(txid, [...(carriers.get(txid) ?? []), hash]);
      }
    }
    const several = [...carriers].flatMap(([id, hashes]) => (hashes.length > 1 ? [id] : []));
    let txid = "";
    for (const id of several) {
      const { status } = Object(await honest.json(`/transactions/${id}`));
      if (status === "applied") txid = id;
    }
    const context = await contextOf(honest);
    const report = await checkTransaction(context, txid);
    expect([differing(report), proven(report)]).toEqual([[], expect.arrayContaining(["carriers"])]);
    expect(openSteps(report)).toContain("nodesView: nodesView");
    const [stranger = ""] = listed.flatMap(({ hash }) =>
      carriers.get(txid)?.includes(hash) === true ? [] : [hash],
    );
    const lie: Lie = {
      json: (path, document) =>
        path === `/transactions/${txid}`
          ? { ...Object(document), block_hash: [...Object(document["block_hash"]), stranger] }
          : document,
    };
    const lied = await checkTransaction(await contextOf(lyingSource(honest, lie)), txid);
    expect(differing(lied)).toEqual(["shown carriers"]);
  });
});

describe("a payment that a node has really dropped", () => {
  const [first, second] = [fixture.payment("first"), fixture.payment("second")];
  let honest: CheckSource;
  let proof: PaymentProof;
  let judge: string;

  beforeAll(async () => {
    const { alice, bob } = fixture.owners;
    const clock = new ManualClock(fixture.firstBlockMs + 1_000_000n);
    const trunk = fixture.trunk.slice(0, fixture.forkIndex);
    const start = fixture.firstBlockMs + BigInt(1_000 * trunk.length);
    const [left, right] = [0, 1].map(() => {
      const chain = new EngineChain(core, core.builtInProfile(fixture.profile), start);
      for (const raw of trunk) chain.insert(raw);
      return chain;
    });
    if (left === undefined || right === undefined) throw new Error("no miners");
    // Both spend one note, out of sight of each other; the longer side is the one that is followed.
    const beside = [left.mine(alice.recipient, [second.raw]), left.mine(alice.recipient)];
    const lost = right.mine(bob.recipient, [first.raw]);
    left.insert(lost);
    const above = [left.mine(alice.recipient), left.mine(alice.recipient)];
    honest = await started([...trunk, ...beside, lost, ...above], {
      network: { name: fixture.profile },
      clock,
    });
    // On another chain it was applied.
    await started([...fixture.trunk, ...fixture.branch], {
      network: { name: fixture.profile },
      clock: new ManualClock(fixture.firstBlockMs + 1_000_000n),
    });
    const other = nodes.at(-1);
    if (other === undefined) throw new Error("no node");
    proof = await disclosedPayment(other, first.txid);
    const carried = Object(await honest.json(`/transactions/${first.txid}`));
    judge = Object(await honest.json(`/blocks/${carried.block_hash[0]}`)).extra.mergedBy;
  });

  it("is proven dropped, and its reason is the server's word", async () => {
    expect(Object(await honest.json(`/transactions/${first.txid}`)).status).toBe("dropped");
    const report = await checkTransaction(await contextOf(honest), first.txid);
    expect(differing(report)).toEqual([]);
    expect(report.steps.find(({ step }) => step === "outcome")?.found).toBe("dropped");
    expect(openSteps(report)).toContain("dropReason: nodesWord");
    expect(verdictOf("transaction", report)).toBe("ok");
  });

  it("has a disclosure that fits, and is no proof that anybody was paid", async () => {
    const report = await checkDisclosure(await contextOf(honest), writePaymentProof(proof), "");
    expect(differing(report)).toEqual([]);
    expect(proven(report)).toEqual(expect.arrayContaining(["payment", "outcome"]));
    expect(report.disclosed).toMatchObject({ txid: first.txid, value: String(first.amount) });
    expect([report.effect, verdictOf("disclosure", report)]).toEqual(["dropped", "partly"]);
  });

  it("has a disclosure that a lying server cannot make a proof of", async () => {
    const lie: Lie = {
      json: (path, document) =>
        path === `/transactions/${first.txid}`
          ? Object.assign(document, {
              ...{ status: "applied", is_accepted: true, drop_reason: null },
              accepting_block_hash: judge,
            })
          : document,
    };
    const context = await contextOf(lyingSource(honest, lie));
    const report = await checkDisclosure(context, writePaymentProof(proof), "");
    expect(differing(report)).toContain("transaction outcome");
    expect(verdictOf("disclosure", report)).toBe("differs");
    expect(report.effect).not.toBe("applied");
  });

  const tableLie = (alter: (extra: Shown["extra"], document: Shown) => void): Lie => ({
    json: (path, document) => {
      if (path !== `/blocks/${judge}`) return document;
      const shown: Shown = Object(document);
      alter(shown.extra, shown);
      return shown;
    },
  });
  const lied = async (lie: Lie) => checkBlock(await contextOf(lyingSource(honest, lie)), judge);

  it("stands in the table of the block that judged it, which is proven", async () => {
    const report = await checkBlock(await contextOf(honest), judge);
    expect(differing(report)).toEqual([]);
    expect(proven(report)).toEqual(expect.arrayContaining(["mergeset", "blueCount", "judged"]));
    expect(openSteps(report)).toContain("dropReasons: nodesWord");
    expect(verdictOf("block", report)).toBe("ok");
  });

  it("shown as applied in that table is seen, and so is a table without it", async () => {
    const moved = tableLie((extra) => {
      const [{ reason: _, ...one }] = Object(extra.dropped);
      extra.applied?.push(one);
      extra.dropped = [];
    });
    expect(differing(await lied(moved))).toEqual(["shown judged"]);
    const left = tableLie((extra) => {
      extra.dropped = [];
    });
    expect(differing(await lied(left))).toEqual(["shown judged"]);
    const elsewhere = tableLie((extra) => {
      Object(extra.dropped)[0].block_hash = judge;
    });
    expect(differing(await lied(elsewhere))).toEqual(["shown judged"]);
  });

  it("beside altered mergesets: each is seen", async () => {
    const none = tableLie((_, { verboseData }) => {
      verboseData.mergeSetBluesHashes.pop();
    });
    expect(differing(await lied(none))).toEqual(["shown mergeset", "shown blueCount"]);
    const red = tableLie((_, { verboseData }) => {
      const [hash = ""] = verboseData.mergeSetBluesHashes.splice(-1);
      verboseData.mergeSetRedsHashes.push(hash);
    });
    expect(differing(await lied(red))).toEqual(["shown blueCount"]);
  });

  it("whose proof the server withholds leaves the table unproven, and the verdict says so", async () => {
    const without = (path: string): CheckSource => ({
      json: (asked) => honest.json(asked === path ? `${asked}-none` : asked),
      bytes: honest.bytes,
      evidence: honest.evidence,
    });
    const context = await contextOf(without(`/blocks/${judge}/acceptance`));
    const report = await checkBlock(context, judge);
    expect(differing(report)).toEqual([]);
    expect(openSteps(report)).toEqual(
      expect.arrayContaining(["mergeset: notServed", "judged: notServed"]),
    );
    expect(verdictOf("block", report)).toBe("partly");
  });
});
