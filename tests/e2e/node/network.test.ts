/** Which nodes a wallet talks to, and what its pages and workers may reach. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { launchBrowser } from "../testkit/browser.ts";
import { LocalNode } from "../testkit/localNode.ts";
import { WalletPage } from "../testkit/walletPage.ts";

const PROFILE = new URL("../../../wasm-core/profiles/simnet.json", import.meta.url);
const HEADERS = new URL("../../../web/dist/headers.json", import.meta.url);

let browser: Browser;
let folder: TemporaryFolder;

beforeAll(async () => {
  folder = temporaryFolder();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  folder?.remove();
});

describe("networks", () => {
  test("a private network is used only after name and digest were confirmed", async () => {
    await withNode({ networkName: "private-test" }, async (wallet) => {
      const { page } = wallet;
      await page.getByText("This node is on a private network").waitFor();
      await page.getByText("private-test", { exact: true }).waitFor();
      expect(await wallet.button("Create a wallet").count()).toBe(0);
      await wallet.button("I checked both: use this network").click();
      await wallet.create();
    });
  });

  test("a node that borrows the name of a known network is refused", async () => {
    await withNode({ maxShieldedAnchorAge: 26_999 }, async (wallet) => {
      await wallet.page.getByText("This node cannot be used").waitFor();
      expect(await wallet.button("Create a wallet").count()).toBe(0);
    });
  });
});

test("pages and workers carry the policies of the build, and break none", async () => {
  const node = await LocalNode.create();
  await node.start();
  const policies = new Map<string, string>();
  try {
    const context = await browser.newContext();
    context.on("response", (response) => {
      const name = /\/((?:workers\/)?[a-z]+)(?:\.worker-[^/]*\.js|\/)$/.exec(response.url())?.[1];
      const policy = response.headers()["content-security-policy"];
      if (name !== undefined && policy !== undefined) policies.set(name, policy);
    });
    const wallet = await WalletPage.open(context, node.url, "four unrelated words here");
    await wallet.create();
    await wallet.mine();
    await wallet.sum("total");
    await wallet.goTo("Send");
    await expect
      .poll(() => [...policies.keys()].toSorted())
      .toEqual(["wallet", "workers/keyring", "workers/prove", "workers/scan", "workers/wallet"]);
    for (const sealed of ["keyring", "prove", "scan"]) {
      expect(policies.get(`workers/${sealed}`)).toContain("connect-src 'none'");
    }
    const rows: { path: string; headers: Record<string, string> }[] = JSON.parse(
      await readFile(HEADERS, "utf8"),
    );
    const page = rows.find(({ path }) => path === "*")?.headers["Content-Security-Policy"];
    expect(policies.get("wallet")).toBe(page);
    expect(page).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval';");
    expect(wallet.watch.faults).toEqual([]);
  } finally {
    await node.dispose();
  }
});

/** Runs a node on the local network's profile with some fields changed. */
async function withNode(
  change: Readonly<Record<string, unknown>>,
  use: (wallet: WalletPage) => Promise<void>,
): Promise<void> {
  const profile: Record<string, unknown> = JSON.parse(await readFile(PROFILE, "utf8"));
  const file = join(folder.path, "profile.json");
  await writeFile(file, JSON.stringify({ ...profile, ...change }));
  const node = await LocalNode.create(["--profile", file]);
  try {
    await node.start();
    const context = await browser.newContext();
    await use(await WalletPage.open(context, node.url, "four unrelated words here"));
  } finally {
    await node.dispose();
  }
}
