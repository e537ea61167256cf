/** A node killed while blocks and payments arrive: nothing acknowledged is lost, the chain goes on. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { killsOf, reportKills } from "../../testkit/killCount.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { recipient } from "../engine/engineFixture.ts";
import { fetchTip, mineOn, startJudgingNode } from "./nodeFixture.ts";
import { LONG_HANG_MS } from "../../testkit/hangMs.ts";

const KILLS = killsOf({ reduced: 14, full: 100 });
/** Acknowledgements between two kills at most: few enough kills pass the part before the payments. */
const MOST_ACKS = 16;
const fixture = readPaymentFixture();
const child = fileURLToPath(new URL("killedNode.ts", import.meta.url));

/** Runs the node, kills it after `acks` acknowledgements, returns all it gave. */
async function killAfter(folder: string, acks: number): Promise<string[]> {
  const node = spawn(process.execPath, [child, folder], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(node, "exit");
  const lines: string[] = [];
  for await (const line of createInterface({ input: node.stdout })) {
    lines.push(line);
    // It works on while the signal travels, so it dies somewhere inside a later step.
    if (lines.length === acks) node.kill("SIGKILL");
  }
  const [, signal] = await exited;
  expect(signal).toBe("SIGKILL");
  return lines;
}

test(`${KILLS} kills lose nothing acknowledged`, { timeout: LONG_HANG_MS }, async () => {
  const random = seededRandom("node kill");
  const folder = temporaryFolder();
  const blocks = new Set<string>();
  const payments = new Set<string>();
  let highest = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    for (const line of await killAfter(folder.path, 1 + random.below(MOST_ACKS))) {
      const [kind = "", id = ""] = line.split(" ");
      (kind === "block" ? blocks : payments).add(id);
    }
  }
  const node = await startJudgingNode(folder.path, { grpc: null });
  for (const hash of blocks) {
    expect(await node.api.ask("blockBytes", [hash]), hash).toBeDefined();
    expect(await node.api.ask("chainIndexOf", [hash]), hash).toBeDefined();
  }
  highest = Number((await fetchTip(node))["chainIndex"]);
  expect(highest).toBeGreaterThanOrEqual(blocks.size);
  // Enough kills pass the common part, so that payments were acknowledged.
  expect(payments.size).toBeGreaterThan(0);
  await node.poolRestored;
  for (let more = 0; more < 3; more += 1) await mineOn(node, recipient(1));
  const applied = await appliedPayments(node.api);
  for (const txid of payments) expect(applied).toContain(txid);
  expect(Number((await fetchTip(node))["chainIndex"])).toBe(highest + 3);
  await node.stop();
  folder.remove();
  reportKills("node", KILLS);
});

/** Ids of every payment that the selected chain applied. */
async function appliedPayments(
  node: Awaited<ReturnType<typeof startJudgingNode>>["api"],
): Promise<string[]> {
  const found: string[] = [];
  for (let index = BigInt(fixture.forkIndex); ; index += 1n) {
    const hash = await node.ask("chainHashAt", [index]);
    if (hash === undefined) return found;
    const facts: { applied: { txid: string }[] } = JSON.parse(
      (await node.ask("chainFacts", [hash])) ?? "",
    );
    found.push(...facts.applied.map(({ txid }) => txid));
  }
}
