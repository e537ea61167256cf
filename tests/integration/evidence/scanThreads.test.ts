/** Scan threads: however many there are, and whatever the kind of keys, a page has the same facts. */
import { afterEach, expect, it } from "vitest";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { ScanThreads } from "@svc/node-server/scanning/scanThreads.ts";
import { KeySets } from "@svc/node-server/scanning/keySets.ts";
import { SCANNING_LIMITS } from "@svc/node-server/scanning/scanningLimits.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { isPublicFault } from "@svc/shared/wallet/sync/changeQueue.ts";
import { EngineChain } from "../../fixtures/payments/engineChain.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { genesisMs } from "../../testkit/genesisMs.ts";
import { core, simnet } from "../engine/engineFixture.ts";
import { never } from "../node/nodeFixture.ts";

const BLOCKS = 3 * SCANNING_LIMITS.partBlocks + 7;
const running: ScanThreads[] = [];

afterEach(async () => {
  for (const threads of running.splice(0)) await threads.stop();
});

function threadsOf(threads: number): ScanThreads {
  const started = new ScanThreads({ profileJson: simnet, threads, log: createLog("silent") });
  running.push(started);
  return started;
}

const viewingKey = (byte: number): Uint8Array => core.fullViewingKey(new Uint8Array(32).fill(byte));

/** A page in which three of four keys own blocks, in turns. */
async function minedPage() {
  const chain = new EngineChain(core, simnet, genesisMs(simnet));
  const { sink } = await chain.tip();
  for (let block = 0; block < BLOCKS; block += 1) {
    chain.mine(encodeHex(core.addressAt(viewingKey(1 + (block % 3)), 0)));
  }
  return chain.blocks(sink, BLOCKS);
}

/** Sets of viewing keys, each of them its own owner. */
function setsOf(keys: readonly Uint8Array[]): KeySets<Uint8Array> {
  const sets = new KeySets<Uint8Array>({ keyOf: (key) => key, keysPerSet: 32 });
  sets.add(keys);
  return sets;
}

it("threads that share a page find what one finds", async () => {
  const page = await minedPage();
  const keys = setsOf([1, 2, 3, 4].map(viewingKey));
  const alone = await threadsOf(1).scan(page, keys.all, never);
  const together = await threadsOf(3).scan(page, keys.all, never);
  expect(alone[0]?.common.blocks).toHaveLength(BLOCKS);
  expect([...(alone[0]?.found.keys() ?? [])].toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
  for (const [place, facts] of alone.entries()) {
    expect(together[place]?.common).toEqual(facts.common);
    expect(together[place]?.found.size).toBe(facts.found.size);
    for (const [key, own] of facts.found) expect(together[place]?.found.get(key)).toEqual(own);
  }
});

it("a page that is cut short is refused by as many threads as there are", async () => {
  const page = await minedPage();
  const short = { ...page, body: page.body.subarray(0, page.body.length - 1) };
  const [one, three] = [threadsOf(1), threadsOf(3)];
  const { all } = setsOf([]);
  for (const threads of [one, three]) {
    for (const scan of [threads.scan(short, all, never), threads.scanIncoming(short, all, never)]) {
      const thrown = await scan.catch((error: unknown) => error);
      expect(thrown instanceof SvcError && isPublicFault(thrown), String(thrown)).toBe(true);
    }
  }
});

/** A page with a recorded payment of alice to bob, and many blocks behind it. */
async function paidPage() {
  const { trunk, owners, firstBlockMs, genesis } = readPaymentFixture();
  const chain = new EngineChain(core, simnet, firstBlockMs + 1_000n * BigInt(trunk.length));
  for (const block of trunk) chain.insert(block);
  for (let block = trunk.length; block < BLOCKS; block += 1) chain.mine(owners.alice.recipient);
  const page = await chain.blocks(genesis, BLOCKS);
  const fvks = [owners.carol, owners.bob, owners.alice].map(({ seed }) =>
    core.fullViewingKey(decodeHex(seed)),
  );
  return { page, fvks, ivks: fvks.map((fvk) => core.incomingViewingKey(fvk)) };
}

it("incoming keys find the received notes of full ones, in one thread and in several", async () => {
  const { page, fvks, ivks } = await paidPage();
  const [one, three] = [threadsOf(1), threadsOf(3)];
  const [full = expect.unreachable()] = await one.scan(page, setsOf(fvks).all, never);
  for (const threads of [one, three]) {
    const sets = setsOf(ivks);
    const [facts = expect.unreachable()] = await threads.scanIncoming(page, sets.all, never);
    expect(facts.blocks.map(({ hash }) => hash)).toEqual(
      full.common.blocks.map(({ hash }) => hash),
    );
    expect([...facts.found.keys()].toSorted((a, b) => a - b)).toEqual([1, 2]);
    for (const [key, notes] of facts.found) {
      const received = full.found
        .get(key)
        ?.blocks.flatMap((block) => block.notes.map((note) => ({ ...note, block })))
        .filter(({ kind }) => kind === "received");
      expect(notes).toEqual(
        received?.map(({ block, ...note }) => {
          const { txid, outputIndex, cmx, value, recipient, addressIndex, memo } = note;
          const { position, rho, rseed } = note;
          const { hash, blueScore, daaScore, timestamp, firstLeaf, leaves } = block;
          const place = { hash, blueScore, daaScore, timestamp, firstLeaf, leaves };
          const output = { txid, outputIndex, cmx, value, recipient, addressIndex, memo };
          return { ...output, position, rho, rseed, block: place };
        }),
      );
    }
  }
});

it("several sets of keys find in one page what each of them finds alone", async () => {
  const { page, ivks } = await paidPage();
  const threads = threadsOf(2);
  const sets = new KeySets<Uint8Array>({ keyOf: (key) => key, keysPerSet: 1 });
  sets.add(ivks);
  expect(sets.all).toHaveLength(3);
  const together = await threads.scanIncoming(page, sets.all, never);
  expect(together.map(({ found }) => found.size)).toEqual([0, 1, 1]);
  for (const [place, set] of sets.all.entries()) {
    const [alone] = await threads.scanIncoming(page, [set], never);
    expect(together[place]).toEqual(alone);
  }
});

it("sets without keys are scanned for either kind in one thread", async () => {
  const { page } = await paidPage();
  const threads = threadsOf(1);
  const { all } = setsOf([]);
  const [full] = await threads.scan(page, all, never);
  const [incoming] = await threads.scanIncoming(page, all, never);
  expect(full?.common.blocks).toHaveLength(BLOCKS);
  expect(incoming?.blocks).toHaveLength(BLOCKS);
  expect(incoming?.found.size).toBe(0);
});
