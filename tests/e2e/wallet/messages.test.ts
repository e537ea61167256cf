/** Signed messages of the browser wallet: made after their warning and the passphrase, and checked without asking anybody. */
import { german } from "@svc/web/i18n/de/german.ts";
import { en } from "@svc/web/i18n/en/en.ts";
import { spanish } from "@svc/web/i18n/es/spanish.ts";
import { ENGLISH, type Language } from "@svc/web/i18n/language.ts";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import {
  readSignedMessage,
  signedMessageText,
} from "@svc/shared/signer/messages/signedMessageText.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";
import { WalletPage } from "../testkit/walletPage.ts";

const PASSPHRASE = "four unrelated words here";
const TEXT = "2026-11-28, for Ann:\nI have this address ✓";

const scene = setScene();
const core = await loadCoreFile();

const owner = shareAmongTests(
  async () => {
    const wallet = await openWallet(scene, PASSPHRASE);
    const seed = await wallet.create();
    const address = await wallet.address();
    await enter(wallet);
    return { wallet, seed, address, signed: await sign(wallet) };
  },
  ({ wallet }) => wallet.close(),
);

/** Goes to the room, from the settings. */
async function enter(wallet: WalletPage): Promise<void> {
  await wallet.goTo("Settings");
  await wallet.button("Signed messages").click();
  await wallet.page.getByRole("heading", { name: "Signed messages", level: 1 }).waitFor();
}

/** Signs the text and gives the bytes of the file. */
async function sign({ page }: WalletPage): Promise<string> {
  await page.getByLabel("Text", { exact: true }).fill(TEXT);
  expect(await page.getByLabel("Passphrase", { exact: true }).count()).toBe(0);
  await page.getByText(/sees everything that this seed ever receives and spends/).waitFor();
  await page.getByRole("checkbox").click();
  await page.getByLabel("Passphrase", { exact: true }).fill("not the passphrase");
  await page.getByRole("button", { name: "Sign", exact: true }).click();
  await page.getByText(/This passphrase does not open the wallet/).waitFor();
  expect(await page.getByTestId("signed-message").count()).toBe(0);
  await page.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
  await page.getByRole("button", { name: "Sign", exact: true }).click();
  await page.getByTestId("signed-message").waitFor();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as a file" }).click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^signed-message-\d{4}-\d\d-\d\d\.json$/);
  return readFileSync(await saved.path(), "utf8");
}

/** Fills in the three parts and has them checked; gives what the page says. */
async function verify(
  { page }: WalletPage,
  signed: { readonly address: string; readonly message: string; readonly signature: string },
): Promise<string> {
  await page.getByLabel("Address of the signer").fill(signed.address);
  await page.getByLabel("Text that was signed").fill(signed.message);
  await page.getByLabel("Signature", { exact: true }).fill(signed.signature);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  return page.getByTestId("verdict").innerText();
}

describe("a signed message", () => {
  test("is made after its warning and the passphrase, holds the full viewing key, and says so", async () => {
    const { wallet, seed, address, signed } = await owner.get();
    const read = readSignedMessage(signed);
    expect(read).toMatchObject({ address, message: TEXT });
    const full = callCore(() => core.fullViewingKey(decodeHex(seed)));
    expect(read?.signature.startsWith(encodeHex(full))).toBe(true);
    expect(signed).not.toContain(seed);
    await wallet.says(/A signature|sees everything that this seed/);
    expect(await screenFaults(wallet.page, "signed")).toEqual([]);
    await keepPictures(wallet.page, "message-signed");
    expect(wallet.watch.faults).toEqual([]);
    expect(wallet.watch.strangers).toEqual([]);
  });

  test("is checked in the browser: which address, which text, and what it does not prove", async () => {
    const { wallet, address, signed } = await owner.get();
    const { page } = wallet;
    const asked: string[] = [];
    const listen = (request: { url(): string }) => asked.push(request.url());
    page.on("request", listen);
    await page.getByLabel("Address of the signer").fill(signed);
    expect(await page.getByLabel("Text that was signed").inputValue()).toBe(TEXT);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    const verdict = await page.getByTestId("verdict").innerText();
    page.off("request", listen);
    expect(verdict).toContain("The signature fits");
    expect(verdict.replaceAll(/\s/g, "")).toContain(address);
    expect(verdict).toContain("I have this address ✓");
    expect(verdict).toContain("does not prove who that is");
    const [start] = signed.split("signature");
    expect(asked.filter((url) => url.includes(address) || url.includes(start ?? ""))).toEqual([]);
    expect(await screenFaults(page, "verified")).toEqual([]);
    await keepPictures(page, "message-verified");
  });

  test("that was altered proves nothing: text, signature, address, and a flood", async () => {
    const { wallet, signed } = await owner.get();
    const good = readSignedMessage(signed) ?? { address: "", message: "", signature: "" };
    expect(await verify(wallet, { ...good, message: `${TEXT}.` })).toContain(
      "one of them was changed",
    );
    const last = good.signature.endsWith("0") ? "1" : "0";
    const altered = `${good.signature.slice(0, -1)}${last}`;
    expect(await verify(wallet, { ...good, signature: altered })).toContain("This proves nothing");
    const { hrp } = JSON.parse(core.builtInProfile("devnet"));
    const prefix = good.address.split(":", 1)[0] ?? hrp;
    const stranger = core.addressAt(core.fullViewingKey(new Uint8Array(32).fill(9)), 0);
    const other = core.encodeAddress(prefix, stranger);
    expect(await verify(wallet, { ...good, address: other })).toContain("of another key");
    await wallet.page.getByLabel("Signature", { exact: true }).fill("f".repeat(200_000));
    await wallet.button("Check").click();
    await wallet.says(/A signature has 320 hexadecimal digits/);
    await wallet.page.getByLabel("Text that was signed").fill("x".repeat(4_097));
    await wallet.says(/At most 4,096 characters/);
    expect(await wallet.page.getByTestId("verdict").count()).toBe(0);
    expect(await screenFaults(wallet.page, "refused")).toEqual([]);
    await keepPictures(wallet.page, "message-refused");
  });

  test("is read from its file, and a file of something else is told", async () => {
    const { wallet, signed } = await owner.get();
    const { page } = wallet;
    const field = page.getByLabel("File of a signed message");
    const file = (text: string) => ({
      name: "a.json",
      mimeType: "application/json",
      buffer: Buffer.from(text),
    });
    await field.setInputFiles(file("{}"));
    await wallet.says(/This file holds no signed message/);
    const message = "line\r\nline";
    const good = readSignedMessage(signed);
    await field.setInputFiles(
      file(signedMessageText({ address: good?.address ?? "", message, signature: "00" })),
    );
    await expect.poll(() => page.getByLabel("Signature", { exact: true }).inputValue()).toBe("00");
    await field.setInputFiles(file(signed));
    await expect.poll(() => page.getByLabel("Text that was signed").inputValue()).toBe(TEXT);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await wallet.says(/The signature fits/);
  });

  test("is only checked, and never made, where a wallet only watches", async () => {
    const { seed, signed } = await owner.get();
    const watcher = await openWallet(scene, PASSPHRASE);
    const { page } = watcher;
    await watcher.button("Watch a wallet").click();
    const full = callCore(() => core.fullViewingKey(decodeHex(seed)));
    await page.getByLabel("Full viewing key").fill(encodeHex(full));
    await page.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
    await page.getByLabel("Passphrase again").fill(PASSPHRASE);
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await watcher.ready();
    await enter(watcher);
    await page.getByLabel("Address of the signer").fill(signed);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await watcher.says(/The signature fits/);
    expect(await page.getByRole("heading", { name: "Sign a message" }).count()).toBe(0);
    await watcher.close();
  });
});

test.each([german, spanish] as const)(
  "the room of signed messages is whole in $locale",
  async (language: Language) => {
    const context = await scene.browser.newContext({ locale: language.locale });
    const page = await WalletPage.open(context, scene.node.url, PASSPHRASE);
    const say = (key: keyof typeof en) => {
      const text = language.texts[key];
      return typeof text === "string" ? text : text.other;
    };
    const press = (key: keyof typeof en) =>
      page.page.getByRole("button", { name: say(key), exact: true }).click();
    await page.page.getByRole("button", { name: say("welcome.restore") }).click();
    await page.page.getByLabel(say("restore.seed"), { exact: true }).fill("0b".repeat(32));
    await page.page.getByLabel(say("passphrase.label"), { exact: true }).fill(PASSPHRASE);
    await page.page.getByLabel(say("passphrase.again"), { exact: true }).fill(PASSPHRASE);
    await press("restore.submit");
    await page.page.getByTestId("total").waitFor();
    await page.page.evaluate(() => (location.hash = "#/settings/messages"));
    await page.page.getByRole("heading", { name: say("messages.title"), level: 1 }).waitFor();
    expect(ENGLISH.locale).not.toBe(language.locale);
    const text = await page.page.getByRole("main").innerText();
    expect(text).not.toContain(en["sign.title"]);
    expect(await screenFaults(page.page, language.locale)).toEqual([]);
    await keepPictures(page.page, `messages-${language.locale}`);
    await page.close();
  },
);
