/** What a payout wallet sends to open its daemon, and what it sends never. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { WalletdPayout } from "./payoutWallet.ts";

const TOKEN = `svct.${"ab".repeat(32)}`;
const BEARER = "Letters0123456789";
const signal = new AbortController().signal;

function scene(withBearer: boolean) {
  const folder = folderOfTest();
  const [tokenFile, file] = [join(folder, "token"), join(folder, "bearer")];
  writeFileSync(tokenFile, `${TOKEN}\n`);
  writeFileSync(file, `${BEARER}\n`);
  const sent: (string | null)[] = [];
  const request: typeof fetch = async (_url, init) => {
    sent.push(new Headers(init?.headers).get("authorization"));
    return new Response("", { status: 500 });
  };
  const payout = { walletdUrl: "https://wallet.example", tokenFile };
  const bearerFile = withBearer ? file : null;
  return { file, sent, wallet: new WalletdPayout({ ...payout, bearerFile }, request) };
}

it("sends the bearer token of a daemon that serves the public, read anew for each call, and none to another", async () => {
  const { file, sent, wallet } = scene(true);
  await rejectionCode(wallet.name(signal));
  writeFileSync(file, "Another0123456789");
  await rejectionCode(wallet.name(signal));
  expect(sent).toEqual([`Bearer ${BEARER}`, "Bearer Another0123456789"]);
  const other = scene(false);
  await rejectionCode(other.wallet.name(signal));
  expect(other.sent).toEqual([null]);
});

it("asks nobody where the file of the bearer token is gone or holds something else", async () => {
  const { file, sent, wallet } = scene(true);
  for (const content of ["short", "a b c d e f g h i j k l", "x".repeat(600), null]) {
    if (content === null) rmSync(file);
    else writeFileSync(file, content);
    expect(await rejectionCode(wallet.name(signal))).toBe("gateway/storage");
  }
  expect(sent).toEqual([]);
});
