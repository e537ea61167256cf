/** Signed messages of the browser wallet, over its real workers: made, saved as a file, and checked without asking anybody. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { readSignedMessage } from "@svc/shared/signer/messages/signedMessageText.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import type { WalletPage } from "../testkit/walletPage.ts";

const PASSPHRASE = "four unrelated words here";
const TEXT = "2026-11-28, for Ann:\nI have this address ✓";

const scene = setScene();
const core = await loadCoreFile();

/** Signs the text and gives the bytes of the file. */
async function sign(wallet: WalletPage): Promise<string> {
  const { page } = wallet;
  await wallet.goTo("Settings");
  await wallet.button("Signed messages").click();
  await page.getByLabel("Text", { exact: true }).fill(TEXT);
  await page.getByRole("checkbox").click();
  await page.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
  await page.getByRole("button", { name: "Sign", exact: true }).click();
  await page.getByTestId("signed-message").waitFor();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as a file" }).click();
  return readFileSync(await (await saving).path(), "utf8");
}

test("a message is signed and saved, and checked in the browser without asking anybody", async () => {
  const wallet = await openWallet(scene, PASSPHRASE);
  const { page } = wallet;
  const seed = await wallet.create();
  const address = await wallet.address();
  const signed = await sign(wallet);
  const read = readSignedMessage(signed);
  expect(read).toMatchObject({ address, message: TEXT });
  const full = callCore(() => core.fullViewingKey(decodeHex(seed)));
  expect(read?.signature.startsWith(encodeHex(full))).toBe(true);
  expect(signed).not.toContain(seed);

  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByLabel("File of a signed message").setInputFiles({
    name: "a.json",
    mimeType: "application/json",
    buffer: Buffer.from(signed),
  });
  await expect.poll(() => page.getByLabel("Text that was signed").inputValue()).toBe(TEXT);
  await page.getByRole("button", { name: "Check", exact: true }).click();
  const verdict = await page.getByTestId("verdict").innerText();
  expect(verdict).toContain("The signature fits");
  expect(verdict.replaceAll(/\s/g, "")).toContain(address);
  const [start] = signed.split("signature");
  expect(asked.filter((url) => url.includes(address) || url.includes(start ?? ""))).toEqual([]);
  expect(wallet.watch.faults).toEqual([]);
  expect(wallet.watch.strangers).toEqual([]);
  await wallet.close();
});
