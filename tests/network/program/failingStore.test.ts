/**
 * A running node finds that its store lacks a record: it restarts its threads a few times, reports the error, and shuts down
 * cleanly with a sentence that names the file and the remedy.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT_STATUS } from "@svc/node-server/app/program/exitStatus.ts";
import { KEYS_END } from "@svc/node-server/storage/kv.ts";
import { consensusTable, CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { ENGINE_LIMITS } from "@svc/node-server/engine/engineLimits.ts";
import { untilSo } from "../testkit/nodeProcess.ts";
import { PATIENCE_MS, SHALLOW } from "../testkit/networkSizes.ts";
import { genesisHashOf } from "../testkit/nodeStore.ts";
import { Scene, storedChain } from "../testkit/scene.ts";

const STARTED_ANEW = /store\/missing.*(the engine is reopened|a reading thread failed)/;
const SENTENCE =
  /^svc node: (\S+) is damaged: it lacks [0-9a-f]{64} in table scan record\. Put a copy .* or remove that folder and start again: .*\[store\/damaged\]$/;

/** Takes all rows of a table away under a running node. */
async function emptyTable(database: string, name: string): Promise<void> {
  const store = new LmdbKv({ path: database });
  const table = consensusTable(name);
  const rows = store.range({ table, from: new Uint8Array(), to: KEYS_END, limit: 1_000_000 });
  expect(rows.length).toBeGreaterThan(0);
  store.commit(rows.map(({ key }) => ({ table, key, value: null })));
  await store.close();
}

test("rows that are not there end it after a few tries, whatever is answered between", async () => {
  const chain = await storedChain(SHALLOW);
  const scene = new Scene(SHALLOW.profile);
  scene.copyStore({ from: chain.path, name: "lacking" });
  const node = await scene.node({ name: "lacking", watched: [STARTED_ANEW] });
  const [network = ""] = readdirSync(scene.appdir("lacking"));
  const database = join(scene.appdir("lacking"), network, CONSENSUS_LAYOUT.name);
  const records = `${node.http}/v1/blocks?after=${genesisHashOf(SHALLOW.profile)}`;
  const health = async (): Promise<unknown> => (await fetch(`${node.http}/v1/health`)).json();

  await emptyTable(database, "scan_records");
  expect(await health()).toMatchObject({ status: "ok", warnings: [] });
  await fetch(records);
  await untilSo(async () => node.countOf(STARTED_ANEW) > 0, PATIENCE_MS);
  const message = expect.stringMatching(/^The database .* [12] times since the start/);
  expect(await health()).toMatchObject({
    status: "warning",
    warnings: [{ code: "store/failing", message }],
  });
  // Those who see an error ask again, and good answers between say nothing.
  await untilSo(async () => {
    await fetch(records).catch(() => null);
    await node.tip().catch(() => null);
    return node.hasEnded;
  }, PATIENCE_MS);
  expect(await node.ended()).toBe(EXIT_STATUS.damaged);
  const said = node.log.trim().split("\n").at(-1) ?? "";
  expect(SENTENCE.exec(said)?.[1]).toBe(join(database, "data.mdb"));
  expect(node.countOf(STARTED_ANEW)).toBeLessThanOrEqual(ENGINE_LIMITS.storeFaultsMost);
});
