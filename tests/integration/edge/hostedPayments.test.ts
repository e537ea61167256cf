/**
 * The hosted gateway from nothing: its Worker in workerd, a merchant set up by commands, `svc gateway scan --push` beside a real node, and a
 * wallet that pays with real proofs. Scanner and Worker are ended in between.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import type { RefundState } from "@svc/shared/protocol/gateway/refundRecord.ts";
import { core } from "../engine/engineFixture.ts";
import { HOSTED_AMOUNT, HostedScene } from "./hostedScene.ts";
import { startTestNode } from "../node/nodeFixture.ts";
import { untilFound } from "../node/untilFound.ts";
import { ALICE, fixture, fund, mine, options } from "../walletd/walletApiCalls.ts";
import { WalletApiScene } from "../walletd/walletApiScene.ts";

const { alice, bob } = fixture.owners;

let node: RunningNode;
let wallet: WalletApiScene;
let hosted: HostedScene;

const payouts = () => join(hosted.path, "payouts.json");
const scan = () => hosted.scan(node.grpcAddress ?? "", `--payouts-file=${payouts()}`);

async function pay(to: string): Promise<void> {
  await wallet.untilAtTip(node, ALICE);
  const body = { to, amount_sompi: String(HOSTED_AMOUNT) };
  expect((await wallet.ask("send", { token: ALICE, body })).status).toBe(200);
}

/** Refunds are paid by a wallet whose token may do so and see that it did. */
async function namePayout(): Promise<void> {
  const scope = ["view", "spend"] as const;
  const { token } = await wallet.client(ALICE).createToken({ scope: [...scope] }, options);
  writeFileSync(join(hosted.path, "payout.token"), token);
  const [key = ""] = /key_[0-9a-f]{16}/.exec(hosted.command("merchants", "list")) ?? [];
  const wallets = { [key]: { walletdUrl: wallet.address, tokenFile: "payout.token" } };
  writeFileSync(payouts(), JSON.stringify(wallets));
}

beforeAll(async () => {
  node = await startTestNode(null);
  await fund(node);
  wallet = await WalletApiScene.start({ node: node.grpcAddress ?? "" });
  await wallet.client(ALICE).import({ seed_hex: alice.seed }, options);
  hosted = await HostedScene.open(["invoices:read", "invoices:write", "refunds"]);
  await namePayout();
  await scan();
});
afterAll(async () => {
  await hosted.close();
  await wallet.stop();
  await node.stop();
});

describe("a hosted merchant that was set up from nothing", () => {
  it("is paid: the payment is seen in the pool, mined, and confirmed at the hosted API", async () => {
    onTestFailed(() => console.error(hosted.log.slice(-60).join("\n")));
    const made = await hosted.create("order-1");
    await pay(made.address);
    await untilFound(async () => {
      const { seenSompi } = await hosted.client.invoice(made.id, options);
      return seenSompi === HOSTED_AMOUNT;
    });
    await mine(node, 2);
    await hosted.until(made.id, "paid");
    await mine(node, 4);
    const done = await hosted.until(made.id, "confirmed");
    expect(done).toMatchObject({ paidSompi: HOSTED_AMOUNT, dueSompi: 0n });
    expect(done.payments).toHaveLength(1);
  });

  it("is paid while the scanner was killed, and while the Worker was away", async () => {
    onTestFailed(() => console.error(hosted.log.slice(-60).join("\n")));
    const made = await hosted.create("order-2");
    await pay(made.address);
    await hosted.killScanner();
    await mine(node, 2);
    await scan();
    await hosted.until(made.id, "paid");
    await hosted.stopWorker();
    await mine(node, 4);
    await hosted.startWorker();
    const done = await hosted.until(made.id, "confirmed");
    expect(done).toMatchObject({ paidSompi: HOSTED_AMOUNT, overpaidSompi: 0n });
  });

  it("is claimed, approved and paid back beside the node once, over kills of the scanner", async () => {
    onTestFailed(() => console.error(hosted.log.slice(-60).join("\n")));
    const made = await hosted.create("order-refund");
    await pay(made.address);
    await mine(node, 14);
    await hosted.until(made.id, "confirmed");
    const offered = await hosted.client.createRefund(made.id, { amount: "all" }, options);
    // Another invoice stands for the payer's wallet: it counts what comes.
    const payer = await hosted.create("order-payer");
    const claim = offered.claimUrl.slice(offered.claimUrl.lastIndexOf("/") + 1);
    await hosted.client.fillClaim(claim, { address: payer.address }, options);
    await wallet.untilAtTip(node, ALICE);
    const { address } = payer;
    await hosted.client.approveRefund(offered.id, { address }, options);
    await hosted.killScanner();
    await scan();
    const untilIs = (state: RefundState) =>
      untilFound(async () => {
        const record = await hosted.client.refund(offered.id, options);
        return record.state === state && record;
      });
    const sent = await untilIs("sent");
    await hosted.killScanner();
    await scan();
    await mine(node, 14);
    const paid = await hosted.until(payer.id, "confirmed");
    expect(paid.payments.map(({ txid }) => txid)).toEqual([sent.txid]);
    expect(await untilIs("confirmed")).toMatchObject({ txid: sent.txid, error: null });
  });

  it("shows payers its page, with the built script", async () => {
    const { checkoutUrl } = await hosted.create("order-3");
    const page = await fetch(checkoutUrl);
    const policy = page.headers.get("content-security-policy");
    const [, script = ""] = /<script[^>]* src="([^"]+)"/.exec(await page.text()) ?? [];
    expect(policy).toMatch(/^default-src 'none'; script-src 'nonce-[0-9a-f]{32}';/);
    const file = await fetch(new URL(script, checkoutUrl));
    expect(file.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect((await file.text()).length).toBeGreaterThan(1_000);
  });

  it("is listed with its keys, which end at once when they are revoked", async () => {
    expect(hosted.command("merchants", "list")).toMatch(/^shop +key_[0-9a-f]{16} +shop$/);
    const [id = ""] = hosted.command("keys", "list", "shop").split(" ");
    expect(hosted.command("keys", "revoke", "shop", id)).toContain("is revoked");
    expect(hosted.command("keys", "list", "shop")).toMatch(/^[0-9a-f]{16} +revoked .*till$/);
    await expect(hosted.client.invoices({}, options)).rejects.toMatchObject({
      code: "gateway/bad-key",
    });
  });

  it("leaves its viewing key at home, and no secret in a log", () => {
    expect(hosted.log.join("\n")).not.toMatch(/what-the-(scanner|operator)-signs-with/);
    const ivk = encodeHex(core.incomingViewingKey(core.fullViewingKey(decodeHex(bob.seed))));
    const kept = execFileSync("grep", ["-rlcF", ivk, hosted.path], { encoding: "utf8" });
    expect(
      kept
        .trim()
        .split("\n")
        .every((path) => path.startsWith(hosted.gatewayFolder)),
    ).toBe(true);
  });
});
