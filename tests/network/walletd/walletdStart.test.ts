/** What `svc walletd` says when it starts. */
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { ProgramRun } from "../testkit/programRun.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

test("a start script of the reference goes on working, and its flags without effect are named", async () => {
  const daemon = ProgramRun.svc([
    ...["walletd", "--network=simnet", `--wallet-dir=${join(folder.path, "wallets")}`],
    ...["-s", "127.0.0.1:1", "-l", "127.0.0.1:0", "--allow-default-token", "--sync-wallets=2"],
    ...["--warm-wallets=2", "--page-cache-ttl=10", "--runtime-threads=8"],
  ]);
  const [, address = ""] = await daemon.text(/^wallet API +(\S+)/m);
  const idle = ["runtime-threads", "warm-wallets", "page-cache-ttl"];
  for (const name of idle) await daemon.text(new RegExp(`^--${name} has no effect: \\w`, "m"));
  const answer = await fetch(`${address}/api/wallet/balance`);
  // Without a token it means the default wallet, which is not there.
  expect(await answer.json()).toEqual({ error: "no wallet loaded", code: "wallet/no-wallet" });
  expect(answer.status).toBe(404);
});
