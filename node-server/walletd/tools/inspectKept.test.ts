/** Earlier files of a folder that was in plaintext before it had a secret: the doctor names them until they are sealed. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import {
  cheapCore,
  openFolder,
  SECRET_TEXT,
  secretOf,
  TEST_NETWORK,
  TOKEN,
} from "../keys/testkit/keysScene.ts";
import { walletLabel } from "../keys/walletToken.ts";
import { changeFolderSecret } from "./changeFolderSecret.ts";
import { examineFolder } from "./examineFolder.ts";
import { offlineParts } from "./testkit/offlineParts.ts";

const BIRTHDAY = { birthday: asDaaScore(0n) };
const seed = () => new Secret(new Uint8Array(32).fill(1));

async function plainFindings(path: string, secret: string): Promise<readonly string[]> {
  const { findings } = await examineFolder(offlineParts(path, secret));
  const found = findings.filter(({ text }) => text.includes("plaintext"));
  return found.map(({ level, about, text }) => `${level} ${about} ${text}`);
}

it("tells of them, and of none that is sealed, is a link or does not read", async () => {
  const path = join(folderOfTest(), "wallets");
  const plain = await openFolder(path, { secret: null });
  await plain.importSeed(TOKEN, seed(), BIRTHDAY);
  await plain.writeScan(TOKEN, Uint8Array.of(1));
  await plain.importSeed(TOKEN, seed(), { ...BIRTHDAY, replace: true });
  await plain.writeScan(TOKEN, Uint8Array.of(2));
  plain.close();
  const sealed = await openFolder(path);
  await sealed.update(TOKEN, { recoverableHistory: true });
  await sealed.keepScan(TOKEN, { rotates: true });
  sealed.close();
  writeFileSync(join(path, `${TOKEN}.json.bak.7`), "{");
  if (process.platform !== "win32") {
    symlinkSync(join(path, `${TOKEN}.json.bak`), join(path, `${TOKEN}.json.bak.8`));
  }
  const text = "2 of its earlier files (.bak) are in plaintext though the folder has a secret";
  expect(await plainFindings(path, SECRET_TEXT)).toEqual([`warning ${walletLabel(TOKEN)} ${text}`]);
  const [from, to] = [secretOf(SECRET_TEXT), secretOf("another secret")];
  const { signal } = new AbortController();
  await changeFolderSecret({ ...TEST_NETWORK, path, core: cheapCore(), from, to, signal });
  expect(await plainFindings(path, "another secret")).toEqual([]);
});
