/**
 * Tells a hosted gateway the batches of an outbox, one after the other: each is told until it is acknowledged. What the gateway answers
 * moves the outbox only to numbers that this scanner has told; a gateway that says anything else is asked again, ever more slowly.
 */
import * as v from "valibot";
import type { ViewingKeyId } from "@svc/shared/base/brand.ts";
import { fields } from "@svc/shared/base/fields.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Log } from "../../platform/log/log.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { FactOutbox, WrittenBatch } from "./factOutbox.ts";
import { postHosted, type HostedAnswer, type HostedParts } from "./hostedPost.ts";
import { hostedRefusal } from "./hostedRefusal.ts";

/** Where a hosted gateway takes facts. */
export const FACTS_PATH = "/ingest/v1/facts";

/** Dependencies. */
export type FactSenderParts = HostedParts & {
  readonly outbox: FactOutbox;
  readonly log: Pick<Log, "info" | "warn">;
  /** The gateway has few addresses of this viewing key; said in its answer to the batch of this number. */
  readonly onLow: (key: ViewingKeyId, sequence: bigint) => void;
};

const form = v.object({
  applied: v.boolean(),
  next: v.pipe(fields.u64, v.minValue(1n)),
  low: v.pipe(
    v.array(v.object({ key: fields.viewingKeyId, addresses: v.number() })),
    v.maxLength(GATEWAY_LIMITS.pushLowKeys),
  ),
});

type FactsAnswer = v.InferOutput<typeof form>;

const APPLIED = 200;
const LEAVES_OUT = 409;
/** The code that refuses the number of the last batch with other content. */
const ANOTHER_BATCH = "gateway/idempotency-conflict";

/** A sender. */
export class FactSender {
  readonly #parts: FactSenderParts;
  readonly #life = new AbortController();
  #run: Promise<void> | null = null;
  #problem: SvcError | null = null;

  constructor(parts: FactSenderParts) {
    this.#parts = parts;
  }

  /** What the last try failed with; null after one that did not. */
  get problem(): SvcError | null {
    return this.#problem;
  }

  /** Begins to tell. */
  start(): void {
    this.#run ??= this.#loop(this.#life.signal);
  }

  /** Ends; resolves when nothing runs any more. A batch that was under way is told again at the next start. */
  async stop(): Promise<void> {
    this.#life.abort();
    await this.#run;
  }

  async #loop(signal: AbortSignal): Promise<void> {
    const { outbox, clock } = this.#parts;
    const { pushRetryFirstMs, pushRetryLongestMs } = GATEWAY_LIMITS;
    for (let failures = 0; !signal.aborted;) {
      try {
        await outbox.untilWaiting(signal);
        await this.#tell(outbox.next(), signal);
        this.#recovered();
        failures = 0;
      } catch (thrown) {
        if (signal.aborted) return;
        this.#failed(SvcError.from(thrown));
        const pauseMs = Math.min(
          pushRetryFirstMs * 2 ** Math.min(failures, 16),
          pushRetryLongestMs,
        );
        failures += 1;
        await clock.sleep(pauseMs, signal).catch(() => undefined);
      }
    }
  }

  /** Resolves when a batch is acknowledged that was not before. */
  async #tell(batch: WrittenBatch | null, signal: AbortSignal): Promise<void> {
    if (batch === null) return;
    const { sequence, json } = batch;
    const id = `facts-${sequence}`;
    const answer = await postHosted(this.#parts, { path: FACTS_PATH, id, json }, signal);
    const { applied, next, low } = readAnswer(answer, sequence);
    if (!applied) return this.#goBack(sequence, next);
    const { outbox, onLow } = this.#parts;
    if (next <= sequence || next > outbox.heardAtMost(sequence) + 1n) {
      throw strange(answer.status, sequence, next);
    }
    outbox.acknowledge(next);
    for (const { key } of low) onLow(key, sequence);
  }

  /** The gateway lacks earlier batches: they are told again. No progress yet, so that a gateway that always says so is asked slowly. */
  #goBack(sequence: bigint, next: bigint): void {
    if (!this.#parts.outbox.tellAgainFrom(next)) throw strange(LEAVES_OUT, sequence, next);
    throw new SvcError("gateway/refused", { status: LEAVES_OUT, reason: `it lacks ${next}` });
  }

  #failed(error: SvcError): void {
    const old = this.#problem;
    const isNews = old?.code !== error.code || old.data["reason"] !== error.data["reason"];
    this.#problem = error;
    if (isNews) this.#parts.log.warn({ err: error }, "the hosted gateway took no facts");
  }

  #recovered(): void {
    if (this.#problem !== null) this.#parts.log.info("the hosted gateway takes facts again");
    this.#problem = null;
  }
}

function readAnswer(answer: HostedAnswer, sequence: bigint): FactsAnswer {
  const { status } = answer;
  const read = v.safeParse(form, answer.body);
  if (status !== APPLIED && !(status === LEAVES_OUT && read.success)) {
    const refusal = hostedRefusal(answer);
    if (refusal.data["reason"] !== ANOTHER_BATCH) throw refusal;
    throw anotherScanner(status, `another batch ${sequence} was told before`);
  }
  if (!read.success || read.output.applied !== (status === APPLIED)) {
    throw new SvcError("gateway/bad-answer", { status, reason: "no answer to facts" });
  }
  return read.output;
}

function strange(status: number, sequence: bigint, next: bigint): SvcError {
  return anotherScanner(status, `batch ${sequence} was told and ${next} is asked for`);
}

/** Another scanner tells under this name, or one of the two has lost what it knew: a new name begins anew. */
function anotherScanner(status: number, what: string): SvcError {
  const reason = `${what}; begin anew with another --scanner`;
  return new SvcError("gateway/bad-answer", { status, reason });
}
