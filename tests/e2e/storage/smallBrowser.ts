/** Chromium with its profile on a small disk of its own, for tests of full storage. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium, type BrowserContext } from "playwright-core";
import { onTestFinished } from "vitest";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { SmallDisk } from "../../testkit/smallDisk.ts";
import { launchOptions } from "@svc/web/page-tests/testkit/launchOptions.ts";

/** Starts one with a disk of so many bytes; both end with the test. */
export async function smallBrowser(
  bytes: number,
): Promise<{ readonly disk: SmallDisk; readonly context: BrowserContext }> {
  const disk = await SmallDisk.make(bytes);
  onTestFinished(() => disk.remove());
  const folder = folderOfTest();
  const options = launchOptions();
  const entry = join(folder, "browser.sh");
  const command = [...disk.entry, options.executablePath].map((word) => `'${word}'`).join(" ");
  await writeFile(entry, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  const profile = join(disk.mount, "profile");
  const context = await chromium.launchPersistentContext(profile, {
    ...options,
    executablePath: entry,
  });
  onTestFinished(() => context.close());
  return { disk, context };
}
