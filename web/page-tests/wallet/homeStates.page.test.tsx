/** The first screen of an open wallet while it is scanned, and while its node is away. */
import { asChainIndex } from "@svc/shared/base/brand.ts";
import { walletStatus, type StatusFacts } from "@svc/shared/wallet/view/status.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { Snapshot } from "../../wallet-api/walletApi.ts";
import { ModelWallet } from "../testkit/modelWallet.ts";
import { showWallet } from "../testkit/showWallet.ts";

const NOW_MS = 1_300_000;

/** The snapshot of a wallet in another state than at the tip. */
function inState(model: ModelWallet, state: Partial<StatusFacts>): Snapshot {
  const snapshot = model.snapshot();
  if (snapshot.wallet === null) throw new TypeError("the wallet is open");
  const tip = asChainIndex(BigInt(model.chain.length));
  const status = walletStatus({
    unlocked: true,
    opened: true,
    failures: 0,
    problem: null,
    birthdayIndex: asChainIndex(0n),
    cursorIndex: tip,
    tipIndex: tip,
    everSynced: true,
    historyMissing: false,
    history: null,
    ...state,
  });
  return { ...snapshot, wallet: { ...snapshot.wallet, status } };
}

test("B12: while a restored wallet is scanned nothing says that there are no payments", async () => {
  const model = await ModelWallet.unpaid();
  const scanning = inState(model, { everSynced: false, tipIndex: asChainIndex(1_000n) });
  const workers = await showWallet(scanning, { wallet: model.answers() });
  const searching = page.getByText("Payments show up here as the chain is scanned.");
  await expect.element(searching).toBeVisible();
  expect(page.getByText("Nothing here yet").query()).toBeNull();
  await workers.tell(model.snapshot());
  await expect.element(page.getByText("Nothing here yet")).toBeVisible();
  expect(searching.query()).toBeNull();
});

test("B13: without the network no countdown runs on and nothing is called up to date", async () => {
  vi.setSystemTime(NOW_MS);
  const model = await ModelWallet.open();
  const workers = await showWallet(model.snapshot(), { wallet: model.answers() });
  await expect.element(page.getByText(/^Next in about/)).toBeVisible();
  await expect.element(page.getByText("Up to date").first()).toBeInTheDocument();
  const away = inState(model, { failures: WALLET_LIMITS.walletOfflineAfter });
  await workers.tell({ ...away, node: { ...away.node, state: "offline" } });
  await expect.element(page.getByText("Waits for the node").last()).toBeVisible();
  expect(page.getByText("Up to date").query()).toBeNull();
  expect(page.getByText(/in about/).query()).toBeNull();
});
