/** The index over a chain with reorganisations: its tables follow from the chain alone, and its totals are those of the pool. */
import { expect, test } from "vitest";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { chainEnd, chainRowAt } from "@svc/node-server/indexer/tables/derivedTables.ts";
import { INDEXER_LIMITS } from "@svc/node-server/indexer/indexerLimits.ts";
import { readVirtualChain } from "@svc/shared/protocol/facts/chainFacts.ts";
import { asChainIndex } from "@svc/shared/base/brand.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { readShieldedFacts } from "@svc/shared/protocol/facts/shieldedFacts.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { EngineNode } from "../engine/importFixture.ts";
import { derivedRows, ForkingChain, startIndex } from "./indexFixture.ts";

const BLOCKS = IS_FULL ? 5_000 : 600;

test(`totals are those of the pool at every height of ${BLOCKS} blocks with reorganisations`, async () => {
  const random = seededRandom("index");
  const chain = new ForkingChain(random);
  const node = new EngineNode();
  const index = await startIndex(node);
  let fed = 0;
  let reorgs = 0;
  while (fed < BLOCKS) {
    for (const block of chain.round()) {
      const before = node.tip().sink;
      node.insert(block);
      node.settle();
      fed += 1;
      if (node.engine.chainIndexOf(before) === undefined) reorgs += 1;
      await index.settle();
    }
  }
  const { chainIndex } = node.tip();
  let applied = 0n;
  for (let at = 0n; at <= chainIndex; at += 1n) {
    const row = chainRowAt(index.derived.kv, asChainIndex(at));
    const facts = readShieldedFacts(callCore(() => node.engine.shieldedFacts(row?.hash ?? "")));
    expect(row?.totals, `${at}`).toMatchObject({
      coinbase: facts.cumulativeCoinbase,
      fees: facts.cumulativeFees,
      notes: facts.noteCount,
      nullifiers: facts.nullifierCount,
    });
    const { coinbase = 0n, fees = 0n } = row?.totals ?? {};
    expect([facts.cumulativeBurns, facts.poolValue], `${at}`).toEqual([0n, coinbase - fees]);
    applied = row?.totals.applied ?? 0n;
  }
  const dropped = chainEnd(index.derived.kv, "last")?.totals.dropped ?? 0n;
  console.info({ fed, reorgs, chainIndex, applied, dropped });
  expect(reorgs).toBeGreaterThan(BLOCKS / 50);
  expect(applied).toBeGreaterThan(0n);
  expect(dropped).toBeGreaterThan(0n);
  const rows = derivedRows(index.derived.kv);
  const other = await startIndex(node);
  await other.settle();
  expect(derivedRows(other.derived.kv)).toEqual(rows);
  await index.stop();
  await other.stop();
});

test("a reorganisation that is longer than a commit leaves the tables of the chain that won", async () => {
  const long = 3 * INDEXER_LIMITS.indexBatchBlocks;
  const chain = new ForkingChain(seededRandom("long reorganisations"), long);
  const node = new EngineNode();
  const index = await startIndex(node);
  let deepest = 0;
  for (let round = 0; round < 12; round += 1) {
    for (const block of chain.round()) {
      const before = node.tip();
      node.insert(block);
      node.settle();
      const { removed } = readVirtualChain(
        callCore(() => node.engine.virtualChainFrom(before.sink, 1)),
      );
      deepest = Math.max(deepest, removed.length);
      await index.settle();
    }
  }
  expect(deepest).toBeGreaterThan(INDEXER_LIMITS.indexBatchBlocks);
  const other = await startIndex(node);
  await other.settle();
  expect(derivedRows(other.derived.kv)).toEqual(derivedRows(index.derived.kv));
  expect(
    other.follower.open
      .all()
      .map(({ hash }) => hash)
      .toSorted(),
  ).toEqual(
    index.follower.open
      .all()
      .map(({ hash }) => hash)
      .toSorted(),
  );
  await index.stop();
  await other.stop();
});
