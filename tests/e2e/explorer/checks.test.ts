/**
 * What a visitor's browser checks by itself, in Chromium with the real core: a truthful server is shown as checked, and of a lying one
 * the page names the difference. The blocks are a node's own, with a real payment, and recorded ones with real work.
 */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { GrpcClient } from "@svc/node-server/client/grpcClient.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { decodeRawBlock, encodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { blockToRpc } from "@svc/shared/protocol/rpc/rpcBlock.ts";
import type { Block } from "@svc/shared/chain/block.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { startTestNode } from "../../integration/node/nodeFixture.ts";
import { launchBrowser, openPage, type PageWatch } from "../testkit/browser.ts";
import { ChecksServer } from "./checksServer.ts";
import type { Answer, LieAt } from "../testkit/lyingProxy.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const fixture = readPaymentFixture();
const core = await loadCoreFile();
const recorded = v.parse(
  v.object({
    profile: v.looseObject({}),
    cases: v.array(v.object({ hash: v.string(), raw: v.string(), work: v.string() })),
  }),
  JSON.parse(readFileSync(new URL("../../vectors/checked-blocks.json", import.meta.url), "utf8")),
);
const { txid } = fixture.payment("plain");

let browser: Browser;
let node: RunningNode;
let client: GrpcClient;
let server: ChecksServer;
let recording: ChecksServer;
let carrier: string;
let accepting: string;

beforeAll(async () => {
  browser = await launchBrowser();
  node = await startTestNode(null, {
    network: { name: fixture.profile },
    index: "on",
    clock: new ManualClock(fixture.firstBlockMs + 1_000_000n),
  });
  client = new GrpcClient(node.grpcAddress ?? "");
  const hashes: string[] = [];
  for (const raw of fixture.trunk) {
    const value = { block: blockToRpc(decodeRawBlock(raw)), allowNonDaaBlocks: true };
    await client.exchange({ $case: "submitBlock", value });
    hashes.push(v.parse(v.object({ hash: v.string() }), JSON.parse(core.computeHashes(raw))).hash);
  }
  [carrier = "", accepting = ""] = hashes.slice(fixture.forkIndex);
  // The index follows the chain at its own pace.
  const isApplied = async () => {
    const { status, body } = await nodeAnswer(`/transactions/${txid}`);
    return status === 200 && body.toString().includes('"status":"applied"');
  };
  await vi.waitUntil(isApplied, { timeout: STEP_HANG_MS });
  server = await ChecksServer.start(nodeAnswer);
  recording = await ChecksServer.start(recordedAnswer);
});
afterAll(async () => {
  await browser?.close();
  client?.close();
  await server?.stop();
  await recording?.stop();
  await node?.stop();
});

const json = (value: unknown): Answer => ({
  status: 200,
  body: Buffer.from(JSON.stringify(value)),
});

async function nodeAnswer(path: string): Promise<Answer> {
  const response = await fetch(`${node.httpAddress}/api${path}`);
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}

async function recordedAnswer(path: string): Promise<Answer> {
  if (path === "/info/profile") return json(recorded.profile);
  const found = recorded.cases.find(({ hash }) => path === `/blocks/${hash}/bytes`);
  return found === undefined
    ? { status: 404, body: Buffer.from("{}") }
    : { status: 200, body: Buffer.from(decodeHex(found.raw)) };
}

/** A check in a page of its own. */
async function checked(
  at: ChecksServer,
  query: string,
  lie: LieAt = (_, answer) => answer,
): Promise<{ page: Page; watch: PageWatch; verdict: string; differing: readonly string[] }> {
  at.tell(lie);
  const context = await browser.newContext();
  const { page, watch } = await openPage(context, `${at.url}/?${query}`);
  const verdict = page.getByTestId("check-verdict").first();
  await verdict.waitFor();
  const rows = page.locator('tr[data-outcome="differs"]');
  return {
    page,
    watch,
    verdict: (await verdict.getAttribute("data-verdict")) ?? "",
    differing: await rows.evaluateAll((list) =>
      list.map((row) => row.getAttribute("data-step") ?? ""),
    ),
  };
}

/** The answer to one path, altered as JSON or as a block. */
function document(path: string, alter: (value: Record<string, never>) => void): LieAt {
  return (asked, answer) => {
    if (asked !== path) return answer;
    const value: Record<string, never> = JSON.parse(answer.body.toString());
    alter(value);
    return json(value);
  };
}

function bytes(hash: string, alter: (block: Block) => Block): LieAt {
  return (asked, answer) =>
    asked === `/blocks/${hash}/bytes`
      ? {
          ...answer,
          body: Buffer.from(encodeRawBlock(alter(decodeRawBlock(new Uint8Array(answer.body))))),
        }
      : answer;
}

describe("a truthful server is shown as checked", () => {
  test("a block: the core is loaded for the check, and nothing strange is asked", async () => {
    const { page, watch, verdict, differing } = await checked(server, `check=block&id=${carrier}`);
    expect([verdict, differing]).toEqual(["ok", []]);
    await page.getByText("Checked here").waitFor();
    await page.getByText("What was checked").click();
    await page.getByText("One block does not show its past.").waitFor();
    expect(watch).toEqual({ faults: [], strangers: [] });
    await page.context().close();
  });

  test("a payment: carried, accepted and applied, and what stays the server's word", async () => {
    const { page, verdict, differing } = await checked(server, `check=transaction&id=${txid}`);
    expect([verdict, differing]).toEqual(["ok", []]);
    await page.getByText("What was checked").click();
    await page.locator('tr[data-step="treeGrowth"][data-outcome="ok"]').waitFor();
    await page.locator('tr[data-step="outcome"][data-outcome="ok"]').waitFor();
    await page.locator('tr[data-step="chain"][data-outcome="notProvable"]').waitFor();
    await page.context().close();
  });

  test("the supply, with the fingerprint of the verifying key and what cannot be shown", async () => {
    const { page, verdict, differing } = await checked(server, "check=supply");
    expect([verdict, differing]).toEqual(["partly", []]);
    await page
      .getByText(/newest block is not committed yet/)
      .first()
      .waitFor();
    const figures = await page.getByTestId("audit-figures").textContent();
    const fingerprint = core.verifyingKeyFingerprint();
    expect(figures).toContain(fingerprint);
    const security = readFileSync(new URL("../../../SECURITY.md", import.meta.url), "utf8");
    expect(security).toContain(fingerprint);
    await page.getByText(/nobody can count the coins/).waitFor();
    await page.context().close();
  });

  test.each(recorded.cases)("a block of real work, $work", async ({ hash, work }) => {
    const { page, verdict, differing } = await checked(recording, `check=block&id=${hash}`);
    // The recording has the bytes, and no document that a page could show.
    expect([verdict, differing]).toEqual(["partly", []]);
    await page.getByText("What was checked").click();
    const way = work === "merged" ? /parent network that commits/ : /Mined on the block itself/;
    await page.getByText(way).waitFor();
    // The profile of the recording is none of ours.
    await page.getByText(/not one that this program knows/).waitFor();
    await page.context().close();
  });
});

describe("a lying server is seen", () => {
  const lies: readonly (readonly [
    what: string,
    query: () => string,
    lie: () => LieAt,
    steps: readonly string[],
  ])[] = [
    [
      "about the time of a block",
      () => `check=block&id=${carrier}`,
      () =>
        document(`/blocks/${carrier}`, (value) => {
          Object(value["header"]).timestamp = 1_700_000_000_000;
        }),
      ["timestamp"],
    ],
    [
      "about the bits of a block",
      () => `check=block&id=${carrier}`,
      () => bytes(carrier, (block) => ({ ...block, header: { ...block.header, bits: 1 } })),
      ["headerHash", "bits"],
    ],
    [
      "about the nonce of a block",
      () => `check=block&id=${carrier}`,
      () => bytes(carrier, (block) => ({ ...block, header: { ...block.header, nonce: 5n } })),
      ["headerHash", "nonce"],
    ],
    [
      "with swapped transactions",
      () => `check=block&id=${carrier}`,
      () =>
        bytes(carrier, (block) => ({ ...block, transactions: block.transactions.toReversed() })),
      ["merkleRoot", "transactionIds"],
    ],
    [
      "with a removed transaction",
      () => `check=block&id=${carrier}`,
      () => bytes(carrier, (block) => ({ ...block, transactions: block.transactions.slice(0, 1) })),
      ["merkleRoot", "transactionIds"],
    ],
    [
      "with an altered merkle root",
      () => `check=block&id=${carrier}`,
      () =>
        document(`/blocks/${carrier}`, (value) => {
          Object(value["header"]).hashMerkleRoot = "ab".repeat(32);
        }),
      ["hashMerkleRoot"],
    ],
    [
      "with truncated bytes",
      () => `check=block&id=${carrier}`,
      () => (path, answer) =>
        path === `/blocks/${carrier}/bytes`
          ? { ...answer, body: answer.body.subarray(0, -1) }
          : answer,
      ["bytes"],
    ],
    [
      "with an applied payment shown as dropped",
      () => `check=transaction&id=${txid}`,
      () =>
        document(
          `/transactions/${txid}`,
          (value) => void Object.assign(value, { status: "dropped", is_accepted: false }),
        ),
      ["outcome"],
    ],
    [
      "with a payment left out of what was applied",
      () => `check=transaction&id=${txid}`,
      () =>
        document(
          `/blocks/${accepting}/acceptance`,
          (value) => void Object.assign(value, { applied: [] }),
        ),
      ["treeGrowth"],
    ],
    [
      "with altered supply numbers",
      () => "check=supply",
      () => (path, answer) => {
        if (!path.startsWith("/info/supply/")) return answer;
        const value = Object(JSON.parse(answer.body.toString()));
        value.state.cumulativeCoinbase = "1";
        return json(value);
      },
      ["statePreimage", "schedule"],
    ],
    [
      "with a state of other spent notes",
      () => "check=supply",
      () => (path, answer) => {
        if (!path.startsWith("/info/supply/")) return answer;
        const value = Object(JSON.parse(answer.body.toString()));
        value.state.nullifierRoot = "ab".repeat(32);
        return json(value);
      },
      ["statePreimage"],
    ],
    [
      "with the rules of another network",
      () => `check=block&id=${carrier}`,
      () =>
        document("/info/profile", (value) => {
          Object(value["emission"]).deflationaryPhaseStartDaa = 9;
        }),
      ["profile"],
    ],
  ];

  test.each(lies)("%s", async (_, query, lie, steps) => {
    const { page, verdict, differing } = await checked(server, query(), lie());
    expect(verdict).toBe("differs");
    expect(differing).toEqual(expect.arrayContaining([...steps]));
    await page.getByText("The server shows something else").waitFor();
    await page.context().close();
  });

  test("with a merge-mined block whose witness it withholds", async () => {
    const merged = recorded.cases.find(({ work }) => work === "merged");
    const lie = bytes(merged?.hash ?? "", ({ header, transactions }) => ({ header, transactions }));
    const { page, differing } = await checked(recording, `check=block&id=${merged?.hash}`, lie);
    expect(differing).toEqual(["work"]);
    await page.getByText(/witness: none/).waitFor();
    await page.context().close();
  });
});

describe("what is pasted stays in the page", () => {
  test("an address and a signed message are checked, and no request follows", async () => {
    server.tell((_, answer) => answer);
    const { alice } = fixture.owners;
    const profile = core.builtInProfile("simnet");
    const raw = decodeHex(alice.recipient);
    const signature = core.signMessage(decodeHex(alice.seed), profile, raw, "It is mine");
    const context = await browser.newContext();
    const { page, watch } = await openPage(context, `${server.url}/?check=pasted`);
    const before = server.asked.length;
    const address = page.getByTestId("check-address");
    await address.getByLabel("Address").fill(alice.address);
    await address.getByRole("button").click();
    await address.getByText(/is an address of/).waitFor();
    const message = page.getByTestId("check-message");
    await message.getByLabel("Address").fill(alice.address);
    await message.getByLabel("Message").fill("It is mine");
    await message.getByLabel("Signature").fill(Buffer.from(signature).toString("hex"));
    await message.getByRole("button").click();
    await message.getByText(/signed this message/).waitFor();
    await message.getByLabel("Message").fill("It is yours");
    await message.getByRole("button").click();
    await message.getByText(/BadSignature/).waitFor();
    // The network was asked for once, before anything was checked.
    expect(server.asked.slice(before)).toEqual(["GET /info/profile "]);
    expect(watch).toEqual({ faults: [], strangers: [] });
    await context.close();
  });

  test("a disclosure that is none is refused, and the server hears of no part of it", async () => {
    const context = await browser.newContext();
    const { page } = await openPage(context, `${server.url}/?check=pasted`);
    const before = server.asked.length;
    const form = page.getByTestId("check-disclosure");
    const { recipient } = fixture.owners.bob;
    const proof = { txid, index: 0, recipient, value: "77", rseed: "5e".repeat(32) };
    await form.getByLabel("Disclosure").fill(JSON.stringify(proof));
    await form.getByRole("button").click();
    await form.getByText("The server shows something else").waitFor();
    const asked = server.asked.slice(before).join("\n");
    expect(asked).toContain(txid);
    for (const part of [recipient, proof.rseed, "77"]) {
      expect(asked.replaceAll(/[0-9a-f]{64}/g, "")).not.toContain(part);
    }
    expect(asked).not.toContain(proof.rseed);
    await context.close();
  });
});
