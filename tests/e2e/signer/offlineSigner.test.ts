/**
 * The offline signer page, opened as a file: it signs a payment that another browser shows as QR codes, says what it signs, and
 * refuses what was changed.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { asRawAddress, asSompi } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { encodePreparedPayment } from "@svc/shared/signer/airgap/preparedPaymentCbor.ts";
import { decodeSignedPayment } from "@svc/shared/signer/airgap/signedPaymentCbor.ts";
import { UrDecoder } from "@svc/shared/signer/airgap/urDecoder.ts";
import { UrEncoder } from "@svc/shared/signer/airgap/urEncoder.ts";
import { UR_TYPES } from "@svc/shared/signer/airgap/urFrame.ts";
import type { PreparedPayment } from "@svc/shared/signer/preparedPayment.ts";
import { HASHES_FILE, sha256 } from "@svc/web/build/fileHashes.ts";
import { bundleFormat } from "../../demo/bundleFormat.ts";
import { readAirgapVector } from "../../fixtures/airgap/airgapVector.ts";
import { openPayingScene, preparedOf, SCENE_SEEDS } from "../../fixtures/airgap/payingScene.ts";
import { launchBrowser, openPage, type PageWatch } from "../testkit/browser.ts";
import { BUILT_PAGES } from "../testkit/placePages.ts";
import { PageServer } from "../testkit/pageServer.ts";
import { filmOf, picturesOf, textOfDrawn } from "./qrPictures.ts";

const ANSWER = "QR code of the signatures";
const vector = readAirgapVector();

let folder: TemporaryFolder;
let browser: Browser;
const file = () => join(BUILT_PAGES, "signer.html");

beforeAll(async () => {
  folder = temporaryFolder();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  folder?.remove();
});

/** Opens the page from its file on a machine without a network, and gives it the seed. */
async function openSigner(seed: string, from = browser): Promise<{ page: Page; watch: PageWatch }> {
  const context = await from.newContext({ offline: true });
  const opened = await openPage(context, pathToFileURL(file()).href);
  await opened.page.getByLabel("Seed", { exact: true }).fill(seed);
  await opened.page.getByRole("button", { name: "Continue" }).click();
  return opened;
}

function framesOf(prepared: PreparedPayment, first: number, more: number): string[] {
  const frames = new UrEncoder(UR_TYPES.payment, encodePreparedPayment(prepared));
  return Array.from({ length: frames.count + more }, (_, at) => frames.frame(first + at));
}

/**
 * Frames from the middle of the stream, backwards, without every fifth: as few as give the payment. Their mixtures depend on the
 * payment's bytes, so their number does.
 */
function framesOutOfOrder(prepared: PreparedPayment): string[] {
  const encoder = new UrEncoder(UR_TYPES.payment, encodePreparedPayment(prepared));
  const seen: string[] = [];
  for (let at = 0; at < 10 * encoder.count; at += 1) {
    if (at % 5 === 0) continue;
    seen.unshift(encoder.frame(8 + at));
    const decoder = new UrDecoder(UR_TYPES.payment);
    for (const frame of seen) decoder.receive(frame);
    if (decoder.result !== null) return seen;
  }
  throw new Error(`${seen.length} frames do not give the payment`);
}

/** Hands the pictures of frames to the page. */
async function showPictures(page: Page, texts: readonly string[]): Promise<void> {
  const pictures = await picturesOf(browser, texts);
  await page.getByRole("radio", { name: "Images" }).check();
  await page
    .getByLabel("Images of the codes")
    .setInputFiles(
      pictures.map((buffer, at) => ({ name: `code-${at}.png`, mimeType: "image/png", buffer })),
    );
}

async function paste(page: Page, texts: readonly string[]): Promise<void> {
  await page.getByRole("radio", { name: "Text" }).check();
  await page.getByLabel("Text of the codes").fill(texts.join("\n"));
  await page.getByRole("button", { name: "Read the text" }).click();
}

/** The signatures that the page shows as a code. */
async function answerOf(page: Page) {
  const decoder = new UrDecoder(UR_TYPES.signatures);
  decoder.receive(await textOfDrawn(page, ANSWER));
  return decodeSignedPayment(decoder.result ?? new Uint8Array());
}

test("signs a payment that another browser prepared, through pictures of its codes", async () => {
  const scene = await openPayingScene();
  const { page, watch } = await openSigner(SCENE_SEEDS.payer);
  const payment = await scene.pay(async (intent, proved) => {
    const prepared = preparedOf(scene, intent, proved);
    await showPictures(page, framesOutOfOrder(prepared));
    const sign = page.getByRole("button", { name: "Sign 12.363554 coins" });
    await sign.waitFor();
    const shown = await page.getByRole("main").innerText();
    expect(shown.replaceAll(/\s/g, "")).toContain(scene.payeeAddress);
    for (const text of ["12.345", "Invoice 2026-117 ✓", "0.018554", "557.636446", "simnet"]) {
      expect(shown).toContain(text);
    }
    await sign.click();
    const { session, signatures } = await answerOf(page);
    expect(session).toBe(prepared.session);
    return JSON.stringify(signatures);
  });
  const raw = decodeHex(payment.raw ?? "");
  await scene.prover.verify(
    scene.profileJson,
    raw,
    bundleFormat(scene.profileJson, vector.prepared.daaScore),
  );
  await scene.stop();
  expect([watch.faults, watch.strangers]).toEqual([[], []]);
  await page.context().close();
});

test("reads the codes from the camera", async () => {
  const film = join(folder.path, "codes.y4m");
  writeFileSync(film, filmOf(framesOf(vector.prepared, 1, 0), 3));
  const filming = await launchBrowser([
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    `--use-file-for-fake-video-capture=${film}`,
  ]);
  const { page, watch } = await openSigner(vector.seed, filming);
  await page.getByRole("button", { name: /^Sign/ }).waitFor();
  expect(watch.faults).toEqual([]);
  await filming.close();
});

test("refuses what was changed on its way, and forgets the seed when it is told to", async () => {
  const { page, watch } = await openSigner(vector.seed);
  const { prepared } = vector;
  const [payment] = prepared.payments;
  if (payment === undefined) throw new Error("the vector pays somebody");
  const bundle = prepared.bundle.slice();
  bundle.fill(7, 300, 340);
  const own = prepared.disclosure[0]?.outRecipient ?? "";
  const changes: readonly Partial<PreparedPayment>[] = [
    { payments: [{ ...payment, value: asSompi(payment.value - 1n) }] },
    { payments: [{ ...payment, recipient: asRawAddress(own) }] },
    { payments: [{ ...payment, memo: encodeHex(new TextEncoder().encode("Invoice 2026-118")) }] },
    { fee: asSompi(1n) },
    { network: "ab".repeat(32) },
    { alphas: prepared.alphas.map(({ index }) => ({ index, alpha: "01".repeat(32) })) },
    { bundle },
  ];
  for (const change of changes) {
    await paste(page, framesOf({ ...prepared, ...change }, 1, 0));
    await page.getByText("Nothing was signed").first().waitFor();
    expect(await page.getByRole("button", { name: /^Sign/ }).count()).toBe(0);
    await page.getByRole("button", { name: "Begin again" }).click();
  }
  await paste(page, [...vector.frames.slice(0, 3), vector.signedFrame]);
  await page.getByText("another kind of message").waitFor();
  await page.getByText("3 of 11 parts read").waitFor();
  await page.getByRole("button", { name: "End session" }).click();
  expect(await page.getByLabel("Seed", { exact: true }).inputValue()).toBe("");
  expect(await page.content()).not.toContain(vector.seed);
  expect(watch.faults).toEqual([]);
  await page.context().close();
});

test("its file is listed by hash, allows no connection, and opens from a server under the same policy", async () => {
  const html = readFileSync(file(), "utf8");
  const hashes: Record<string, string> = JSON.parse(
    readFileSync(join(BUILT_PAGES, HASHES_FILE), "utf8"),
  );
  expect(hashes["/signer.html"]).toBe(sha256(html));
  expect(html).toMatch(
    /content="default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval'; /,
  );
  expect(html).toContain("connect-src 'none'");
  expect(html).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?!data:)/);
  const pages = await PageServer.start();
  await pages.show(BUILT_PAGES);
  const { page, watch } = await openPage(await browser.newContext(), `${pages.url}/signer.html`);
  await page.getByText("seems to be online").waitFor();
  expect(watch.faults).toEqual([]);
  const reached = await page.evaluate(() =>
    fetch("/index.html").then(
      () => true,
      () => false,
    ),
  );
  expect(reached).toBe(false);
  expect(watch.faults).toContainEqual(expect.stringContaining("connect-src"));
  await page.context().close();
  await pages.stop();
});
