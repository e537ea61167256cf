/** Signed messages: made after their warning and the passphrase, and checked; an altered one proves nothing. */
import { encodeHex } from "@svc/shared/base/hex.ts";
import type { SignedMessage } from "@svc/shared/signer/addressControl.ts";
import {
  readSignedMessage,
  signedMessageText,
} from "@svc/shared/signer/messages/signedMessageText.ts";
import { describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import { german } from "../../i18n/de/german.ts";
import { en } from "../../i18n/en/en.ts";
import { spanish } from "../../i18n/es/spanish.ts";
import { chooseLanguage } from "../../state/language/languageChoice.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { PASSPHRASE } from "../testkit/keys/cheapKeyring.ts";
import { OwnedWallet, type OwnedStage } from "../testkit/owned/ownedWallet.ts";
import { savedFiles } from "../testkit/savedFiles.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { textIn } from "../testkit/textIn.ts";
import { button, field, textOf } from "../testkit/walletScreen.ts";

const HASH = "#/settings/messages";
const TEXT = "2026-11-28, for Ann:\nI have this address ✓";

const sign = page.getByRole("button", { name: "Sign", exact: true });
const signer = page.getByLabelText("Address of the signer");
const signedText = page.getByLabelText("Text that was signed");
const verdict = page.getByTestId("verdict");
const check = () => page.getByRole("button", { name: "Check", exact: true }).click();

/** The room of a wallet that has signed the text before. */
async function showSigned(
  stage: OwnedStage = {},
): Promise<{ wallet: OwnedWallet; signed: SignedMessage }> {
  const wallet = await OwnedWallet.show({ hash: HASH, ...stage });
  return { wallet, signed: wallet.signed(TEXT) };
}

/** Fills in the three parts and has them checked. */
async function verify({ address, message, signature }: SignedMessage): Promise<void> {
  await signer.fill(address);
  await signedText.fill(message);
  await field("Signature").fill(signature);
  await check();
}

/** Has the page read a file. */
async function readFile(text: string): Promise<void> {
  const file = new File([text], "a.json", { type: "application/json" });
  await page.getByLabelText("File of a signed message").upload(file);
}

describe("a signed message", () => {
  test("is made after its warning and the passphrase, holds the full viewing key, and says so", async () => {
    const { model } = await OwnedWallet.show({ hash: "#/settings" });
    await button("Signed messages").click();
    const heading = page.getByRole("heading", { name: "Signed messages", level: 1 });
    await expect.element(heading).toBeVisible();
    await field("Text").fill(TEXT);
    expect(field("Passphrase").query()).toBeNull();
    const warning = page.getByText(/sees everything that this seed ever receives and spends/);
    await expect.element(warning).toBeVisible();
    await page.getByRole("checkbox").click();
    await field("Passphrase").fill("not the passphrase");
    await sign.click();
    await expect.element(page.getByText(/This passphrase does not open the wallet/)).toBeVisible();
    expect(page.getByTestId("signed-message").query()).toBeNull();
    await field("Passphrase").fill(PASSPHRASE);
    await sign.click();
    await expect.element(page.getByTestId("signed-message")).toBeVisible();
    await expect.element(warning).toBeVisible();

    const files = savedFiles();
    await button("Save as a file").click();
    await expect.poll(() => files.length).toBe(1);
    expect(files[0]?.name).toMatch(/^signed-message-\d{4}-\d\d-\d\d\.json$/);
    const saved = (await files[0]?.content.text()) ?? "";
    const read = readSignedMessage(saved);
    expect(read).toMatchObject({ address: model.own, message: TEXT });
    const full = model.core.fullViewingKey(model.seed);
    expect(read?.signature.startsWith(encodeHex(full))).toBe(true);
    expect(saved).not.toContain(encodeHex(model.seed));
    expect(await screenFaults("signed")).toEqual([]);
  });

  test("is checked: which address, which text, and what it does not prove", async () => {
    const { wallet, signed } = await showSigned();
    await signer.fill(signedMessageText(signed));
    await expect.element(signedText).toHaveValue(TEXT);
    await check();
    await expect.element(verdict.getByText("The signature fits")).toBeVisible();
    const text = textOf(verdict);
    expect(text.replaceAll(/\s/g, "")).toContain(wallet.model.own);
    expect(text).toContain("I have this address ✓");
    expect(text).toContain("does not prove who that is");
    expect(await screenFaults("verified")).toEqual([]);
  });

  test.each([
    [
      "with another text",
      "one of them was changed",
      (good: SignedMessage) => ({ ...good, message: `${TEXT}.` }),
    ],
    [
      "with another signature",
      "one of them was changed",
      (good: SignedMessage) => ({ ...good, signature: otherEnd(good.signature) }),
    ],
    [
      "with the address of another key",
      "of another key",
      (good: SignedMessage, stranger: string) => ({ ...good, address: stranger }),
    ],
  ])("%s proves nothing", async (_, sentence, altered) => {
    const { wallet, signed } = await showSigned();
    await verify(altered(signed, wallet.model.stranger()));
    await expect.element(verdict.getByText("This proves nothing")).toBeVisible();
    expect(textOf(verdict)).toContain(sentence);
    expect(verdict.getByText("The signature fits").query()).toBeNull();
    expect(await axeFaults()).toEqual([]);
  });

  test("that is a flood is refused at its field, and not looked at", async () => {
    const { wallet, signed } = await showSigned();
    await verify({ ...signed, signature: "f".repeat(200_000) });
    await expect.element(page.getByText(/A signature has 320 hexadecimal digits/)).toBeVisible();
    await signedText.fill("x".repeat(4_097));
    await expect.element(page.getByText(/At most 4,096 characters/)).toBeVisible();
    expect(verdict.query()).toBeNull();
    expect(wallet.workers.callsOf("verifyMessage")).toEqual([]);
    expect(await screenFaults("refused")).toEqual([]);
  });

  test("is read from its file, and a file of something else is told", async () => {
    const { signed } = await showSigned();
    await readFile("{}");
    await expect.element(page.getByText(/This file holds no signed message/)).toBeVisible();
    await readFile(signedMessageText({ ...signed, message: "line\r\nline", signature: "00" }));
    await expect.element(field("Signature")).toHaveValue("00");
    await readFile(signedMessageText(signed));
    await expect.element(signedText).toHaveValue(TEXT);
    await check();
    await expect.element(verdict.getByText("The signature fits")).toBeVisible();
  });

  test("is only checked, and never made, where a wallet only watches", async () => {
    const { signed } = await showSigned({ watchOnly: true });
    await signer.fill(signedMessageText(signed));
    await check();
    await expect.element(verdict.getByText("The signature fits")).toBeVisible();
    expect(page.getByRole("heading", { name: "Sign a message" }).query()).toBeNull();
  });
});

test.each([german, spanish])(
  "the room of signed messages is whole in $locale",
  async (language) => {
    const { locale } = language;
    await chooseLanguage(locale);
    await OwnedWallet.show({ hash: HASH });
    const name = textIn(language, "messages.title");
    await expect.element(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    expect(textOf(page.getByRole("main"))).not.toContain(en["sign.title"]);
    expect(await screenFaults(locale)).toEqual([]);
  },
);

/** The signature with another last digit. */
function otherEnd(signature: string): string {
  return `${signature.slice(0, -1)}${signature.endsWith("0") ? "1" : "0"}`;
}
