/**
 * Refunds of a hosted gateway, for the payer that runs beside the node: asks the gateway which are due, takes them on, and tells it what
 * becomes of them. The gateway agrees before a wallet is first asked, since its merchant may have cancelled; everything else is
 * written down here first, and told until it was heard.
 */
import * as v from "valibot";
import { asSompi, asTimestampMs, type AddressText, type RefundId } from "@svc/shared/base/brand.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { payoutAnswer, PAYOUT_PATH, type DuePayout } from "@svc/shared/invoice/payoutCalls.ts";
import type { Refund } from "@svc/shared/invoice/refund.ts";
import type { RefundInput } from "@svc/shared/invoice/refundInput.ts";
import { ADDRESS_REFUSALS } from "@svc/shared/protocol/contract/requestFields.ts";
import type { Log } from "../../platform/log/log.ts";
import { Repeater } from "../../platform/time/repeater.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { RefundPayerParts } from "../refunds/refundPayer.ts";
import { postHosted, type HostedParts } from "./hostedPost.ts";
import { hostedRefusal } from "./hostedRefusal.ts";
import { inputsOf, type PayoutLedger } from "./payoutLedger.ts";
import type { PayoutRow } from "./payoutTable.ts";

/** Dependencies. */
export type HostedRefundsParts = HostedParts & {
  readonly ledger: PayoutLedger;
  /** Whether a wallet pays back what this viewing key received. */
  readonly hasWallet: (key: DuePayout["key"]) => boolean;
  /** The core's word on an address. Throws `address/…`. */
  readonly checkAddress: (address: AddressText) => void;
  /** A refund may be due. */
  readonly onDue: () => void;
  readonly log: Pick<Log, "warn">;
};

type Desk = RefundPayerParts["refunds"];

const DONE = 200;
/** Codes of refusals that are about one refund. */
const ABOUT_ONE: ReadonlySet<string> = new Set([
  "gateway/no-invoice",
  "gateway/no-refund",
  "gateway/refund-state",
  "gateway/refund-too-large",
  "gateway/payout-wallet",
]);
const CANCELLED = new SvcError("gateway/refund-state", { state: "cancelled" });

/** The refunds. */
export class HostedRefunds implements Desk {
  readonly #parts: HostedRefundsParts;
  readonly #repeater: Repeater;
  #last: Promise<void> = Promise.resolve();
  #after: string | null = null;
  #failures = 0;
  #isTroubled = false;

  constructor(parts: HostedRefundsParts) {
    this.#parts = parts;
    this.#repeater = new Repeater({
      work: (signal) => this.#round(signal),
      pauseMs: GATEWAY_LIMITS.payoutLookMs,
      clock: parts.clock,
      onError: (thrown) => this.#failed(thrown),
    });
  }

  /** Begins to ask. */
  start(): void {
    this.#repeater.start();
  }

  /** Ends; resolves when nothing runs any more. */
  stop(): Promise<void> {
    return this.#repeater.stop();
  }

  find(id: RefundId): Refund {
    return this.#row(id).refund;
  }

  due(nowMs: bigint) {
    return this.#waiting()
      .filter(({ dueMs }) => dueMs <= nowMs)
      .map(({ row }) => ({ merchant: row.refund.terms.merchant, id: row.refund.terms.id }));
  }

  nextDueMs(nowMs: bigint): bigint | null {
    return this.#waiting().find(({ dueMs }) => dueMs > nowMs)?.dueMs ?? null;
  }

  /** The viewing key that received what a refund pays back; null for a refund that is not here. */
  keyOf(id: RefundId): DuePayout["key"] | null {
    return this.#parts.ledger.get(id)?.key ?? null;
  }

  /** Rejects as `reduceRefund` throws, with the store's errors, and before a wallet is asked with what the gateway says. */
  async change(id: RefundId, input: RefundInput): Promise<Refund> {
    const { ledger } = this.#parts;
    const row = this.#row(id);
    const refund = ledger.after(row, input, this.#nowMs());
    if (input.kind === "ask") {
      await this.#turn(async () => {
        await this.#agree(row, input);
        ledger.put({ ...row, refund, isTold: true });
      });
      return refund;
    }
    ledger.put({ ...row, refund, isTold: false });
    await this.#tell(id).catch((thrown: unknown) => this.#failed(thrown));
    return refund;
  }

  /** Asks for one part of what is due, takes it on, and tells what was not heard. Rejects where the gateway cannot be asked. */
  async look(signal = this.#repeater.signal): Promise<void> {
    for (const { refund, isTold } of this.#parts.ledger.open) {
      if (!isTold) await this.#tried(() => this.#tell(refund.terms.id, signal));
    }
    const body = await this.#ask("due", { after: this.#after }, signal);
    const read = v.safeParse(payoutAnswer, body);
    this.#after = null;
    if (!read.success) {
      throw new SvcError("gateway/bad-answer", { status: DONE, reason: "no answer to due" });
    }
    for (const told of read.output.refunds) await this.#tried(() => this.#take(told, signal));
    this.#after = read.output.next;
    this.#parts.onDue();
  }

  async #round(signal: AbortSignal): Promise<void> {
    this.#failures = 0;
    await this.look(signal).catch((thrown: unknown) => this.#failed(thrown));
    this.#isTroubled = this.#failures > 0;
  }

  async #take(told: DuePayout, signal: AbortSignal): Promise<void> {
    const { ledger, hasWallet, checkAddress } = this.#parts;
    const { terms, state, address } = told.refund;
    const isPayable = state === "approved" || (state === "sent" && told.refund.txids.length > 0);
    if (!isPayable || address === null || !hasWallet(told.key)) return;
    const known = ledger.get(terms.id);
    if (known !== undefined) return this.#compare(known, told, signal);
    try {
      checkAddress(address);
      ledger.take(told, this.#nowMs());
    } catch (thrown) {
      const error = SvcError.from(thrown);
      const input = refusedBy(error, this.#nowMs());
      if (input === null) throw error;
      await this.#ask("change", { id: terms.id, inputs: [input] }, signal);
    }
  }

  /** A gateway that knows less is told again; one that says something else is not listened to. */
  async #compare(known: PayoutRow, told: DuePayout, signal: AbortSignal): Promise<void> {
    const { terms, address, state, dueMs } = known.refund;
    const isSame =
      terms.amount === told.refund.terms.amount &&
      address === told.refund.address &&
      known.key === told.key &&
      known.index === told.index;
    if (!isSame) {
      const reason = `${terms.id} is told otherwise than before`;
      return this.#failed(new SvcError("gateway/bad-answer", { status: DONE, reason }));
    }
    const isWorkedOn = dueMs !== null && dueMs <= this.#nowMs();
    if (state === told.refund.state && isWorkedOn) return;
    this.#parts.ledger.put({ ...known, isTold: false });
    await this.#tell(terms.id, signal);
  }

  /** The gateway writes down that a wallet is asked: from then on nobody cancels. */
  async #agree(row: PayoutRow, input: RefundInput): Promise<void> {
    const { ledger } = this.#parts;
    const { id } = row.refund.terms;
    // No wallet was asked, so a question that the gateway may have written down before stands for nothing.
    const isFirst = row.refund.attempt === null && row.refund.error !== null;
    const inputs = isFirst ? [...inputsOf(row.refund), input] : [input];
    try {
      await this.#ask("change", { id, inputs }, this.#repeater.signal);
    } catch (thrown) {
      if (SvcError.from(thrown).data["reason"] !== "gateway/refund-state") throw thrown;
      if (row.refund.attempt === null) {
        ledger.forget(row);
        throw CANCELLED;
      }
      // A wallet may have paid it: it is asked again, for the answer.
    }
  }

  /** Tells how a refund stands, where that was not heard yet. */
  #tell(id: RefundId, signal = this.#repeater.signal): Promise<void> {
    return this.#turn(async () => {
      const { ledger } = this.#parts;
      const row = ledger.get(id);
      if (row === undefined || row.isTold) return;
      const inputs = inputsOf(row.refund);
      if (inputs.length > 0) await this.#ask("change", { id, inputs }, signal);
      // It may have gone on meanwhile, and then it is told again.
      if (ledger.get(id) === row) ledger.put({ ...row, isTold: true });
    });
  }

  /** One after the other: what was so earlier is not told behind what was so later. */
  #turn(work: () => Promise<void>): Promise<void> {
    const own = this.#last.then(work);
    this.#last = own.catch(() => undefined);
    return own;
  }

  /** The gateway's answer. Rejects with `gateway/refused`, and as `postHosted`. */
  async #ask(call: "due" | "change", body: object, signal: AbortSignal): Promise<unknown> {
    const asked = { path: `${PAYOUT_PATH}${call}`, id: "payouts", json: stableJson(body) };
    const answer = await postHosted(this.#parts, asked, signal);
    if (answer.status !== DONE) throw hostedRefusal(answer);
    return answer.body;
  }

  /** What the gateway refuses for one refund keeps no other waiting. */
  async #tried(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (thrown) {
      const { reason } = SvcError.from(thrown).data;
      if (reason === undefined || !ABOUT_ONE.has(reason)) throw thrown;
      this.#failed(thrown);
    }
  }

  /** Said once, until a look has met with nothing of the kind. */
  #failed(thrown: unknown): void {
    if (this.#repeater.signal.aborted) return;
    this.#failures += 1;
    if (this.#isTroubled) return;
    this.#isTroubled = true;
    this.#parts.log.warn({ err: SvcError.from(thrown) }, "refunds of the hosted gateway wait");
  }

  /** Those that are not over, those due longest first. */
  #waiting(): readonly { readonly row: PayoutRow; readonly dueMs: bigint }[] {
    return this.#parts.ledger.open
      .flatMap((row) => (row.refund.dueMs === null ? [] : [{ row, dueMs: row.refund.dueMs }]))
      .toSorted((a, b) => (a.dueMs < b.dueMs ? -1 : a.dueMs > b.dueMs ? 1 : 0));
  }

  #row(id: RefundId): PayoutRow {
    const row = this.#parts.ledger.get(id);
    if (row === undefined) throw new SvcError("gateway/no-refund", {});
    return row;
  }

  #nowMs() {
    return asTimestampMs(this.#parts.clock.nowMs());
  }
}

/** What the gateway is told of a refund that is not taken on; null where this program is at fault. */
function refusedBy(error: SvcError, nowMs: bigint): RefundInput | null {
  const isNoAddress = ADDRESS_REFUSALS.some((code) => code === error.code);
  if (isNoAddress) return { kind: "failed", error: error.toJSON(), moved: asSompi(0n), txids: [] };
  const isForLater =
    SvcError.is(error, "gateway/refund-too-large") || SvcError.is(error, "queue/full");
  if (!isForLater) return null;
  const dueMs = asTimestampMs(nowMs + BigInt(GATEWAY_LIMITS.payoutRefusedMs));
  return { kind: "later", error: error.toJSON(), dueMs };
}
