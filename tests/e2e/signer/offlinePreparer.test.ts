/** Two browsers face each other: one shows a daemon's prepared payment as codes, the offline page in the other one signs it. */
import { fileURLToPath, pathToFileURL } from "node:url";
import { join } from "node:path";
import { build, type Rollup } from "vite";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { payScene } from "../../signer/payScene.ts";
import { CASE_SEED, HONEST, preparedOf } from "../../signer/signerCases.ts";
import { launchBrowser, openPage } from "../testkit/browser.ts";
import { BUILT_PAGES } from "../testkit/placePages.ts";
import type * as preparerPage from "./preparerPage.ts";

const SIZE = { width: 700, height: 700 };
/** What `preparerPage.ts` is called in its page. */
declare const preparer: typeof preparerPage;

let browsers: readonly Browser[] = [];

beforeAll(async () => {
  browsers = await Promise.all([launchBrowser(), launchBrowser()]);
});

afterAll(async () => {
  for (const browser of browsers) await browser.close();
});

/** The page of the one who prepares, as one script. */
async function preparerScript(): Promise<string> {
  const entry = fileURLToPath(new URL("preparerPage.ts", import.meta.url));
  const lib = { entry, formats: ["iife" as const], name: "preparer", fileName: "preparer" };
  const made = await build({ configFile: false, logLevel: "silent", build: { write: false, lib } });
  const [output] = (Array.isArray(made) ? made : [made]) as readonly Rollup.RollupOutput[];
  const [chunk] = output?.output ?? [];
  return chunk?.code ?? expect.unreachable();
}

async function openPreparer(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: SIZE, offline: true });
  const page = await context.newPage();
  await page.addScriptTag({ content: await preparerScript() });
  return page;
}

/** Opens the offline page in another browser and gives it the seed. */
async function openDevice(browser: Browser) {
  const context = await browser.newContext({ viewport: SIZE, offline: true });
  const opened = await openPage(context, pathToFileURL(join(BUILT_PAGES, "signer.html")).href);
  await opened.page.getByLabel("Seed", { exact: true }).fill(CASE_SEED);
  await opened.page.getByRole("button", { name: "Continue" }).click();
  return opened;
}

test("the page signs what a second browser prepared, and that one reads the signatures", async () => {
  const [first = expect.unreachable(), second = expect.unreachable()] = browsers;
  const preparing = await openPreparer(first);
  const { page: device, watch } = await openDevice(second);
  const { question, answered } = payScene();
  const answer = JSON.stringify(answered(HONEST));
  const count = await preparing.evaluate(([text, asked]) => preparer.prepare(text, asked), [
    answer,
    question,
  ] as const);
  const pictures: Buffer[] = [];
  // Every fourth code is missed.
  for (let number = 1; number < 2 * count; number += 1) {
    if (number % 4 === 0) continue;
    await preparing.evaluate((shown) => preparer.show(shown), number);
    pictures.push(await preparing.screenshot());
  }
  await device.getByRole("radio", { name: "Images" }).check();
  const files = pictures.map((buffer, at) => ({
    name: `${at}.png`,
    mimeType: "image/png",
    buffer,
  }));
  await device.getByLabel("Images of the codes").setInputFiles(files);
  await device.getByRole("button", { name: /^Sign/ }).click();
  const code = device.getByRole("img", { name: "QR code of the signatures" });
  await code.scrollIntoViewIfNeeded();
  const picture = `data:image/png;base64,${(await device.screenshot()).toString("base64")}`;
  const submit = await preparing.evaluate((url) => preparer.read(url), picture);
  const { session, alphas } = preparedOf(HONEST);
  expect(submit?.session).toBe(session);
  expect(submit?.sigs.map(({ index }) => index)).toEqual(alphas.map(({ index }) => index));
  expect([watch.faults, watch.strangers]).toEqual([[], []]);
});
