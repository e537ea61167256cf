/** The payment screen from the review to its end, and what becomes of a payment that came to nothing. */
import { asAddressText, asTimestampMs, asTxId } from "@svc/shared/base/brand.ts";
import { forgetPayment } from "@svc/shared/wallet/reduce/forgetPayment.ts";
import { encodeMemo } from "@svc/shared/wallet/state/memo.ts";
import { TEST_POLICY } from "@svc/shared/wallet/testkit/chainModel.ts";
import { advance, payeeOf, withPlanned } from "@svc/shared/wallet/testkit/payments.ts";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import type { SendStage, SendView, Snapshot } from "../../wallet-api/walletApi.ts";
import { exampleSnapshot } from "../../wallet-worker/testkit/exampleSnapshot.ts";
import type { FakeWorkers } from "../testkit/fakeWorkers.ts";
import { COIN, ModelWallet } from "../testkit/modelWallet.ts";
import { showWallet } from "../testkit/showWallet.ts";
import { button, field, goTo, textOf } from "../testkit/walletScreen.ts";

const NOW_MS = 1_300_000;
const MEMO = "came to nothing";

/** Sentences of the live region at each stage. */
const SAID = {
  building: "Choosing notes and getting the prover ready",
  proving: "Computing the zero-knowledge proof",
  signing: "Comparing the proof with what you confirmed, then signing",
  broadcasting: "Handing the payment to the node",
} as const;

/** The screen at one moment. */
type Sight = { stage: string; text: string; form: boolean; lost: boolean };

beforeEach(() => void vi.setSystemTime(NOW_MS));

/** A payment at this stage. */
function at(stage: SendStage): SendView {
  const { send } = exampleSnapshot;
  if (send === null) throw new TypeError("the example has a payment under way");
  const isOut = stage === "broadcasting" || stage === "sent";
  const txid = isOut ? asTxId("ab".repeat(32)) : null;
  return { ...send, stage, startedMs: NOW_MS, fraction: null, cancellable: !isOut, parts: 1, txid };
}

/** Texts of the screen, noted at every change from now on. */
function watchScreen(): readonly Sight[] {
  const seen: Sight[] = [];
  const look = () => {
    const stages = document.querySelector<HTMLElement>("[data-testid=stage]");
    const live = stages?.parentElement?.querySelector("[aria-live=polite]");
    seen.push({
      stage: stages?.dataset["stage"] ?? "",
      text: live?.textContent ?? "",
      form: document.querySelector("main form") !== null,
      lost: document.activeElement === document.body,
    });
  };
  const observer = new MutationObserver(look);
  observer.observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    characterData: true,
  });
  onTestFinished(() => observer.disconnect());
  return seen;
}

/** Where the keyboard is among the steps of a payment. */
const placeOfKeyboard = () => document.activeElement?.getAttribute("data-step");

type Scene = {
  readonly model: ModelWallet;
  readonly workers: FakeWorkers;
  readonly open: Snapshot;
};

/** A payment on its review. The worker answers that it is made when `made` says so. */
async function review(made: Promise<void>): Promise<Scene> {
  const model = await ModelWallet.open();
  const open = model.snapshot();
  const wallet = { ...model.answers(), send: () => made };
  const workers = await showWallet(open, { hash: "#/send", wallet });
  await field("To").fill(model.own);
  await field("Amount").fill("1.1");
  await button("Review").click();
  await expect.element(button(/^Send /)).toBeVisible();
  return { model, workers, open };
}

describe("the payment screen", () => {
  test("B5, B6, B11: goes from the review through all stages to the end, without the form and with the keyboard", async () => {
    const made = Promise.withResolvers<void>();
    const { workers, open } = await review(made.promise);
    await expect.poll(placeOfKeyboard).toBe("review");
    const seen = watchScreen();
    await button(/^Send /).click();
    await expect.poll(() => workers.callsOf("send")).toHaveLength(1);
    for (const stage of ["building", "proving", "signing", "broadcasting", "sent"] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one stage after the other
      await workers.tell({ ...open, send: at(stage) });
    }
    made.resolve();
    await expect.element(page.getByRole("heading", { name: "Payment sent" })).toBeVisible();
    await expect.poll(placeOfKeyboard).toBe("end");
    for (const [stage, said] of Object.entries(SAID)) {
      const texts = seen.filter((sight) => sight.stage === stage).map(({ text }) => text);
      expect(new Set(texts), stage).toEqual(new Set([said]));
    }
    expect(seen.filter(({ form }) => form)).toEqual([]);
    expect(seen.filter(({ stage, lost }) => stage !== "" && lost)).toEqual([]);
  });

  test("B8: Lock asks before it ends a payment, and the payment can go on", async () => {
    const made = Promise.withResolvers<void>();
    const { workers, open } = await review(made.promise);
    await button(/^Send /).click();
    await workers.tell({ ...open, send: at("proving") });
    const lock = page.getByRole("navigation").getByRole("button", { name: "Lock" });
    const asks = page.getByText("Cancel the payment and lock?");
    await lock.click();
    await expect.element(asks).toBeVisible();
    await button("Go on paying").click();
    await expect.element(asks).not.toBeInTheDocument();
    expect(workers.callsOf("lock")).toEqual([]);
    // Once it has left, a lock ends nothing, and what was asked is no question any more.
    await lock.click();
    await expect.element(asks).toBeVisible();
    await workers.tell({ ...open, send: at("broadcasting") });
    await expect.element(asks).not.toBeInTheDocument();
    await workers.tell({ ...open, send: at("sent") });
    made.resolve();
    await expect.element(page.getByRole("heading", { name: "Payment sent" })).toBeVisible();
    expect(workers.callsOf("lock")).toEqual([]);
  });
});

/** The history of a wallet with a payment to itself that was cancelled before its last block. */
async function showCancelled(): Promise<Scene> {
  const model = await ModelWallet.open();
  const payee = {
    ...payeeOf(11n * (COIN / 10n), { memo: encodeMemo(MEMO) }),
    address: asAddressText(model.own),
    own: true,
  };
  const planned = withPlanned(model.state, TEST_POLICY, { id: "p", payees: [payee] });
  const { outbox } = advance(planned, "p", [{ type: "cancel" }]);
  const before = (model.chain.at(model.chain.length)?.timestamp ?? 0n) - 1n;
  model.outbox = outbox.map((payment) => ({ ...payment, createdMs: asTimestampMs(before) }));
  const open = model.snapshot();
  const forget = async (id: string) => {
    model.outbox = forgetPayment(model.state, id).outbox;
    await workers.tell(model.snapshot());
  };
  const wallet = { ...model.answers(), forgetPayment: forget };
  const workers = await showWallet(open, { wallet });
  return { model, workers, open };
}

describe("a payment that came to nothing", () => {
  const rows = () => page.getByTestId("history-row");

  test("B7: sinks, is not called sent, and can leave the list", async () => {
    const { workers } = await showCancelled();
    // A block mined to the wallet since then stands above it.
    await expect
      .element(
        rows()
          .first()
          .filter({ hasText: /^Mined/ }),
      )
      .toBeVisible();
    await goTo("History");
    await page.getByRole("radio", { name: "Sent" }).click();
    const row = rows().filter({ hasText: "Cancelled" }).filter({ hasText: MEMO });
    await expect.element(row).toBeVisible();
    expect(textOf(row)).not.toContain("Sent");
    await row.click();
    await button("Remove from the list").click();
    await expect.element(row).not.toBeInTheDocument();
    expect(page.getByRole("dialog").query()).toBeNull();
    expect(workers.callsOf("forgetPayment")).toEqual([["p"]]);
  });

  test("B8: is filled in again from the history", async () => {
    const { model } = await showCancelled();
    await goTo("Send");
    await field("Memo").fill("another one");
    await goTo("History");
    await rows().filter({ hasText: MEMO }).click();
    await button("Fill in again").click();
    await expect.element(field("Memo")).toHaveValue(MEMO);
    await expect.element(field("To")).toHaveValue(model.own);
    await expect.element(field("Amount")).toHaveValue("1.1");
  });
});
