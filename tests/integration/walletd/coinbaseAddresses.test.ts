/** Block rewards to the addresses of one wallet: the daemon finds them at each of the first 256, over a real node. */
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import type { Walletd } from "@svc/node-server/walletd/startWalletd.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { WalletClient } from "@svc/shared/protocol/wallet/walletClient.ts";
import { core, recipient } from "../engine/engineFixture.ts";
import { mineOn, never, startTestNode, tipOf } from "../node/nodeFixture.ts";
import { untilFound } from "../node/untilFound.ts";
import { clientOf, idleProver, startTestWalletd } from "./walletdFixture.ts";

/** Addresses at which a wallet finds what blocks mint (specification shielded 6.5). */
const FOUND = 256;
/** Has no divisor in common with the number of addresses that are paid. */
const STEP = 3;
const TOKEN = "c01".repeat(11);
const options = { signal: never };
const fvk = core.fullViewingKey(new Uint8Array(32).fill(0x51));

let folder: TemporaryFolder;
let node: RunningNode;
let daemon: Walletd | null = null;
beforeEach(async () => {
  folder = temporaryFolder();
  node = await startTestNode(null);
});
afterEach(async () => {
  await daemon?.stop();
  await node.stop();
  folder.remove();
});

/** The client of the wallet, when the daemon has scanned the node's chain to its end. */
async function scanned(): Promise<WalletClient> {
  const proofs = { atOnce: 1, threads: 1, cacheFolder: null, makeProver: idleProver };
  const address = node.grpcAddress ?? "";
  daemon = await startTestWalletd({ folder: folder.path, node: address, over: { proofs } });
  const client = clientOf(daemon, TOKEN);
  await client.watch({ fvk_hex: encodeHex(fvk), birthday: 0n }, options);
  const { daaScore } = await tipOf(node);
  return untilFound(async () => {
    const { synced, chain_len: length } = await client.status(options);
    return synced && BigInt(length) === daaScore && client;
  });
}

it("are found at every index below 256, once each, and not above", async () => {
  // Not in the order of the indices: a wallet does not learn them one after the other.
  const indices = Array.from({ length: FOUND + 1 }, (_, place) => (place * STEP) % (FOUND + 1));
  for (const index of indices) await mineOn(node, core.addressAt(fvk, index));
  // The next block mints what a block earned, and its notes are there when it has a child.
  for (let block = 0; block < 2; block += 1) await mineOn(node, recipient(9));
  const { rows, total } = await (await scanned()).history({ limit: "1000" }, options);
  const texts = indices.map((index) => core.encodeAddress("svcsim", core.addressAt(fvk, index)));
  const paid = rows.map(({ recipient: text }) => indices[texts.indexOf(text ?? "")]);
  const found = Array.from({ length: FOUND }, (_, index) => index);
  expect(paid.toSorted((a = -1, b = -1) => a - b)).toEqual(found);
  expect([total, new Set(rows.map(({ kind }) => kind))]).toEqual([FOUND, new Set(["coinbase"])]);
});
