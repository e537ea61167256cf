import { describe, expect, it } from "vitest";
import { asChainIndex, asSompi } from "../../base/brand.ts";
import { decodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { openWallet } from "../run/openWallet.ts";
import { paymentOf } from "../reduce/outbox.ts";
import type { ProvedPayment, ProverPort, SignerPort } from "../state/ports.ts";
import type { ProvePlan, SignIntent } from "../state/provePlan.ts";
import { sendPayment, type SendParts, type SendRequest } from "./sendPayment.ts";
import { ChainModel, freshWallet, OWN_ADDRESS, TEST_POLICY } from "../testkit/chainModel.ts";
import { payeeOf } from "../testkit/payments.ts";
import { FoldTree, ManualClock, MemoryStore, ModelNode, ModelScan } from "../testkit/ports.ts";

const COIN = 100_000_000n;
const TXID = "77".repeat(32);
const never = new AbortController().signal;
const quiet = () => undefined;

/** Records what it was asked to prove; the raw transaction begins with its identity. */
class RecordingProver implements ProverPort {
  readonly plans: ProvePlan[] = [];
  onProve: () => void = quiet;

  async prove(plan: ProvePlan): Promise<ProvedPayment> {
    this.plans.push(plan);
    this.onProve();
    const finalize = async (signatures: string) => decodeHex(`${TXID}${signatures}`);
    return { bundle: new Uint8Array(), disclosure: "[]", alphas: "[]", finalize };
  }
}

class RecordingSigner implements SignerPort {
  readonly intents: SignIntent[] = [];
  refusal: SvcError | null = null;

  async sign(intent: SignIntent): Promise<string> {
    this.intents.push(intent);
    if (this.refusal !== null) throw this.refusal;
    return "aa";
  }
}

async function setUp() {
  const model = new ChainModel();
  model.add({ mined: [5n * COIN] });
  model.addEmpty(14);
  const node = new ModelNode(model);
  const policy = TEST_POLICY;
  const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
  const store = new MemoryStore();
  const clock = new ManualClock();
  const parts = { policy, node, scan: new ModelScan(model), store, makeTree, clock };
  const sync = await openWallet(parts, freshWallet().account, "genesis", never);
  await sync.catchUp(never);
  const prover = new RecordingProver();
  const signer = new RecordingSigner();
  const send: SendParts = {
    sync,
    policy,
    node,
    prover,
    signer,
    clock,
    transactionId: () => TXID,
    profile: { networkName: "test" },
    fvk: "fe".repeat(96),
  };
  return { model, node, store, sync, prover, signer, send };
}

const request: SendRequest = {
  id: "p",
  payees: [payeeOf(2n * COIN, { memo: "6869" })],
  maxFee: null,
  recoverable: false,
};

describe("sendPayment", () => {
  it("plans, proves, signs, stores, and only then broadcasts", async () => {
    const { model, node, sync, prover, signer, send } = await setUp();
    const states: string[] = [];
    sync.subscribe((state) => states.push(paymentOf(state, "p").status.state));
    const payment = await sendPayment(send, request, quiet, never);
    expect(states).toEqual(["planned", "proving", "signing", "signed", "broadcasting", "mempool"]);
    expect(payment).toMatchObject({ txid: TXID, raw: `${TXID}aa`, status: { state: "mempool" } });
    expect(node.submitted).toEqual([`${TXID}aa`]);
    const outputs = [{ address: request.payees[0]?.recipient, value: "200000000", memo: "6869" }];
    const anchor = payment.anchor;
    expect(anchor?.hash).toBe(model.at(Number(anchor?.blueScore))?.hash);
    expect(prover.plans).toMatchObject([
      {
        profile: { networkName: "test" },
        daaScore: "16",
        anchor: anchor?.root,
        anchorBlock: anchor?.hash,
        spends: [{ recipient: OWN_ADDRESS, value: "500000000", position: "0" }],
        outputs,
        fee: "1855400",
        recoverable: false,
      },
    ]);
    expect(signer.intents).toMatchObject([{ payments: outputs, fee: "1855400", daaScore: "16" }]);
  });

  it("stores nothing when it cannot be planned", async () => {
    const { store, sync, send } = await setUp();
    const { commits } = store;
    const before = sync.state;
    const tooMuch = { ...request, payees: [payeeOf(6n * COIN)] };
    await expect(sendPayment(send, tooMuch, quiet, never)).rejects.toThrow(
      "wallet/insufficient-funds",
    );
    const cheap = { ...request, maxFee: asSompi(1_000_000n) };
    await expect(sendPayment(send, cheap, quiet, never)).rejects.toThrow(
      "wallet/fee-too-high (fee=0.018554, max=0.01)",
    );
    expect(sync.state).toBe(before);
    expect(store.commits).toBe(commits);
  });

  it("does not pay from behind the chain", async () => {
    const { model, node, sync, send } = await setUp();
    model.addEmpty(33);
    node.blocks = () => Promise.reject(new SvcError("queue/full", { queue: "q", limit: 1 }));
    await expect(sync.catchUp(never)).rejects.toThrow("queue/full");
    await expect(sendPayment(send, request, quiet, never)).rejects.toThrow(
      "wallet/not-synced (behind=33)",
    );
  });

  it("does not pay on a record that its owner knows to be false", async () => {
    const { node, sync, send } = await setUp();
    const contradiction = { chainIndex: asChainIndex(4n), reason: "a note is there twice" };
    await sync.update((state) => ({ ...state, contradiction }));
    await expect(sendPayment(send, request, quiet, never)).rejects.toThrow(
      "wallet/false-record (index=4, reason=a note is there twice)",
    );
    expect(sync.state.outbox).toEqual([]);
    expect(node.calls).not.toContain("submit");
  });

  it("does not pay while something stands between the pages and the state", async () => {
    const { model, node, sync, send } = await setUp();
    node.lie = "ab".repeat(32);
    model.addEmpty(1);
    await expect(sync.catchUp(never)).rejects.toThrow("wallet/tree-mismatch");
    await expect(sendPayment(send, request, quiet, never)).rejects.toThrow("wallet/tree-mismatch");
    expect(sync.state.outbox).toEqual([]);
  });

  it("never gives two payments the same note", async () => {
    const { send, sync } = await setUp();
    const second = { ...request, id: "q" };
    const [first, other] = await Promise.allSettled([
      sendPayment(send, request, quiet, never),
      sendPayment(send, second, quiet, never),
    ]);
    expect(first.status).toBe("fulfilled");
    expect(other).toMatchObject({ reason: { code: "wallet/payment-pending" } });
    expect(sync.state.outbox).toHaveLength(1);
  });

  it("is cancelled while it proves and frees its notes", async () => {
    const { node, sync, prover, send } = await setUp();
    const stop = new AbortController();
    prover.onProve = () => stop.abort();
    await expect(sendPayment(send, request, quiet, stop.signal)).rejects.toThrow(
      "wallet/cancelled",
    );
    expect(paymentOf(sync.state, "p").status).toEqual({ state: "cancelled" });
    expect(node.calls).not.toContain("submit");
    const again = await sendPayment(send, { ...request, id: "q" }, quiet, never);
    expect(again.status.state).toBe("mempool");
  });

  it("fails without a broadcast when the signer disagrees", async () => {
    const { node, sync, signer, send } = await setUp();
    signer.refusal = new SvcError("signer/payee-missing", { position: 0 });
    await expect(sendPayment(send, request, quiet, never)).rejects.toBe(signer.refusal);
    expect(paymentOf(sync.state, "p").status).toMatchObject({
      state: "failed",
      error: { code: "signer/payee-missing" },
    });
    expect(node.calls).not.toContain("submit");
  });

  it("asks the node nothing before it has the signed bytes", async () => {
    const { node, send } = await setUp();
    const before = node.calls.length;
    await sendPayment(send, request, quiet, never);
    expect(node.calls.slice(before)).toEqual(["submit"]);
  });

  it("is not cancelled by a node's word", async () => {
    const { node, sync, send } = await setUp();
    node.refusal = new SvcError("run/aborted", {});
    const payment = await sendPayment(send, request, quiet, never);
    expect(payment.status).toMatchObject({ state: "broadcasting", attempts: 1 });
    expect(paymentOf(sync.state, "p").status).toMatchObject({ lastError: { code: "run/aborted" } });
  });

  it("keeps the bytes and resolves when the node is away", async () => {
    const { node, send } = await setUp();
    node.refusal = new SvcError("wallet/node-unreachable", { url: "test" });
    const payment = await sendPayment(send, request, quiet, never);
    expect(payment).toMatchObject({
      raw: `${TXID}aa`,
      status: { state: "broadcasting", lastError: { code: "wallet/node-unreachable" } },
    });
  });

  it("takes a duplicate for success", async () => {
    const { node, send } = await setUp();
    node.refusal = new SvcError("mempool/duplicate", { txid: TXID });
    const payment = await sendPayment(send, request, quiet, never);
    expect(payment.status.state).toBe("mempool");
  });

  it("reports what no node would ever take", async () => {
    const { node, sync, send } = await setUp();
    node.refusal = new SvcError("tx/invalid-proof", { reason: "test" });
    await expect(sendPayment(send, request, quiet, never)).rejects.toThrow(
      "wallet/payment-rejected",
    );
    expect(paymentOf(sync.state, "p").status.state).toBe("failed");
  });
});
