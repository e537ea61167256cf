/** A proof in a page: how long it takes with several workers, and that the page stays responsive. */
import { describe, expect, test } from "vitest";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { MainThread } from "../testkit/mainThread.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import type { WalletPage } from "../testkit/walletPage.ts";

/** Longest task of the main thread from the form to the end of the proof (milliseconds of the processor). */
const LONG_TASK_MS = 50;

const scene = setScene();

/** Pays with a bundle of two actions; `watch` begins to measure before and says what it measured after. */
async function payOnce<T>(
  query: string,
  watch: (wallet: WalletPage) => Promise<() => Promise<T>>,
): Promise<T> {
  const wallet = await openWallet(scene, "a passphrase to prove with", query);
  await wallet.create();
  expect(Number(await wallet.earn())).toBeGreaterThan(1);
  const to = await wallet.address();
  const measured = await watch(wallet);
  await wallet.beginPayment({ to, amount: "0.5", memo: "" });
  await wallet.sent();
  const figures = await measured();
  expect(wallet.watch.faults).toEqual([]);
  expect(wallet.watch.strangers).toEqual([]);
  await wallet.close();
  return figures;
}

test("two actions over a pool of two workers are proved in a page", async () => {
  await payOnce("?proof-threads=2", async () => async () => null);
});

describe.skipIf(!IS_FULL)("proving in a page", () => {
  const watched = async (wallet: WalletPage) => {
    const thread = await MainThread.watch(scene.browser, wallet.page);
    const proved = wallet.provingTime();
    return async () => ({
      proofMs: await proved,
      longestTaskMs: await thread.longestMs(LONG_TASK_MS),
    });
  };

  test("two actions over a pool of two workers, without a long task", async () => {
    const measured = await payOnce("?proof-threads=2", watched);
    console.log(JSON.stringify({ bench: "page-proof", actions: 2, workers: 2, ...measured }));
    expect(measured.proofMs).toBeGreaterThan(0);
    expect(measured.longestTaskMs).toBeLessThanOrEqual(LONG_TASK_MS);
  });

  test("the upstream prover can be chosen", async () => {
    const measured = await payOnce("?prover=upstream", watched);
    console.log(
      JSON.stringify({ bench: "page-proof", actions: 2, prover: "upstream", ...measured }),
    );
    expect(measured.proofMs).toBeGreaterThan(0);
  });
});
