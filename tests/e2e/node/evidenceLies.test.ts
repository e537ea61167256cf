/**
 * The page and a node that lies about a chain with real work: each lie is named, nothing counts that is not there, and with an honest node
 * the wallet is right again (docs/light-client.md). And what the page says of a payment under work that it recomputed.
 */
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { asBlueScore, asNoteCommitment, asNullifier, asSompi } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { ScanRecord } from "@svc/shared/protocol/http/recordContainer.ts";
import { freePort } from "../../network/testkit/freePort.ts";
import { launchBrowser } from "../testkit/browser.ts";
import { placePages } from "../testkit/placePages.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { LyingProxy, recordsOf, refusing, tipOf, type LieAt } from "../testkit/lyingProxy.ts";
import { rightTotal } from "./rightTotal.ts";
import { WalletPage } from "../testkit/walletPage.ts";
import { workedCheckpoint } from "../testkit/workedCheckpoint.ts";
import { WORKED_PROFILE, WorkedNode } from "../testkit/workedNode.ts";

/** Whom the blocks pay. */
const OWNER = "07".repeat(32);
/** Blocks of the first chain: rewards are paid in every tenth, and evidence of the last blocks covers all but fifteen. */
const BEGINNING = 60;
/** Blocks after which evidence of the last ones is due again. */
const NEXT_EVIDENCE = 16;
/** Blocks after which it covers one that pays a reward. */
const REWARD_COVERED = 48;
const PASSPHRASE = "a passphrase against lies";
const HOUR_MS = 3_600_000n;

let folder: TemporaryFolder;
let node: WorkedNode;
let browser: Browser;
/** A liar that serves the pages; their build lists the honest node, too. */
let seller: LyingProxy;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  folder = temporaryFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  seller = await LyingProxy.before(url);
  const checkpoints = await workedCheckpoint(WORKED_PROFILE);
  await placePages(folder.path, `self ${url}`, { checkpoints });
  node = await WorkedNode.start({ port, pages: folder.path, origins: [seller.url] });
  await node.mine(BEGINNING, OWNER);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await seller?.close();
  await node?.stop();
  folder?.remove();
});

afterEach(async () => {
  for (const part of open.splice(0).toReversed()) await part.close();
});

async function proxied(target = node): Promise<LyingProxy> {
  const proxy = await LyingProxy.before(target.url);
  open.push(proxy);
  return proxy;
}

/** A browser without a wallet, which agreed to the network. */
async function openAt({ url }: { readonly url: string }): Promise<WalletPage> {
  const context = await browser.newContext({ timezoneId: "UTC" });
  const wallet = await WalletPage.open(context, url, PASSPHRASE);
  open.push(wallet);
  await wallet.button("I checked both: use this network").click();
  return wallet;
}

/** Lies about evidence of one kind. */
function evidenceOf(kind: "opening" | "run", change: (body: Buffer) => Buffer): LieAt {
  return (path, answer) =>
    path.startsWith(`/v1/evidence/${kind}`) && answer.status === 200
      ? { ...answer, body: change(Buffer.from(answer.body)) }
      : answer;
}

/** Answers with what the node showed of an earlier block. */
function earlier(kind: "opening" | "run", shown: ReadonlyMap<string, Buffer>): LieAt {
  const found = [...shown].findLast(([path]) => path.startsWith(`/v1/evidence/${kind}`));
  if (found === undefined) throw new Error(`nothing of kind ${kind} was shown`);
  return evidenceOf(kind, () => found[1]);
}

function flipped(body: Buffer, place: number): Buffer {
  const index = place < 0 ? body.length + place : place;
  body.writeUInt8(body.readUInt8(index) ^ 1, index);
  return body;
}

/** The bits of the network as they stand in a header, and the easiest that there are. */
const [BITS, EASIEST] = [Buffer.from("ffff0f20", "hex"), Buffer.from("ffff7f20", "hex")];

function easier(body: Buffer): Buffer {
  EASIEST.copy(body, body.lastIndexOf(BITS));
  return body;
}

const each = (change: (record: ScanRecord) => ScanRecord): LieAt =>
  recordsOf((records) => records.map(change));

const richer = each((record) => {
  const outputs = record.outputs.map((output) => ({
    ...output,
    value: asSompi(output.value * 2n),
  }));
  return { ...record, outputs };
});

const otherNotes = each((record) => {
  const cmx = asNoteCommitment(`${"5e".repeat(31)}00`);
  return { ...record, outputs: record.outputs.map((output) => ({ ...output, cmx })) };
});

const higher = each((record) => ({ ...record, blueScore: asBlueScore(record.blueScore + 1_000n) }));

/** Another nullifier in each action: the coins that a payment spent are there again. */
const unspent = each((record) => {
  const nullifier = asNullifier(`${"5e".repeat(31)}00`);
  const transactions = record.transactions.map(({ txid, actions }) => ({
    txid,
    actions: actions.map((action) => {
      const bytes = action.bytes.slice();
      bytes.set(decodeHex(nullifier), 0);
      return { ...action, nullifier, bytes };
    }),
  }));
  return { ...record, transactions };
});

/** How far a lying node is believed. */
const WHAT_COUNTS =
  /^(?:Checked up to .* above\. Nothing newer counts\.|Nothing was checked yet, so nothing counts\.)$/;
const UNKNOWN = "Not known from this node";
const BROKEN = /^This node shows work that does not hold$/;
type Shown = ReadonlyMap<string, Buffer>;

/** A lie, the notice that it gets, and blocks after which evidence covers it. */
type Lie = readonly [name: string, title: RegExp, blocks: number, lie: (shown: Shown) => LieAt];

const LIES: readonly Lie[] = [
  ["withholds a note", /^This node left out or made up payments$/, NEXT_EVIDENCE, () => otherNotes],
  [
    "invents mined coins",
    /^This node told of other mined coins than there are$/,
    REWARD_COVERED,
    () => richer,
  ],
  [
    "makes blocks older than they are",
    /^This node told false ages of its blocks$/,
    NEXT_EVIDENCE,
    () => higher,
  ],
  ["opens another block", BROKEN, NEXT_EVIDENCE, (shown) => earlier("opening", shown)],
  ["shows work above another block", BROKEN, NEXT_EVIDENCE, (shown) => earlier("run", shown)],
  [
    "alters a state",
    BROKEN,
    NEXT_EVIDENCE,
    () => evidenceOf("opening", (body) => flipped(body, -1)),
  ],
  [
    "alters a header",
    BROKEN,
    NEXT_EVIDENCE,
    () => evidenceOf("run", (body) => flipped(body, -100)),
  ],
  [
    "cuts evidence short",
    BROKEN,
    NEXT_EVIDENCE,
    () => evidenceOf("run", (body) => body.subarray(0, -7)),
  ],
  [
    "mines easily",
    /^This node shows less work than the network has$/,
    NEXT_EVIDENCE,
    () => evidenceOf("run", easier),
  ],
];

describe("a payment under work", () => {
  test("is confirmed by work that the page recomputed, and says so in words", async () => {
    const payer = await openAt(node);
    await payer.restore(OWNER);
    const payee = await openAt(node);
    await payee.create();
    const to = await payee.address();
    await payer.beginPayment({ to, amount: "2.5", memo: "bread" });
    await payer.sent();
    await node.mine(2, OWNER);
    await payee.goTo("History");
    await payee.row("+2.5", "bread").filter({ hasText: "Arriving" }).waitFor();
    await node.mine(NEXT_EVIDENCE + 5, OWNER);
    await payee.row("+2.5", "bread").filter({ hasText: SECONDS_OF_WORK }).click();
    await payee.page.getByText(/^This node showed about \d+ seconds of work above it/).waitFor();
    await keepPictures(payee.page, "detail");
    await payee.page.keyboard.press("Escape");
    await keepPictures(payee.page, "history");
    await payee.goTo("Home");
    await payee.page.getByText(/^Shown: about \d+ (?:seconds|minutes?) of work above/).waitFor();
    await keepPictures(payee.page, "home");
    await payee.goTo("Settings");
    await payee.page.getByText("What this node has shown").waitFor();
    await keepPictures(payee.page, "settings");
    expect(payee.watch.faults).toEqual([]);
  });
});

const SECONDS_OF_WORK = /Confirmed: about \d+ (?:seconds|minutes?) of work shown/;

describe("a node that lies about a chain with work", () => {
  test.each(LIES)(
    "%s: it is named, and nothing newer counts",
    async (name, title, blocks, lieOf) => {
      const proxy = await proxied();
      const shown = new Map<string, Buffer>();
      proxy.tell((path, answer) => {
        if (path.startsWith("/v1/evidence/") && answer.status === 200) shown.set(path, answer.body);
        return answer;
      });
      const wallet = await openAt(proxy);
      await wallet.restore(OWNER);
      const before = await rightTotal(node.url, OWNER);
      await expect.poll(() => wallet.shownTotal()).toBe(before);
      await wallet.page.getByText(/^Shown: about/).waitFor();

      proxy.tell(lieOf(shown));
      await node.mine(blocks, OWNER);
      await wallet.notice(title).waitFor();
      await wallet.page.getByText(WHAT_COUNTS).waitFor();
      // No sum at all, or one of what was proved before.
      const counted = await wallet.shownTotal();
      if (counted !== UNKNOWN) expect(Number(counted)).toBeLessThanOrEqual(Number(before));
      await wallet.page.getByRole("link", { name: "Ask another node" }).waitFor();
      await keepPictures(wallet.page, `lie-${name.replaceAll(" ", "-")}`);

      proxy.repent();
      await comesRight(wallet);
    },
  );

  test("hides a spend of a new browser: it is named, and nothing counts", async () => {
    const proxy = await proxied();
    proxy.tell(unspent);
    const wallet = await openAt(proxy);
    const restoring = wallet.restore(OWNER).catch(() => undefined);
    await wallet.notice(/^This node left out or made up spends$/).waitFor();
    await wallet.page.getByText(WHAT_COUNTS).waitFor();
    expect(await wallet.shownTotal()).toBe(UNKNOWN);
    proxy.repent();
    await restoring;
    await comesRight(wallet);
  });

  test("shows no evidence: its numbers are its word, and what was proved stays", async () => {
    const proxy = await proxied();
    const wallet = await openAt(proxy);
    await wallet.restore(OWNER);
    await wallet.page.getByText(/^Shown: about/).waitFor();
    proxy.tell(refusing(/^\/v1\/evidence\//, 404, "http/not-found"));
    await node.mine(NEXT_EVIDENCE, OWNER);
    await wallet.notice(/^This node does not show its work$/).waitFor();
    await wallet.page.getByText(/^What was checked stays: up to /).waitFor();
    await expect.poll(() => wallet.shownTotal()).toBe(await rightTotal(node.url, OWNER));
    await keepPictures(wallet.page, "lie-not-shown");
    proxy.repent();
    await wallet.page.reload();
    await wallet.unlock();
    await comesRight(wallet);
  });

  test("freezes its tip: the page says from when it is, by its own clock", async () => {
    const late = await WorkedNode.start({ behindMs: HOUR_MS });
    open.push({ close: () => late.stop() });
    await late.mine(BEGINNING, OWNER);
    const proxy = await proxied(late);
    const wallet = await openAt(proxy);
    const restoring = wallet.restore(OWNER).catch(() => undefined);
    await wallet.notice(/^This node's newest block is from \S/).waitFor();
    await keepPictures(wallet.page, "lie-stale");
    const frozen: unknown = await (await fetch(`${late.url}/v1/tip`)).json();
    proxy.tell(tipOf(Object(frozen)));
    late.catchUpClock();
    await late.mine(NEXT_EVIDENCE, OWNER);
    await wallet.notice(/^This node's newest block is from \S/).waitFor();
    proxy.repent();
    await wallet.notice(/^This node's newest block is from/).waitFor({ state: "detached" });
    await restoring;
    await wallet.ready();
  });

  test("is left for another one, which a button leads to, and nothing is deleted", async () => {
    const wallet = await openAt(seller);
    await wallet.restore(OWNER);
    await wallet.page.getByText(/^Shown: about/).waitFor();
    seller.tell(otherNotes);
    await node.mine(NEXT_EVIDENCE, OWNER);
    await wallet.page.getByRole("link", { name: "Ask another node" }).click();
    await wallet.page.getByLabel("Follow", { exact: true }).selectOption(node.url);
    await keepPictures(wallet.page, "another-node");
    await wallet.button("Use these nodes").click();
    await wallet.unlock();
    await comesRight(wallet);
  });
});

/** Nothing is wrong any more, and the sum is that of the honest node. */
async function comesRight(wallet: WalletPage): Promise<void> {
  const { page } = wallet;
  const total = await rightTotal(node.url, OWNER);
  await wallet.goTo("Home");
  const look = async () => {
    // What its owner alone can see to be false stays named until it is scanned anew.
    const isFalse = await page.getByText("served a false record").isVisible();
    if (isFalse) await wallet.button("Scan from the beginning").click();
    const status = await page.getByText("Up to date").filter({ visible: true }).count();
    return [await wallet.shownTotal(), status];
  };
  await expect.poll(look).toEqual([total, 1]);
  await page.getByText(/^Shown: about/).waitFor();
}
