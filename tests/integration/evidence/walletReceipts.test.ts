/**
 * Receipts of the wallet daemon: of a payment received and one sent, over a real node with real proofs. What is given out is checked
 * with `svc receipt check`, and nothing is given out with evidence that does not hold.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { runReceipt } from "@svc/node-server/app/receipt/runReceipt.ts";
import { WALLETD_LIMITS } from "@svc/node-server/walletd/walletdLimits.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import type { RequestPayload } from "@svc/shared/protocol/rpc/rpcEnvelope.ts";
import { LyingProxy, type ProxyLie } from "../gateway/lyingProxy.ts";
import { never, startTestNode } from "../node/nodeFixture.ts";
import {
  ALICE,
  bobFvk,
  COIN,
  fixture,
  fund,
  mine,
  NOBODY,
  options,
  RECEIPT_ROWS,
  WATCHED,
} from "../walletd/walletApiCalls.ts";
import { WalletApiScene, type Asked } from "../walletd/walletApiScene.ts";
import { unlikeListed } from "../walletd/walletApiUnprovoked.ts";

const { alice, bob } = fixture.owners;
const DEPTH = Number(WALLETD_LIMITS.receiptDepth);

let node: RunningNode;
let proxy: LyingProxy;
let scene: WalletApiScene;
/** Of the payment of alice to bob. */
let txid: string;

beforeAll(async () => {
  node = await startTestNode(null);
  proxy = await LyingProxy.before(node.grpcAddress ?? "");
  scene = await WalletApiScene.start({ node: proxy.address });
  await fund(node);
  await scene.client(ALICE).import({ seed_hex: alice.seed }, options);
  await scene.client(WATCHED).watch({ fvk_hex: bobFvk }, options);
  await scene.untilAtTip(node, ALICE);
  const body = { to: bob.address, amount_sompi: COIN };
  ({ txid } = await scene.client(ALICE).send(body, { ...options, idempotencyKey: "order-1" }));
  await mine(node, 3);
});
afterAll(async () => {
  await scene?.stop();
  proxy?.close();
  await node?.stop();
});
afterEach(() => {
  proxy.lie = null;
  expect([...scene.defects]).toEqual([]);
});

/** Runs `svc receipt check`; gives what it printed. */
async function check(...args: readonly string[]): Promise<unknown> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const all = ["check", ...args, "--json", "--simnet"];
  expect(await runReceipt({ args: all, environment: {}, print, signal: never })).toBe(0);
  return JSON.parse(lines.join("\n"));
}

const ask = (asked: Asked): Promise<string> => scene.code("receipt", asked);
const nodeFlag = (): string => `--node=${node.httpAddress}`;

/** The lie that a piece of evidence is another one, by a bit. */
function changed(piece: "opening" | "membership" | "run"): ProxyLie {
  return (answer) => {
    const { value } = answer;
    if (!answer.$case.startsWith("getEvidence") || !(piece in value)) return answer;
    const bytes = Uint8Array.from(Reflect.get(value, piece));
    const place = piece === "membership" ? 80 : bytes.length - 1;
    bytes.set([(bytes.at(place) ?? 0) ^ 1], place);
    return Object.assign(answer, { value: { ...value, [piece]: bytes } });
  };
}

/** Everything that a daemon asks about evidence while it makes a receipt. */
async function evidenceAskedFor(
  daemon: WalletApiScene,
  token: string,
  query: { readonly txid: string },
): Promise<readonly RequestPayload[]> {
  const asked: RequestPayload[] = [];
  proxy.lie = (answer, request) => {
    if (request.$case.startsWith("getEvidence")) asked.push(request);
    return answer;
  };
  await daemon.client(token).receipt(query, options);
  proxy.lie = null;
  return asked;
}

describe("a receipt of the daemon", () => {
  it("is not made of a payment with few blocks above it", async () => {
    await scene.untilAtTip(node, ALICE);
    const refused = await scene.ask("receipt", { token: ALICE, query: { txid } });
    expect(refused).toMatchObject({ status: 422, code: "evidence/not-shown" });
    expect(refused.json["reason"]).toBe(
      "a receipt is made once 600 blocks stand above the payment",
    );
    await mine(node, DEPTH);
    await scene.untilAtTip(node, ALICE);
    await scene.untilAtTip(node, WATCHED, ({ synced }) => synced === true);
  });

  it("shows a payment that was received, with the payee's answer to a challenge", async () => {
    const query = { txid, challenge: "tax office, 7 March" };
    const made = await scene.client(WATCHED).receipt(query, options);
    expect(made).toMatchObject({
      txid,
      kind: "received",
      recipient: bob.address,
      amount_sompi: COIN,
    });
    const shown = { address: bob.address, value: String(COIN), block: made.block };
    const challenge = { text: query.challenge, isAnswered: true };
    const asker = `--challenge=${query.challenge}`;
    expect(await check(made.receipt, asker)).toMatchObject({ ...shown, grade: "work", challenge });
    expect(await check(made.receipt, asker, nodeFlag())).toMatchObject({
      ...shown,
      grade: "chain",
    });
  });

  it("shows a payment that was sent, by what its payer kept of it", async () => {
    const made = await scene.client(ALICE).receipt({ txid, challenge: "order 1" }, options);
    expect(made).toMatchObject({ txid, kind: "sent", recipient: bob.address, amount_sompi: COIN });
    const shown = { address: bob.address, value: String(COIN), block: made.block };
    expect(await check(made.receipt, nodeFlag())).toMatchObject({
      ...shown,
      grade: "chain",
      challenge: { text: "order 1", isAnswered: false },
    });
    const { position } = Object(await check(made.receipt));
    const received = await scene.client(WATCHED).receipt({ txid }, options);
    expect(await check(received.receipt)).toMatchObject({ position });
  });

  it("asks the node the same, whatever the payment", async () => {
    await mine(node, 1);
    await scene.untilAtTip(node, ALICE);
    // What did not hold is not kept: the next receipt begins anew, as those of the other daemons do.
    proxy.lie = changed("membership");
    expect(await ask({ token: ALICE, query: { txid } })).toBe("502 wallet/false-record");
    const sent = await evidenceAskedFor(scene, ALICE, { txid });
    expect(sent.length).toBeGreaterThan(2);
    const { rows } = await scene.client(ALICE).history({}, options);
    const mined = rows.findLast(({ kind }) => kind === "coinbase")?.txid ?? "";
    for (const [token, query] of [
      [ALICE, { txid: mined }],
      [WATCHED, { txid }],
    ] as const) {
      const fresh = await WalletApiScene.start({ node: proxy.address });
      try {
        await fresh.client(ALICE).import({ seed_hex: alice.seed }, options);
        await fresh.client(WATCHED).watch({ fvk_hex: bobFvk }, options);
        await fresh.untilAtTip(node, token, ({ synced }) => synced === true);
        expect(await evidenceAskedFor(fresh, token, query)).toEqual(sent);
      } finally {
        await fresh.stop();
      }
    }
  });

  it("is given to the wallet's own tokens alone, and a challenge is answered for its owner", async () => {
    expect(await ask({ query: { txid } })).toBe("401 api/missing-token");
    expect(await ask({ token: NOBODY, query: { txid } })).toBe("404 wallet/no-wallet");
    const view = await scene.client(ALICE).createToken({ scope: ["view"] }, options);
    const spend = await scene.client(ALICE).createToken({ scope: ["spend"] }, options);
    expect(await ask({ token: view.token, query: { txid } })).toBe("200");
    expect(await ask({ token: view.token, query: { txid, challenge: "x" } })).toBe(
      "403 wallet/scope",
    );
    expect(await ask({ token: spend.token, query: { txid } })).toBe("403 wallet/scope");
  });

  it("is not made of a payment that is not known, nor of an output that is nobody's", async () => {
    const code = "404 wallet/no-disclosure";
    expect(await ask({ token: ALICE, query: { txid: "00".repeat(32) } })).toBe(code);
    expect(await ask({ token: ALICE, query: { txid, index: "77" } })).toBe(code);
    const challenge = "é".repeat(129);
    expect(await ask({ token: ALICE, query: { txid, challenge } })).toBe("400 api/bad-field");
    expect(await ask({ token: ALICE, query: { txid, challenge: "" } })).toBe("400 api/bad-field");
  });

  it("is not made with a node that shows no evidence, or another than the chain has", async () => {
    const query = { txid };
    await mine(node, 1);
    await scene.untilAtTip(node, ALICE);
    proxy.lie = (answer, { $case }) => ($case.startsWith("getEvidence") ? null : answer);
    expect(await ask({ token: ALICE, query })).toBe("422 evidence/not-shown");
    for (const piece of ["membership", "opening", "run"] as const) {
      proxy.lie = changed(piece);
      expect([piece, await ask({ token: ALICE, query })]).toEqual([
        piece,
        "502 wallet/false-record",
      ]);
    }
    proxy.lie = null;
    expect(await ask({ token: ALICE, query })).toBe("200");
  });

  it("is asked for once by two hundred callers at once", async () => {
    await mine(node, 1);
    await scene.untilAtTip(node, ALICE);
    const before = proxy.asked.filter((name) => name.startsWith("getEvidence")).length;
    const asked = { token: ALICE, query: { txid } };
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask(asked)));
    expect(new Set(answers)).toEqual(new Set(["200"]));
    const after = proxy.asked.filter((name) => name.startsWith("getEvidence")).length;
    expect(after - before).toBeLessThan(6);
    expect(await rejectionCode(scene.client(null).receipt({ txid }, options))).toBe(
      "api/missing-token",
    );
  });

  it("is not made before the chain was seen, nor without the node", async () => {
    const lonely = await WalletApiScene.start({ node: "127.0.0.1:1" });
    try {
      await lonely.client(ALICE).import({ seed_hex: alice.seed }, options);
      const asked = { token: ALICE, query: { txid } };
      expect(await lonely.code("receipt", asked)).toBe("503 wallet/opening");
      for (const refusal of lonely.refusals) scene.refusals.add(refusal);
    } finally {
      await lonely.stop();
    }
    await mine(node, 1);
    await scene.untilAtTip(node, ALICE);
    proxy.close();
    expect(await ask({ token: ALICE, query: { txid } })).toBe("503 wallet/node-unreachable");
  });

  it("is refused for what its row lists, and nothing else", () => {
    expect(unlikeListed(RECEIPT_ROWS, scene.refusals).missing).toEqual([]);
  });
});
