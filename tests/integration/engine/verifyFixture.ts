/** Fixtures for `svc verify`: stores on disk that are made of blocks with trusted proofs, damaged, and checked. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { loadNetwork } from "@svc/node-server/app/program/network.ts";
import type { VerifyOptions } from "@svc/node-server/app/verify/verifyStore.ts";
import {
  readInsertOutcome,
  readResolveOutcome,
} from "@svc/node-server/engine/calls/engineFacts.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { KEYS_END, type Kv } from "@svc/node-server/storage/kv.ts";
import { CONSENSUS_LAYOUT, consensusTable } from "@svc/node-server/storage/layout.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import type { RawEngine } from "@svc/shared/core/generated/coreGlue.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { core, NOW_MS, simnet } from "./engineFixture.ts";
import { never, trustingVerifier } from "../node/nodeFixture.ts";

const profile = loadNetwork(core, { name: "simnet" });

/** Where the databases lie below a data folder. */
export function networkFolderOf(path: string): string {
  return join(path, profile.networkName);
}

/** Opens the store of a data folder, which it makes, for a change. */
export async function changeStore(path: string, change: (store: Kv) => void): Promise<void> {
  const network = networkFolderOf(path);
  mkdirSync(network, { recursive: true });
  const { store } = await openStore(network, CONSENSUS_LAYOUT);
  change(store);
  await store.close();
}

/** Takes a block in, its proofs as valid. */
export function trust({ engine }: { readonly engine: Taker }, raw: Uint8Array): void {
  const outcome = readInsertOutcome(engine.insertBlock(raw, NOW_MS));
  if (outcome.kind === "accepted") {
    for (const { txid, format } of outcome.needVerdicts) engine.noteVerdict(txid, format, true);
  }
  while (!readResolveOutcome(engine.resolve(16)).done);
}

type Taker = Pick<RawEngine, "insertBlock" | "noteVerdict" | "resolve">;

/** A node's store with these blocks. */
export async function storeOf(path: string, raws: readonly Uint8Array[]): Promise<void> {
  await changeStore(path, (store) => {
    const engine = new core.Engine(kvHostStore(store), simnet);
    engine.setGroupCommit(true);
    for (const raw of raws) trust({ engine }, raw);
    engine.flush();
    engine.free();
  });
}

/** How the tests check a store: proofs are trusted. */
export function verifyOptions(path: string, over: Partial<VerifyOptions> = {}): VerifyOptions {
  return {
    core,
    profile,
    appdir: path,
    assumeProofs: false,
    proofs: { prover: "own", threads: 1 },
    clock: new ManualClock(NOW_MS),
    log: createLog("silent"),
    progress: () => {},
    signal: never,
    spawnVerifier: trustingVerifier,
    ...over,
  };
}

/** The first row of a table but `skip`. */
export function firstRow(store: Kv, table: string, skip = 0) {
  const row = store.range({
    table: consensusTable(table),
    from: new Uint8Array(),
    to: KEYS_END,
    limit: skip + 1,
  })[skip];
  if (row === undefined) throw new Error(`no row ${skip} in ${table}`);
  return row;
}

/** A record with one bit of a byte turned, the last unless told otherwise. */
export function changed(value: Uint8Array, at = value.length - 1): Uint8Array {
  return withFlippedBit(value, at);
}
