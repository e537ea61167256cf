/**
 * Receipts for people: payee and payer make one of a payment, and the explorer's page checks it with the network cut. On a chain that asks
 * for work (docs/light-client.md).
 */
import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { asChainIndex } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { receiptText } from "@svc/shared/signer/airgap/receiptText.ts";
import { HttpNode } from "@svc/shared/wallet/node/httpNode.ts";
import { never } from "../../integration/node/nodeFixture.ts";
import { launchBrowser, openPage, type PageWatch } from "../testkit/browser.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { LyingProxy } from "../testkit/lyingProxy.ts";
import { WalletPage } from "../testkit/walletPage.ts";
import { WorkedNode } from "../testkit/workedNode.ts";

/** Whom the first blocks pay, and whom the others. */
const [OWNER, MINER] = ["07".repeat(32), "09".repeat(32)];
/** Blocks until the owner can pay. */
const BEGINNING = 60;
/** Blocks above a payment of the first hundred after which it has a receipt. */
const OLD_ENOUGH = 400;
const PASSPHRASE = "a passphrase for receipts";
const CHALLENGE = "for the tax office, 7 March";

let node: WorkedNode;
let proxy: LyingProxy;
let browser: Browser;
let payer: WalletPage;
let payee: WalletPage;
let address: string;
let context: BrowserContext;
let page: Page;
let watch: PageWatch;
/** A receipt with a challenge that the payee signed, and one of the same payment without. */
let receipt: Buffer;
let unsigned: Buffer;
/** One of the same payment, made by its payer. */
let ofPayer: Buffer;
/** Requests that the page tried to make. */
const tried: string[] = [];
/** What the node was asked. */
const asked: string[] = [];

beforeAll(async () => {
  node = await WorkedNode.start({ index: "on" });
  await node.mine(BEGINNING, OWNER);
  proxy = await LyingProxy.before(node.url);
  proxy.tell((path, answer) => {
    asked.push(path);
    return answer;
  });
  browser = await launchBrowser();
  payer = await openWallet();
  await payer.restore(OWNER);
  payee = await openWallet();
  const seed = await payee.create();
  address = await payee.address();
  await payer.beginPayment({ to: address, amount: "2.5", memo: "bread" });
  await payer.sent();
  await node.mine(2, MINER);
  await node.mine(1, seed);
});

afterAll(async () => {
  await browser?.close();
  await proxy?.close();
  await node?.stop();
});

/** A browser without a wallet, which agreed to the network. */
async function openWallet(): Promise<WalletPage> {
  const fresh = await browser.newContext({ timezoneId: "UTC", acceptDownloads: true });
  const wallet = await WalletPage.open(fresh, proxy.url, PASSPHRASE);
  await wallet.button("I checked both: use this network").click();
  return wallet;
}

/** Opens a line of the history and makes its receipt; gives what the node was asked, byte by byte. */
async function askedFor(wallet: WalletPage, row: Locator): Promise<readonly string[]> {
  await row.click();
  await wallet.button("Make a receipt").click();
  const before = proxy.asked.length;
  await wallet.button("Make the receipt").click();
  await wallet.page.getByText("The receipt is made, and it holds.").waitFor();
  return evidenceSince(before);
}

/** What the node was asked since then of what receipts are made of. */
function evidenceSince(before: number): readonly string[] {
  const asked = proxy.asked.slice(before);
  return asked.filter((line) => /\/v1\/evidence\/(?:opening|membership|run)\?/.test(line));
}

/** The receipt that the wallet shows as made, as the browser saves it. */
async function saved(wallet = payee): Promise<Buffer> {
  const saving = wallet.page.waitForEvent("download");
  await wallet.button("Save the file").click();
  const file = await saving;
  expect(file.suggestedFilename()).toMatch(/^payment-[0-9a-f]{8}\.receipt$/);
  return readFileSync(await file.path());
}

describe("the wallet", () => {
  test("says how long a payment is too young for a receipt", async () => {
    await payee.goTo("History");
    await payee.row("+2.5", "bread").filter({ hasText: "Arriving" }).click();
    await payee.button("Make a receipt").click();
    await payee.button("Make the receipt").click();
    await payee.page.getByText(/too young\. A receipt can be made after \d+ more blocks/).waitFor();
    await keepPictures(payee.page, "wallet-young");
    await payee.page.keyboard.press("Escape");
  });

  test("makes one, and the node does not hear of the block that paid", async () => {
    await node.mine(OLD_ENOUGH, MINER);
    await payee.row("+2.5", "bread").filter({ hasText: "Confirmed" }).click();
    await payee.button("Make a receipt").click();
    await payee.page.getByLabel("For whom (optional)").fill(CHALLENGE);
    const before = asked.length;
    await payee.button("Make the receipt").click();
    await payee.page.getByText("The receipt is made, and it holds.").waitFor();
    await payee.button("Copy as text").waitFor();
    await keepPictures(payee.page, "wallet-made");
    receipt = await saved();
    await payee.page.getByLabel("For whom (optional)").fill("");
    await payee.button("Make the receipt").click();
    unsigned = await saved();
    expect(unsigned.length).toBeLessThan(receipt.length);
    expect(receipt.length).toBeLessThan(8 * 1_024);

    const shown = await payee.page.getByRole("dialog").innerText();
    const paid = BigInt(/Chain block\s+([\d,]+)/.exec(shown)?.[1]?.replaceAll(",", "") ?? "0");
    const http = new HttpNode(node.url);
    const hashAt = async (index: bigint) => (await http.start(asChainIndex(index), never)).hash;
    const since = asked.slice(before).join("\n");
    expect(since).toContain(
      `/v1/evidence/membership?of=${await hashAt(64n * (paid / 64n + 1n) + 128n)}`,
    );
    expect(since).not.toContain(await hashAt(paid));
    expect(payee.watch.faults).toEqual([]);
    await payee.page.keyboard.press("Escape");
  });

  test("makes one of a payment that it sent, and the node cannot tell which payment it is", async () => {
    // With that the wallets have all the evidence that they ask for by themselves.
    const shown = { hasText: "of work shown" };
    await payee.page.getByRole("radio", { name: "Mined" }).check();
    const mined = await askedFor(payee, payee.row("+", "Mined").filter(shown));
    // What a receipt of it needs is stored.
    await payer.reload();
    await payer.goTo("History");
    const sent = await askedFor(payer, payer.row("2.5", "bread").filter(shown));
    await payer.button("Copy as text").waitFor();
    await keepPictures(payer.page, "wallet-sent");
    ofPayer = await saved(payer);
    expect(ofPayer).toEqual(unsigned);
    expect(sent.length).toBeGreaterThan(2);
    expect(sent).toEqual(mined);
    expect(payer.watch.faults).toEqual([]);
  });

  test("says why it has none of a payment that it sent before it was restored", async () => {
    const restored = await openWallet();
    await restored.restore(OWNER);
    await restored.goTo("History");
    const shown = { hasText: "of work shown" };
    await restored.row("2.5", "Sent").filter(shown).click();
    await restored.button("Make a receipt").click();
    const before = proxy.asked.length;
    await restored.button("Make the receipt").click();
    await restored.page.getByText("does not have what shows the payee").waitFor();
    await keepPictures(restored.page, "wallet-undisclosed");
    expect(evidenceSince(before)).toEqual([]);
    await restored.close();
  });
});

describe("the explorer's page", () => {
  beforeAll(async () => {
    await Promise.all([payer.close(), payee.close()]);
    context = await browser.newContext({ locale: "en" });
    ({ page, watch } = await openPage(context, `${proxy.url}/explorer/check`));
    await page.locator('[data-testid="receipt-ready"][data-ready="true"]').waitFor();
    context.on("request", (request) => {
      // Each page looks at the node by itself, for its head and for what the index covers.
      if (!/\/api\/info\/(?:blockdag|index)$/.test(request.url())) tried.push(request.url());
    });
    await context.setOffline(true);
  });

  const verdict = () => page.getByTestId("check-receipt").getByTestId("check-verdict");

  /** Checks a file. */
  async function check(
    bytes: Buffer,
    challenge = "",
    button = "Check the receipt",
  ): Promise<string> {
    const form = page.getByTestId("check-receipt");
    await form.getByLabel("File of the receipt").setInputFiles({
      name: "a.receipt",
      mimeType: "application/octet-stream",
      buffer: bytes,
    });
    await form.getByLabel("Text that you asked for").fill(challenge);
    await form.getByRole("button", { name: button }).click();
    await form.getByText("Your browser is checking…").waitFor({ state: "detached" });
    return verdict().innerText();
  }

  test("checks it with the network cut, and asks nobody", async () => {
    expect(await check(receipt, CHALLENGE)).toContain("The receipt holds by itself");
    const facts = await page.getByTestId("receipt-facts").innerText();
    for (const part of [address, "2.5", CHALLENGE, "who was paid"]) {
      expect(facts).toContain(part);
    }
    await page.getByText(/to make up such a receipt takes [\d,]+ hashes on average/).waitFor();
    await keepPictures(page, "page-holds");
    expect(tried).toEqual([]);
    expect(watch).toEqual({ faults: [], strangers: [] });
  });

  test("checks one that the payer made: recipient and amount are right", async () => {
    expect(await check(ofPayer)).toContain("The receipt holds by itself");
    const facts = await page.getByTestId("receipt-facts").innerText();
    for (const part of [address, "2.5"]) expect(facts).toContain(part);
    await keepPictures(page, "page-of-payer");
    expect(tried).toEqual([]);
  });

  test("says so where a byte was flipped", async () => {
    const core = await loadCoreFile();
    const header = core.receiptHeader(receipt);
    for (let place = 0; place < receipt.length; place += 97) {
      const false_ = Buffer.from(receipt);
      false_.writeUInt8(false_.readUInt8(place) ^ 1, place);
      // oxlint-disable-next-line no-await-in-loop -- one form
      const said = await check(false_);
      const isRefused =
        /This receipt is false|This is no receipt|of another network|did not sign the text/.test(
          said,
        );
      // Work is easy here: half of the changed nonces are those of another header, whose own work holds.
      if (!isRefused) expect(core.receiptHeader(false_), `byte ${place}`).not.toBe(header);
    }
    await keepPictures(page, "page-false");
  });

  test("takes its text, and names one that was not copied to its end", async () => {
    const form = page.getByTestId("check-receipt");
    const text = receiptText(receipt);
    await form.getByLabel("Or its text").fill(text);
    expect(await check(Buffer.from("no receipt"))).toContain("The receipt holds by itself");
    await form.getByLabel("Or its text").fill(text.slice(0, -2));
    expect(await check(receipt)).toContain("The text was altered, or not copied to its end");
    await form.getByLabel("Or its text").fill("");
  });

  test("refuses another recipient, and a text that it was not made for", async () => {
    const core = await loadCoreFile();
    const own = core.addressAt(core.fullViewingKey(decodeHex(OWNER)), 0);
    const raw = core.decodeAddress(address.slice(0, address.indexOf(":")), address);
    const stolen = (from: Buffer): Buffer => {
      const place = from.indexOf(raw);
      expect(place).toBeGreaterThan(0);
      const bytes = Buffer.from(from);
      bytes.set(own, place);
      return bytes;
    };
    expect(await check(stolen(unsigned))).toContain("This receipt is false");
    expect(await check(stolen(receipt))).toContain("did not sign the text");
    expect(await check(receipt, "for me")).toContain("not made for the text that you asked for");
  });

  test("says without a network that no node answered, and with one that it stands on the chain", async () => {
    const button = "Check it with the chain of this node";
    expect(await check(receipt, "", button)).toContain("No node showed a chain");
    await context.setOffline(false);
    expect(await check(receipt, "", button)).toContain("stands on the chain that the node showed");
    await page.getByText(/at least [\d,]+ hashes of work above it/).waitFor();
    await keepPictures(page, "page-chain");
    expect(watch.strangers).toEqual([]);
  });
});
