/** The bound of proofs at once, over the daemon as programs start it: with real proofs of every kind of call that makes one. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { ProverThread } from "@svc/node-server/proving/proverThread.ts";
import type { QueuedProver } from "@svc/node-server/walletd/spend/proofQueue.ts";
import type { Walletd } from "@svc/node-server/walletd/startWalletd.ts";
import { abortable } from "@svc/shared/base/abort.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { core } from "../engine/engineFixture.ts";
import { never, startTestNode } from "../node/nodeFixture.ts";
import { ALICE, COIN, DEVICE, DEVICE_BYTE, fixture, fund, options } from "./walletApiCalls.ts";
import { clientOf, startTestWalletd } from "./walletdFixture.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const { alice, bob } = fixture.owners;
/** A wallet of the device's seed that the daemon holds: the merge takes all notes of alice's. */
const SENDER = "f6".repeat(16);
const AT_ONCE = 2;
const SOON = { timeout: STEP_HANG_MS };

/** Proofs that run, the most at one moment, and all that were begun; each waits for the gate. */
const proofs = { running: 0, most: 0, begun: 0 };
const gate = Promise.withResolvers<undefined>();

let node: RunningNode;
let folder: TemporaryFolder;
let daemon: Walletd;

/** A real prover whose proofs are counted. */
function countedProver(): QueuedProver {
  const thread = new ProverThread({ prover: "own", proofThreads: 1, cacheFolder: null });
  return {
    warm: () => thread.warm(),
    stop: () => thread.stop(),
    prove: async (plan, progress, signal) => {
      proofs.running += 1;
      proofs.begun += 1;
      proofs.most = Math.max(proofs.most, proofs.running);
      try {
        await abortable(gate.promise, signal);
        return await thread.prove(plan, progress, signal);
      } finally {
        proofs.running -= 1;
      }
    },
  };
}

beforeAll(async () => {
  folder = temporaryFolder();
  node = await startTestNode(null);
  await fund(node);
  daemon = await startTestWalletd({
    folder: folder.path,
    node: node.grpcAddress ?? "",
    over: {
      proofs: { atOnce: AT_ONCE, threads: 1, cacheFolder: null, makeProver: countedProver },
    },
  });
});
afterAll(async () => {
  gate.resolve(undefined);
  await daemon.stop();
  await node.stop();
  folder.remove();
});

/** What the daemon tells of its proofs, by state. */
async function waiting(): Promise<string | undefined> {
  const text = await (await fetch(`${daemon.address}/metrics`, { signal: never })).text();
  return /^svc_walletd_proofs\{state="waiting"\} (\d+)$/m.exec(text)?.[1];
}

it("makes no more proofs at once than its bound, whoever asks for them: sends, merges and prepares", async () => {
  const seed = new Uint8Array(32).fill(DEVICE_BYTE);
  const fvk_hex = encodeHex(core.fullViewingKey(seed));
  const holder = clientOf(daemon, ALICE);
  const [device, sender] = [clientOf(daemon, DEVICE), clientOf(daemon, SENDER)];
  await holder.import({ seed_hex: alice.seed, birthday: 0n }, options);
  await sender.import({ seed_hex: encodeHex(seed), birthday: 0n }, options);
  await device.watch({ fvk_hex, birthday: 0n }, options);
  for (const client of [holder, device, sender]) {
    await expect.poll(async () => (await client.status(options)).spend_ready, SOON).toBe(true);
  }
  const to = bob.address;
  const calls = Promise.all([
    holder.consolidate({ heal: true }, options),
    device.prepare({ fvk_hex, to, amount_sompi: COIN }, options),
    sender.send({ to, amount_sompi: 1_000n }, options),
  ]);
  // Two are made, and the third waits, before the first one ends.
  await expect.poll(waiting, SOON).toBe("1");
  expect(proofs).toMatchObject({ running: AT_ONCE, begun: AT_ONCE });
  gate.resolve(undefined);
  const [merged, prepared, sent] = await calls;
  expect(merged.consolidated).toBeGreaterThan(1);
  expect(prepared.session).not.toBe("");
  expect(sent.tx_count).toBe(1);
  expect(proofs.most).toBe(AT_ONCE);
  expect(proofs.begun).toBe(3);
});
