/** Shows the wallet page over a snapshot: its real components and its real store, with workers that a test speaks for. */
import "../../ui/styles/tokens.css";
import "../../ui/styles/base.css";
import { createComponent } from "solid-js";
import { render } from "solid-js/web";
import { commands, page } from "vitest/browser";
import { expect, onTestFinished, vi } from "vitest";
import { ENGLISH, setLanguage } from "../../i18n/language.ts";
import { WalletApp } from "../../pages/WalletApp.tsx";
import { WalletClient } from "../../state/walletClient.ts";
import { WalletContext } from "../../state/walletContext.ts";
import type { Snapshot } from "../../wallet-api/walletApi.ts";
import { FakeWorkers, type WorkerAnswers } from "./fakeWorkers.ts";
import { DESK } from "./screenRules.ts";
import { usualAnswers } from "./usualAnswers.ts";

/** Where the page is shown, and what its workers say beside what is usual. */
export type WalletStage = Partial<WorkerAnswers> & {
  /** The address's hash; the first screen when left out. */
  readonly hash?: string;
};

/** Shows the page until the test ends. Resolves with its workers once it has taken the snapshot. */
export async function showWallet(
  snapshot: Snapshot,
  { hash = "#/", wallet = {}, keyring = {} }: WalletStage = {},
): Promise<FakeWorkers> {
  const usual = usualAnswers(snapshot);
  const workers = new FakeWorkers({
    wallet: { ...usual.wallet, ...wallet },
    keyring: { ...usual.keyring, ...keyring },
  });
  vi.stubGlobal("Worker", workers.workerClass());
  vi.stubGlobal("fetch", withBuildHashes(globalThis.fetch));
  history.replaceState(null, "", hash);
  const root = document.createElement("div");
  root.id = "root";
  document.body.append(root);
  const client = new WalletClient();
  const dispose = render(
    () =>
      createComponent(WalletContext.Provider, {
        value: client,
        get children() {
          return createComponent(WalletApp, {});
        },
      }),
    root,
  );
  onTestFinished(async () => {
    dispose();
    root.remove();
    workers.end();
    await forgetPage();
    expect(workers.unanswered).toEqual([]);
  });
  await client.start();
  await workers.tell(snapshot);
  return workers;
}

/** Serves the list of a build's files, which the development server has not. */
function withBuildHashes(served: typeof fetch): typeof fetch {
  const list = JSON.stringify({ "/wallet/index.html": "ab".repeat(32) });
  return (input, init) =>
    input === "/hashes.json" ? Promise.resolve(new Response(list)) : served(input, init);
}

/** Nothing of a test is there for the next one. */
async function forgetPage(): Promise<void> {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  localStorage.clear();
  sessionStorage.clear();
  setLanguage(ENGLISH);
  document.documentElement.lang = "en";
  delete document.documentElement.dataset["theme"];
  await commands.emulateMedia({ colorScheme: null, forcedColors: null, reducedMotion: null });
  await page.viewport(DESK.width, DESK.height);
}
