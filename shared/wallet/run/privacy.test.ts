/** The lines of docs/privacy.md about the node a wallet uses, each read from the traffic. */
import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { decodeHex } from "../../base/hex.ts";
import { PAGE_LIMITS } from "@svc/web/pageLimits.ts";
import type { Birthday } from "../sync/birthday.ts";
import { HttpNode } from "../node/httpNode.ts";
import { openWallet } from "./openWallet.ts";
import { sendPayment } from "../send/sendPayment.ts";
import { ChainModel, EPOCH_POLICY, freshWallet } from "../testkit/chainModel.ts";
import { modelFetch, type RequestLog } from "../testkit/modelFetch.ts";
import { payeeOf } from "../testkit/payments.ts";
import { FoldTree, MemoryStore, ModelNode, ModelScan } from "../testkit/ports.ts";
import { SimClock } from "../testkit/simClock.ts";
import { WalletLoop } from "./walletLoop.ts";

const COIN = 100_000_000n;
const TXID = "77".repeat(32);
const RAW = `${TXID}aa`;
const identity = freshWallet().account;

/** A chain that mined to the wallet at first; one block more for each further one asked for. */
function chain(blocks = 30): ChainModel {
  const model = new ChainModel();
  model.add({ mined: [5n * COIN] });
  model.addEmpty(blocks - 1);
  return model;
}

/** One wallet in one browser, with everything it has sent. */
class Watched {
  readonly log: RequestLog = [];
  readonly clock = new SimClock();
  readonly store = new MemoryStore();
  readonly node: ModelNode;

  constructor(model: ChainModel) {
    this.node = new ModelNode(model);
  }

  /** Opens the wallet for so long; `during` may do something with it half-way. */
  async session(
    birthday: Birthday,
    during?: (parts: Awaited<ReturnType<Watched["open"]>>, signal: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    const stop = new AbortController();
    const parts = await this.open(birthday, stop.signal);
    const loop = new WalletLoop(parts, PAGE_LIMITS.walletPollMs, () => undefined);
    const running = loop.run(stop.signal);
    await this.clock.run(10_000);
    const work = during?.(parts, stop.signal);
    await this.clock.run(100_000);
    await work;
    stop.abort();
    await this.clock.run(0);
    await running;
    await parts.sync.close();
  }

  async open(birthday: Birthday, signal: AbortSignal) {
    const { clock, store, node: model } = this;
    const node = new HttpNode("http://node", modelFetch(model, clock, this.log));
    const makeTree = (bytes: Uint8Array) => new FoldTree(bytes);
    const scan = new ModelScan(model.model);
    const parts = { policy: EPOCH_POLICY, node, clock, store, scan, makeTree };
    return { ...parts, sync: await openWallet(parts, identity, birthday, signal) };
  }

  /** The requests without their times. */
  get sent(): readonly string[] {
    return this.log.map((line) => line.slice(line.indexOf(" ") + 1));
  }
}

/** Pays with parts that prove and sign nothing. */
function pay(
  parts: Awaited<ReturnType<Watched["open"]>>,
  clock: SimClock,
  signal: AbortSignal,
): Promise<unknown> {
  const proved = { bundle: new Uint8Array(), disclosure: "[]", alphas: "[]" };
  const finalize = async () => decodeHex(RAW);
  const send = {
    ...parts,
    prover: {
      prove: async () => {
        await clock.sleep(5_000, signal);
        return { ...proved, finalize };
      },
    },
    signer: { sign: async () => "aa" },
    transactionId: () => TXID,
    profile: {},
    fvk: "fe".repeat(96),
  };
  const request = { id: "p", payees: [payeeOf(COIN)], maxFee: null, recoverable: false };
  return sendPayment(send, request, () => undefined, signal);
}

let lines: readonly string[];

beforeAll(async () => {
  const text = await readFile(new URL("../../../docs/privacy.md", import.meta.url), "utf8");
  lines = text.split("\n");
});

describe("the node that a wallet uses", () => {
  it("is described line by line, each with its test", async () => {
    const here = await readFile(new URL("privacy.test.ts", import.meta.url), "utf8");
    const logs = await readFile(new URL("requestLog.test.ts", import.meta.url), "utf8");
    const begin = lines.indexOf("| it learns | how far | test |");
    const rows = lines.slice(begin + 2, lines.indexOf("", begin));
    expect(rows.length).toBeGreaterThan(7);
    for (const row of rows) {
      const title = /`([^`]+)` \|$/.exec(row)?.[1] ?? "";
      const named = title.endsWith(".test.ts") || `${here}${logs}`.includes(`it("${title}"`);
      expect(named, row).toBe(true);
    }
  });

  it("carries nothing that names the wallet", async () => {
    const wallet = new Watched(chain());
    await wallet.session("genesis", (parts, signal) => pay(parts, wallet.clock, signal));
    const headers = new Set(wallet.sent.map((line) => line.split(" ")[2]));
    expect([...headers]).toEqual([""]);
  });

  it("asks four questions and no others", async () => {
    const wallet = new Watched(chain());
    await wallet.session("genesis", (parts, signal) => pay(parts, wallet.clock, signal));
    const forms = wallet.sent.map((line) =>
      line.replaceAll(/[0-9a-f]{64}/g, "HASH").replaceAll(/=\d+/g, "=N"),
    );
    expect(new Set(forms.map((line) => line.split("  ")[0]))).toEqual(
      new Set([
        "GET /v1/tip",
        "GET /v1/start?index=N",
        "GET /v1/blocks?after=HASH&limit=N",
        "POST /v1/tx",
      ]),
    );
  });

  it("comes back from the start of an epoch", async () => {
    const model = chain(30);
    const wallet = new Watched(model);
    await wallet.session("genesis");
    const before = wallet.log.length;
    model.addEmpty(1);
    await wallet.session("genesis");
    const asked = wallet.sent.slice(before).find((line) => line.includes("/v1/blocks"));
    expect(asked).toContain(`after=${model.at(28)?.hash}`);
    const all = wallet.sent.slice(before).join("\n");
    expect(all).not.toContain(model.at(30)?.hash);
    expect(all).not.toContain(model.at(29)?.hash);
  });

  it("looks like any other wallet of its epoch", async () => {
    const sent: string[][] = [];
    for (const stoppedAt of [29, 30, 31]) {
      const model = chain(stoppedAt);
      const wallet = new Watched(model);
      await wallet.session("genesis");
      const before = wallet.log.length;
      model.addEmpty(40 - stoppedAt);
      await wallet.session("genesis");
      sent.push(
        wallet.sent.slice(before).map((line) =>
          // What the model calls its later blocks depends on when it made them.
          line.replace(
            /after=[0-9a-f]{64}/,
            (hash) => `after=${model.indexOf(hash.slice("after=".length))}`,
          ),
        ),
      );
    }
    expect(sent[1]).toEqual(sent[0]);
    expect(sent[2]).toEqual(sent[0]);
    expect(sent[0]?.some((line) => line.includes("after=28"))).toBe(true);
  });

  it("names a birthday by a multiple of epochs", async () => {
    for (const blocks of [33, 34, 35]) {
      const wallet = new Watched(chain(blocks));
      await wallet.session({ day: 0, fresh: true });
      const starts = wallet.sent.filter((line) => line.includes("/v1/start"));
      expect(starts.map((line) => line.split(" ")[1])).toEqual(["/v1/start?index=28"]);
    }
  });

  it("asks nothing before a payment", async () => {
    const payer = new Watched(chain());
    await payer.session("genesis", (parts, signal) => pay(parts, payer.clock, signal));
    const other = new Watched(chain());
    await other.session("genesis");
    const submit = payer.log.findIndex((line) => line.includes("POST /v1/tx"));
    expect(submit).toBeGreaterThan(0);
    expect(payer.log.slice(0, submit)).toEqual(other.log.slice(0, submit));
  });

  it("hands over a payment as it is, and the same bytes again", async () => {
    const wallet = new Watched(chain());
    await wallet.session("genesis", (parts, signal) => pay(parts, wallet.clock, signal));
    const submits = wallet.sent.filter((line) => line.startsWith("POST"));
    expect(submits.length).toBe(2);
    expect(new Set(submits)).toEqual(new Set([`POST /v1/tx  ${RAW}`]));
  });
});
