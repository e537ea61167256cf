/** Client of a wallet daemon that repeats each call with the same key until it is answered. */
import { expect } from "vitest";
import * as v from "valibot";
import type { CallOptions, WalletClient } from "@svc/shared/protocol/wallet/walletClient.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";
import { untilSo } from "../testkit/nodeProcess.ts";
import { payoutText, type WantedCall } from "./wantedCalls.ts";
import { isPassing, options, PAYER, type WalletdScene } from "./walletdScene.ts";

/** What a call was answered. */
export type Answer = {
  readonly txids: readonly string[];
  /** Fees of all transactions, in sompi; null for a merge, whose answer tells none. */
  readonly fee: bigint | null;
  /** The whole answer. */
  readonly whole: unknown;
};

const batchAnswer = v.object({ txids: v.array(v.string()), fee_sompi: v.string() });

/** Pays. */
export class InsistentClient {
  readonly #scene: WalletdScene;
  /** Jobs that it was told of, by key. */
  readonly jobs = new Map<string, string>();
  readonly answers = new Map<string, Answer>();
  /** Questions that came to nothing and were repeated. */
  repeated = 0;

  constructor(scene: WalletdScene) {
    this.#scene = scene;
  }

  /** Repeats the call until it is answered. Rejects with what does not pass by itself. */
  async pay(wanted: WantedCall): Promise<Answer> {
    let answer: Answer | null = null;
    await untilSo(async () => {
      try {
        answer = await this.#ask(wanted);
      } catch (thrown) {
        if (!isPassing(thrown)) throw thrown;
        this.repeated += 1;
      }
      return answer !== null;
    }, PATIENCE_MS);
    if (answer === null) throw new Error("an answer was waited for");
    this.answers.set(wanted.key, answer);
    return answer;
  }

  /** Makes the call once, or begins its job. Rejects as the daemon's client does. */
  askOnce(wanted: WantedCall): Promise<unknown> {
    const client = this.#scene.client(PAYER);
    const call = { ...options(), idempotencyKey: wanted.key };
    return wanted.isJob ? begun(client, wanted, call) : answered(client, wanted, call);
  }

  async #ask(wanted: WantedCall): Promise<Answer | null> {
    const { key, kind, isJob } = wanted;
    const client = this.#scene.client(PAYER);
    const status = await client.status(options());
    if (!status.spend_ready) return null;
    const call = { ...options(), idempotencyKey: key };
    if (!isJob) return answered(client, wanted, call);
    const id = await begun(client, wanted, call);
    expect(id, `the job of ${key}`).toBe(this.jobs.get(key) ?? id);
    this.jobs.set(key, id);
    const { state, error, answer } = await client.job(id, options());
    if (state === "failed" || state === "cancelled") throw new Error(JSON.stringify(error));
    if (state !== "done") return null;
    return kind === "payout" ? batched(answer) : answered(client, wanted, call);
  }
}

function batched(whole: unknown): Answer {
  const { txids, fee_sompi: fee } = v.parse(batchAnswer, whole);
  return { txids, fee: BigInt(fee), whole };
}

/** Begins a call as a job. */
function begun(client: WalletClient, wanted: WantedCall, call: CallOptions): Promise<string> {
  switch (wanted.kind) {
    case "send":
      return client.begin("send", sendBody(wanted), call);
    case "sendMany":
      return client.begin("sendMany", manyBody(wanted), call);
    case "payout":
      return client.begin("payout", { format: wanted.format, data: payoutText(wanted) }, call);
    case "consolidate":
      return client.begin("consolidate", {}, call);
  }
}

/** Makes a call and waits for its answer. */
async function answered(
  client: WalletClient,
  wanted: WantedCall,
  call: CallOptions,
): Promise<Answer> {
  switch (wanted.kind) {
    case "send": {
      const whole = await client.send(sendBody(wanted), call);
      return { txids: whole.txids, fee: whole.fee_sompi, whole };
    }
    case "sendMany": {
      const whole = await client.sendMany(manyBody(wanted), call);
      return { txids: whole.txids, fee: whole.fee_sompi, whole };
    }
    case "consolidate": {
      const whole = await client.consolidate({}, call);
      return { txids: [whole.txid], fee: null, whole };
    }
    case "payout":
      throw new Error("a batch is a job");
  }
}

/** The body of a `send`. Throws for a call of another kind. */
export function sendBody({ payees: [payee] }: WantedCall) {
  if (payee === undefined) throw new Error("a payment has a payee");
  return { to: payee.to, amount_sompi: payee.amount, memo: payee.memo };
}

function manyBody({ payees }: WantedCall) {
  return {
    payees: payees.map(({ to, amount, memo }) => ({ to, amount_sompi: amount, memo })),
  };
}
