/** A browser whose disk is full, or whose storage is cleared, forgotten with its window, or written by a newer version of the page. */
import { describe, expect, test } from "vitest";
import { smallDiskRefusal, type SmallDisk } from "../../testkit/smallDisk.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";
import { smallBrowser } from "./smallBrowser.ts";
import { WalletPage } from "../testkit/walletPage.ts";

const PASSPHRASE = "a passphrase for faulty disks";
/** A browser may refuse a write, or close its whole store. */
const NO_ROOM = /This browser has no more room for|The browser stopped storing this wallet/;
const REMOVED = /The browser removed the data of this wallet/;
/** Bytes that a browser's profile and a wallet have enough of. */
const ROOM = 200 << 20;

const scene = setScene();

/** A wallet that tests pay to. */
const payee = shareAmongTests(
  async () => {
    const wallet = await openWallet(scene, PASSPHRASE);
    await wallet.create();
    return { wallet, address: await wallet.address() };
  },
  ({ wallet }) => wallet.close(),
);

/** A wallet with coins, to which nothing is mined any more, open and up to date; each test leaves it so. */
const owner = shareAmongTests(
  async () => {
    const wallet = await openWallet(scene, PASSPHRASE);
    const seed = await wallet.create();
    await wallet.earn();
    await wallet.stopMining();
    return { wallet, seed };
  },
  ({ wallet }) => wallet.close(),
);

/** Waits for the payment that was made with room there; the one without has not come, and nothing came twice. */
async function expectPaidOnce(wallet: WalletPage, where: string): Promise<void> {
  await wallet.goTo("History");
  await wallet.row("+0.5", `with room ${where}`).waitFor();
  expect(await wallet.row("", where).count()).toBe(1);
}

/** Removes what the origin has stored, as a person does, or its databases alone, as a browser does that is short of space. */
async function clearStorage({ page }: WalletPage, storageTypes: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Storage.clearDataForOrigin", { origin: scene.node.url, storageTypes });
  await devtools.detach();
}

/** Why no small disk can be made here, for the name of the skipped tests. */
const refusal = smallDiskRefusal();
const reason = refusal === null ? "" : ` (${refusal})`;

describe.skipIf(refusal !== null)(`a browser whose disk is full${reason}`, () => {
  test("is named, nothing is paid meanwhile, and the wallet goes on when there is room again", async () => {
    const { disk, context } = await smallBrowser(ROOM);
    const wallet = await WalletPage.open(context, scene.node.url, PASSPHRASE);
    const seed = await wallet.create();
    await wallet.earn();
    const { wallet: other, address: to } = await payee.get();
    const sent: string[] = [];
    wallet.page.on("request", (request) => {
      if (request.url().endsWith("/v1/tx")) sent.push(request.method());
    });
    await wallet.reviewPayment({ to, amount: "0.5", memo: "without room on the disk" });
    // The proof takes seconds, a disk is full at once.
    await wallet.page.getByRole("button", { name: /^Send / }).click();
    await withoutRoom(disk, () => wallet.says(NO_ROOM));
    expect(sent).toEqual([]);
    await reloadOrRestore(wallet, seed);
    await wallet.beginPayment({ to, amount: "0.5", memo: "with room on the disk" });
    await wallet.sent();
    await expectPaidOnce(other, "on the disk");
  });

  test("makes no half a wallet", async () => {
    const { disk, context } = await smallBrowser(ROOM);
    const wallet = await WalletPage.open(context, scene.node.url, PASSPHRASE);
    await wallet.button("Create a wallet").waitFor();
    await withoutRoom(disk, async () => {
      void wallet.create().catch(() => undefined);
      await wallet.says(NO_ROOM);
    });
    const later = await WalletPage.open(context, scene.node.url, PASSPHRASE);
    await wallet.page.close();
    await later.create();
  });
});

/**
 * Loads the page anew and opens the wallet. Chromium goes on writing behind a record that the full disk cut off, takes the store
 * for damaged when it opens it next, and removes it; then the page must say so, and the seed bring the wallet back.
 */
async function reloadOrRestore(wallet: WalletPage, seed: string): Promise<void> {
  await wallet.page.reload();
  const locked = wallet.page.getByLabel("Passphrase", { exact: true });
  const removed = wallet.page.getByText(REMOVED);
  await locked.or(removed).first().waitFor();
  if (await removed.isVisible()) await wallet.restore(seed);
  else await wallet.unlock();
  await wallet.ready();
}

/** Does this while the disk is full: what the browser frees of its own is taken again. */
async function withoutRoom(disk: SmallDisk, work: () => Promise<void>): Promise<void> {
  try {
    await disk.whileFull(work);
  } finally {
    disk.leave(ROOM);
  }
}

/** Lets the browser store no more than this for the pages; null for what it likes. Bytes. */
async function setQuota(
  { page }: WalletPage,
  quotaSize: number | null,
): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  const origin = scene.node.url;
  await devtools.send("Storage.overrideQuotaForOrigin", {
    origin,
    ...(quotaSize === null ? {} : { quotaSize }),
  });
  return () => devtools.detach();
}

describe("a browser that gives no more room", () => {
  test("in the middle of a payment: nothing is sent, its coins are free at once, and pay when there is room", async () => {
    const { wallet } = await owner.get();
    const { wallet: other, address: to } = await payee.get();
    // The chain stands still: a wallet that is behind it does not pay.
    await scene.node.freeze();
    // The proof is held up until the room is gone. A new page has a prover without its circuit.
    const full = Promise.withResolvers<void>();
    await wallet.page.context().route("**/action-circuit*", async (route) => {
      await full.promise;
      await route.continue();
    });
    await wallet.reload();
    await wallet.beginPayment({ to, amount: "0.5", memo: "without room in the quota" });
    await wallet.goTo("History");
    await wallet
      .row("0.5", "without room in the quota")
      .filter({ hasText: "In preparation" })
      .waitFor();
    const detach = await setQuota(wallet, 1);
    // A browser goes on for a while by the room that it last counted.
    await wallet.goTo("Receive");
    const isRefused = async (): Promise<boolean> => {
      await wallet.button("New address").click();
      return wallet.page.getByRole("main").getByText(NO_ROOM).first().isVisible();
    };
    await expect.poll(isRefused, { interval: 500 }).toBe(true);
    await wallet.goTo("Send");
    full.resolve();
    const title = wallet.page.getByRole("heading", { name: "The payment was not sent" });
    await title.waitFor();
    await wallet.page.getByRole("main").getByText(NO_ROOM).first().waitFor();
    await wallet.goTo("Home");
    await wallet.page.getByText("Nothing under way").waitFor();
    await detach();
    const back = await setQuota(wallet, null);
    await wallet.ready();
    await wallet.beginPayment({ to, amount: "0.5", memo: "with room in the quota" });
    await wallet.sent();
    await expectPaidOnce(other, "in the quota");
    await back();
    await wallet.page.context().unrouteAll({ behavior: "ignoreErrors" });
    await scene.node.stop();
    await scene.node.start();
  });
});

describe("a browser that forgets", () => {
  test("stops the open wallet in words, and the seed brings everything back", async () => {
    const { wallet, seed } = await owner.get();
    await wallet.goTo("Home");
    await wallet.page.getByText("Nothing under way").waitFor();
    const total = await wallet.sum("total");
    await clearStorage(wallet, "all");
    await wallet.page.getByText("The browser removed the data of this wallet").waitFor();
    await wallet.button("Reload the page").click();
    await wallet.restore(seed);
    await expect.poll(() => wallet.sum("total")).toBe(total);
  });

  test("while no page is open says so at the next visit, and the seed brings everything back", async () => {
    const { wallet, seed } = await owner.get();
    const total = await wallet.sum("total");
    await wallet.page.goto(`${scene.node.url}/explorer/`);
    await clearStorage(wallet, "indexeddb");
    await wallet.page.goBack();
    await wallet.says(REMOVED);
    await wallet.restore(seed);
    await expect.poll(() => wallet.sum("total")).toBe(total);
  });

  test("is told of before it does: a private window has promised nothing", async () => {
    const { wallet } = await owner.get();
    await wallet.goTo("Settings");
    await wallet.page.getByText("This browser has not promised to keep").waitFor();
  });
});

describe("a newer version of the page", () => {
  test("in another tab takes the wallet from this one, which says so before and after a reload", async () => {
    const { wallet } = await owner.get();
    const newer = await wallet.page.context().newPage();
    await newer.goto(`${scene.node.url}/explorer/`);
    await newer.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const request = indexedDB.open("svc-wallet", 1_000);
          request.addEventListener("success", () => {
            request.result.close();
            resolve();
          });
          request.addEventListener("error", () => reject(request.error ?? new Error("no reason")));
        }),
    );
    await wallet.page.getByText("The wallet moved to another tab").waitFor();
    await wallet.page.reload();
    await wallet.page.getByText(/newer/).waitFor();
    await owner.drop();
  });
});
