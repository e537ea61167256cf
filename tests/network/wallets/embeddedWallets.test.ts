/** The wallet API inside a node, as an operator starts it: the same server as that of `svc walletd`. */
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { parsePairing } from "@svc/shared/protocol/wallet/pairing.ts";
import { WalletClient } from "@svc/shared/protocol/wallet/walletClient.ts";
import { unlikeBody } from "../../testkit/walletBodies.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";
import { untilSo } from "../testkit/nodeProcess.ts";
import { mineTo, startNetwork } from "../testkit/writtenCalls.ts";

const TOKEN = "5b".repeat(16);
const COIN = 100_000_000n;
const options = { signal: new AbortController().signal };

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

test("a node serves wallets that are made, paid and pay, with its own pairing code", async () => {
  const api = ["--wallet-api=127.0.0.1:0", "--wallet-api-host=127.0.0.1", "--wallet-api-insecure"];
  const { network, http } = await startNetwork(folder.path, ...api);
  const [code = ""] = await network.text(/^svc\+https?:\S+$/m);
  const { host, port, token: bearer, network: named } = parsePairing(code);
  expect([host, named]).toEqual(["127.0.0.1", "simnet"]);
  const baseUrl = `http://127.0.0.1:${port}`;
  const client = new WalletClient({ baseUrl, token: TOKEN, bearer });

  await expect(new WalletClient({ baseUrl, token: TOKEN }).status(options)).rejects.toThrow(
    "api/bad-bearer",
  );
  const made = await client.create({ birthday: 0n }, options);
  expect(made.network).toBe("simnet");
  await mineTo(http, made.address);
  await untilSo(async () => {
    const { spend_ready: ready, spendable_sompi: spendable } = await client.status(options);
    return ready && spendable > 3n * COIN;
  }, PATIENCE_MS);
  const headers = { "X-Wallet-Token": TOKEN, Authorization: `Bearer ${bearer}` };
  const status: unknown = await (await fetch(`${baseUrl}/api/status`, { headers })).json();
  expect(unlikeBody("status", status)).toEqual([]);
  const { address: to } = await client.address({ index: "7" }, options);
  const request = { to, amount_sompi: COIN, memo: "to myself" };
  const sent = await client.send(request, { ...options, idempotencyKey: "once" });
  expect(sent).toMatchObject({ amount_sompi: COIN, tx_count: 1 });
  await untilSo(async () => {
    const { rows } = await client.history({ limit: "5000" }, options);
    return rows.some(({ txid, kind }) => txid === sent.txid && kind === "sent");
  }, PATIENCE_MS);
});
