/** The payment form of one payee: what it says of what is typed, and what becomes of it. */
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { ModelWallet } from "../testkit/modelWallet.ts";
import { showWallet } from "../testkit/showWallet.ts";
import { button, field, goTo } from "../testkit/walletScreen.ts";

/** The form of a wallet with coins. */
async function openForm(): Promise<ModelWallet> {
  const model = await ModelWallet.open();
  await showWallet(model.snapshot(), { hash: "#/send", wallet: model.answers() });
  return model;
}

test("an empty form is told what it lacks, a wrong address at once", async () => {
  const { own } = await openForm();
  await button("Review").click();
  await expect
    .element(page.getByText("Whom to pay? Paste an address or a payment link."))
    .toBeVisible();
  await field("To").fill(`${own.slice(0, -1)}b`);
  await expect.element(page.getByText(/cannot occur in an address/)).toBeVisible();
  await field("To").fill(own);
  await button("Review").click();
  await expect.element(page.getByText("How much? Write it like 12.5.")).toBeVisible();
});

test("a clipboard that the browser keeps to itself is told of", async ({ onTestFinished }) => {
  await openForm();
  const refuse = () => Promise.reject(new DOMException("no", "NotAllowedError"));
  Object.defineProperty(navigator.clipboard, "readText", { value: refuse, configurable: true });
  onTestFinished(() => void Reflect.deleteProperty(navigator.clipboard, "readText"));
  await button("Paste").click();
  await expect.element(page.getByText(/does not show the clipboard/)).toBeVisible();
});

test("U10, U9: an amount may be typed as it is shown, and errors have such amounts", async () => {
  const { own } = await openForm();
  await field("To").fill(own);
  await field("Amount").fill("1,5");
  await expect.element(page.getByText("Read as 1.5 coins")).toBeVisible();
  await field("Amount").fill("1,000,000,000");
  await expect
    .element(page.getByText(/^1,000,000,000\.\d+ coins are needed, fee included/))
    .toBeVisible();
});

test("B8: Back leads from the review to the form, and the form outlives other screens", async () => {
  const { own } = await openForm();
  await field("To").fill(own);
  await field("Amount").fill("1.1");
  await field("Memo").fill("kept");
  await button("Review").click();
  await expect.element(button(/^Send /)).toBeVisible();
  history.back();
  await expect.element(field("Memo")).toHaveValue("kept");
  history.forward();
  await expect.element(button(/^Send /)).toBeVisible();
  await goTo("Receive");
  await goTo("Send");
  await expect.element(field("Memo")).toHaveValue("kept");
});

test("B15: a link without memo keeps the typed one, an address may be in capitals", async () => {
  const { own } = await openForm();
  await field("Memo").fill("typed before");
  await field("To").fill(`${own}?amount=1.5`);
  await expect.element(field("Amount")).toHaveValue("1.5");
  await expect.element(field("Memo")).toHaveValue("typed before");
  const prefix = own.slice(0, own.indexOf(":"));
  await field("To").fill(`web+${prefix}:${own.slice(prefix.length + 1)}?amount=2`);
  await expect.element(field("Amount")).toHaveValue("2");
  await expect.element(field("To")).toHaveValue(own);
  await field("To").fill(own.toUpperCase());
  await button("Review").click();
  await expect.element(button(/^Send /)).toBeVisible();
});
