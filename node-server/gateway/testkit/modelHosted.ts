/** Test helper: a hosted gateway in memory that takes facts as the Worker does, and lies, falls silent or forgets when it is told to. */
import { decodeFactBatch, type BatchFact, type FactBatch } from "@svc/shared/invoice/factBatch.ts";
import { verifyCall } from "@svc/shared/protocol/webhook/signedCall.ts";

/** What a model does with a batch in place of answering truly. */
export type Mischief = (batch: FactBatch) => Response | "lose-batch" | "lose-answer" | null;

/** The gateway. */
export class ModelHosted {
  /** What it applied, in this order. */
  readonly applied: FactBatch[] = [];
  /** Batches that came, by number, whether it applied them or not. */
  readonly heard: bigint[] = [];
  /** Batches with one number and two contents. */
  readonly torn: bigint[] = [];
  /** What it says of viewing keys that run low. */
  low: readonly { readonly key: string; readonly addresses: number }[] = [];
  mischief: Mischief = () => null;
  next = 1n;
  readonly #secret: string;
  readonly #nowMs: () => bigint;
  readonly #contents = new Map<string, string>();
  #last: { readonly sequence: bigint; readonly json: string } | null = null;

  constructor(secret: string, nowMs: () => bigint) {
    this.#secret = secret;
    this.#nowMs = nowMs;
  }

  /** All facts that it applied. */
  get facts(): readonly BatchFact[] {
    return this.applied.flatMap(({ facts }) => facts);
  }

  /** Answers as the platform's `fetch`. */
  readonly request: typeof fetch = async (input, init) => this.answer(new Request(input, init));

  /** Answers a request. Rejects where the answer is lost. */
  async answer(request: Request): Promise<Response> {
    const body = new Uint8Array(await request.arrayBuffer());
    const now = this.#nowMs() / 1_000n;
    const verdict = await verifyCall(this.#secret, request, body, now);
    if (verdict !== "ok") return Response.json({ code: "gateway/bad-key" }, { status: 401 });
    const json = new TextDecoder().decode(body);
    const batch = decodeFactBatch(json);
    const { scanner, sequence } = batch;
    this.heard.push(sequence);
    const name = `${scanner}/${sequence}`;
    if ((this.#contents.get(name) ?? json) !== json) this.torn.push(sequence);
    this.#contents.set(name, json);
    const trick = this.mischief(batch);
    if (trick === "lose-batch") throw new TypeError("fetch failed");
    if (trick instanceof Response) return trick;
    if (sequence === this.next - 1n && this.#last?.sequence === sequence) {
      const isSame = this.#last.json === json;
      if (!isSame) return Response.json({ code: "gateway/idempotency-conflict" }, { status: 409 });
    }
    const isApplied = sequence <= this.next;
    if (sequence === this.next) {
      this.applied.push(batch);
      this.next += 1n;
      this.#last = { sequence, json };
    }
    if (trick === "lose-answer") throw new TypeError("fetch failed");
    return this.says(isApplied, this.next);
  }

  /** What the Worker says. */
  says(applied: boolean, next: bigint): Response {
    const body = { applied, next: String(next), low: this.low };
    return Response.json(body, { status: applied ? 200 : 409 });
  }
}
