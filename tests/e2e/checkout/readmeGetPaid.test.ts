/**
 * The README's section about getting paid, run as it stands there: its five commands at other ports and in another folder, and the invoice
 * paid in the wallet of a browser by the link of the checkout page.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { untilSo } from "../../network/testkit/nodeProcess.ts";
import { PATIENCE_MS } from "../../network/testkit/networkSizes.ts";
import { ProgramRun } from "../../network/testkit/programRun.ts";
import {
  answered,
  atAddress,
  readmeLines,
  shell,
  startNetwork,
} from "../../network/testkit/writtenCalls.ts";
import { svcCommand } from "../../testkit/svcCommand.ts";
import { launchBrowser, openPage } from "../testkit/browser.ts";
import { openWallet } from "../testkit/openWallet.ts";
import type { WalletPage } from "../testkit/walletPage.ts";

const SECTION = "Get paid";
/** Where the README says that the gateway is. */
const GATEWAY = "http://127.0.0.1:8510";
/** Two blocks a second: coins mature while the pages load. */
const BLOCKS = "--block-interval=500";

/** What stands in the README's first line, as `package.json` has it. */
function startScript(): unknown {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  return JSON.parse(text).scripts.start;
}

/** A line in a shell in which `npx svc` is the program under test, in this folder. */
function inFolder(folder: string, line: string): string {
  const command = svcCommand([])
    .map((word) => `'${word}'`)
    .join(" ");
  return `npx() { shift; ${command} "$@"; }; cd '${folder}'; ${line}`;
}

/** The gateway of a line of the README, until the test ends; gives where it answers. */
async function startGateway(line: string, environment: Readonly<Record<string, string>>) {
  const [npx, svc, ...args] = line.split(" ");
  expect([npx, svc, args[0]]).toEqual(["npx", "svc", "gateway"]);
  const gateway = new ProgramRun(svcCommand(args), environment);
  const [, address = ""] = await gateway.text(/^API +(\S+)/m);
  await untilSo(async () => (await fetch(`${address}/health/ready`)).ok, PATIENCE_MS);
  return { gateway, address };
}

/** Pays what a payment link asks for: it fills in the form. */
async function payLink(wallet: WalletPage, link: string): Promise<void> {
  await wallet.goTo("Send");
  await wallet.page.getByLabel("To", { exact: true }).fill(link);
  const amount = wallet.page.getByLabel("Amount", { exact: true });
  await expect.poll(() => amount.inputValue()).toBe("2.5");
  await wallet.button("Review").click();
  await wallet.page.getByRole("button", { name: /^Send / }).click();
  await wallet.sent();
}

test("from nothing to a test invoice that is paid in the browser, by the five commands of the README", async () => {
  const [start, add = "", serve = "", key = "", create = "", ...more] = readmeLines(SECTION);
  expect([start, more]).toEqual(["npm start", []]);
  expect(startScript()).toMatch(/ node-server\/bin\/svc\.ts local$/);
  const folder = folderOfTest();
  const { network, http, grpc } = await startNetwork(folder, BLOCKS);
  const environment = {
    SVC_GATEWAY_DIR: join(folder, "gateway"),
    SVC_RPC_SERVER: grpc,
    SVC_GATEWAY_LISTEN: "127.0.0.1:0",
  };

  const added = await shell(inFolder(folder, add), environment);
  const seed = readFileSync(join(folder, "shop.seed"), "utf8").trim();
  expect(added).toContain("the seed in shop.seed spends what shop earns");
  expect(added).not.toContain(seed);
  const { gateway, address } = await startGateway(serve, environment);
  const KEY = (await shell(inFolder(folder, `${key}; echo "$KEY"`), environment)).trim();

  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const wallet = await openWallet({ browser, node: { url: http } }, "a passphrase of the customer");
  await wallet.create();
  await wallet.earn();
  const invoice = await answered(atAddress(create, address, GATEWAY), { KEY });
  const context = await browser.newContext({ locale: "en-US" });
  const { page, watch } = await openPage(context, String(invoice["checkoutUrl"]));
  const link = await page.getByRole("link", { name: "Open in wallet" }).getAttribute("href");
  await payLink(wallet, link ?? "");
  const paid = page.getByRole("heading", { level: 1, name: "Paid", exact: true });
  await paid.waitFor();
  expect([watch, wallet.watch]).toMatchObject([
    { faults: [], strangers: [] },
    { faults: [], strangers: [] },
  ]);

  // What the shop earned is of the wallet whose seed the file has.
  const shop = await openWallet({ browser, node: { url: http } }, "a passphrase of the shop");
  await shop.restore(seed);
  expect(await shop.sum("total")).toBe("2.5");
  for (const program of [gateway, network]) {
    program.send("SIGTERM");
    expect((await program.ended()).status).toBe(0);
  }
  expect(gateway.said.out + gateway.said.err).not.toContain(seed);
});
