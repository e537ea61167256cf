/** The running daemon over its calls: rescans as jobs, and scoped tokens, over a new start. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import type { Walletd } from "@svc/node-server/walletd/startWalletd.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { never, startTestNode } from "../node/nodeFixture.ts";
import { clientOf, startTestWalletd } from "./walletdFixture.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const fixture = readPaymentFixture();
const { alice, bob } = fixture.owners;
const ALICE = "a11ce".repeat(7);
const options = { signal: never };
const SOON = { timeout: STEP_HANG_MS };

let node: RunningNode;
let folder: TemporaryFolder;
let daemon: Walletd;

beforeEach(async () => {
  folder = temporaryFolder();
  node = await startTestNode(null);
  for (const raw of fixture.trunk) await node.api.submitBlock(raw, never);
  daemon = await start();
});
afterEach(async () => {
  await daemon.stop();
  await node.stop();
  folder.remove();
});

function start(): Promise<Walletd> {
  return startTestWalletd({ folder: folder.path, node: node.grpcAddress ?? "" });
}

const owner = () => clientOf(daemon, ALICE);
const isSynced = async () => (await owner().balance({}, options)).synced;
const stateOf = async (id: string) => (await owner().job(id, options)).state;

it("scans a wallet again as a job, which outlives the daemon, and tells nothing twice", async () => {
  await owner().import({ seed_hex: alice.seed, birthday: 0n }, options);
  await expect.poll(isSynced, SOON).toBe(true);
  const { balance_sompi } = await owner().balance({}, options);
  const events = await owner().events({}, options);
  expect(balance_sompi).toBeGreaterThan(0n);
  expect(events.events.length).toBeGreaterThan(0);
  const first = await owner().begin("rescan", {}, options);
  await expect.poll(() => stateOf(first), SOON).toBe("done");
  expect(await owner().job(first, options)).toMatchObject({ kind: "rescan", share: 1 });
  expect((await owner().balance({}, options)).balance_sompi).toBe(balance_sompi);
  const second = await owner().begin("rescan", {}, options);
  await daemon.stop();
  daemon = await start();
  await expect.poll(() => stateOf(second), SOON).toBe("done");
  await expect.poll(isSynced, SOON).toBe(true);
  expect((await owner().balance({}, options)).balance_sompi).toBe(balance_sompi);
  expect(await owner().events({}, options)).toEqual(events);
});

it("knows its scoped tokens after a new start, and what they may not do", async () => {
  await owner().import({ seed_hex: alice.seed, birthday: 0n }, options);
  const made = await owner().createToken({ scope: ["view", "spend"], payees: [] }, options);
  const gone = await owner().createToken({ scope: ["view"] }, options);
  await owner().revokeToken(gone.id, options);
  await daemon.stop();
  daemon = await start();
  await expect.poll(isSynced, SOON).toBe(true);
  const scoped = clientOf(daemon, made.token);
  expect((await scoped.balance({}, options)).balance_sompi).toBeGreaterThan(0n);
  expect(await rejectionCode(scoped.reveal(options))).toBe("wallet/scope");
  expect(await rejectionCode(clientOf(daemon, gone.token).balance({}, options))).toBe(
    "api/unknown-token",
  );
  const to = fixture.owners.bob.address;
  const data = `to,amount_sompi\n${to},1000\n`;
  const payout = { format: "csv", data } as const;
  expect(await rejectionCode(scoped.send({ to, amount_sompi: 1_000n }, options))).toBe(
    "wallet/payee-not-allowed",
  );
  expect(await rejectionCode(scoped.begin("payout", payout, options))).toBe(
    "wallet/payee-not-allowed",
  );
  expect((await owner().tokens(options)).tokens.map(({ id }) => id)).toHaveLength(2);
});

it("gives a wallet nothing of another one whose file was removed, and the same wallet its own", async () => {
  const removed = async (): Promise<void> => {
    await daemon.stop();
    rmSync(join(folder.path, `${ALICE}.json`));
    daemon = await start();
  };
  await owner().import({ seed_hex: alice.seed, birthday: 0n }, options);
  await expect.poll(isSynced, SOON).toBe(true);
  const events = await owner().events({}, options);
  const made = await owner().createToken({ scope: ["view"] }, options);
  await removed();
  await owner().import({ seed_hex: alice.seed, birthday: 0n }, options);
  await expect.poll(isSynced, SOON).toBe(true);
  expect(await owner().events({}, options)).toEqual(events);
  expect((await owner().tokens(options)).tokens).toMatchObject([{ id: made.id }]);
  await removed();
  await owner().import({ seed_hex: bob.seed, birthday: 0n }, options);
  await expect.poll(isSynced, SOON).toBe(true);
  expect((await owner().tokens(options)).tokens).toEqual([]);
  expect((await owner().events({}, options)).events).not.toContainEqual(events.events[0]);
});
