/**
 * Test helper: a hosted gateway in memory that says which refunds are due and takes what becomes of them, as the Worker does, and lies,
 * falls silent or forgets when it is told to.
 */
import * as v from "valibot";
import type { ViewingKeyId } from "@svc/shared/base/brand.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PAYOUT_PATH, payoutChange, type DuePayout } from "@svc/shared/invoice/payoutCalls.ts";
import { verifyCall } from "@svc/shared/protocol/webhook/signedCall.ts";
import type { RefundDesk } from "../desk/refundDesk.ts";

/** What happens to a call: it is heard or not, and its answer arrives or not. */
export type CallFault = "none" | "lost" | "unanswered";

/** The gateway. */
export class ModelPayouts {
  fault: () => CallFault = () => "none";
  /** What it says is due in place of the truth. */
  lies: (truth: readonly DuePayout[]) => readonly DuePayout[] = (truth) => truth;
  /** It agrees to whatever it is told. */
  agrees = false;
  readonly #desk: RefundDesk;
  readonly #address: { readonly key: ViewingKeyId; readonly index: number };
  readonly #secret: string;
  readonly #nowMs: () => bigint;

  constructor(
    desk: RefundDesk,
    address: { readonly key: ViewingKeyId; readonly index: number },
    { secret, nowMs }: { readonly secret: string; readonly nowMs: () => bigint },
  ) {
    this.#desk = desk;
    this.#address = address;
    this.#secret = secret;
    this.#nowMs = nowMs;
  }

  /** Answers as the platform's `fetch`. */
  readonly request: typeof fetch = async (input, init) => {
    const fault = this.fault();
    if (fault === "lost") throw new TypeError("fetch failed");
    const answer = await this.#answer(new Request(input, init));
    if (fault === "unanswered") throw new TypeError("fetch failed");
    return answer;
  };

  async #answer(request: Request): Promise<Response> {
    const body = new Uint8Array(await request.arrayBuffer());
    const verdict = await verifyCall(this.#secret, request, body, this.#nowMs() / 1_000n);
    if (verdict !== "ok") return Response.json({ code: "gateway/bad-key" }, { status: 401 });
    const json: unknown = JSON.parse(new TextDecoder().decode(body));
    if (new URL(request.url).pathname === `${PAYOUT_PATH}due`) return this.#due();
    return this.#change(v.parse(payoutChange, json));
  }

  #due(): Response {
    const truth = [...this.#desk.due(this.#nowMs())].map(({ id }) => {
      return { refund: this.#desk.find(id), ...this.#address };
    });
    return new Response(stableJson({ refunds: [...this.lies(truth)], next: null }));
  }

  async #change({ id, inputs }: v.InferOutput<typeof payoutChange>): Promise<Response> {
    if (this.agrees) return Response.json({ id });
    try {
      for (const input of inputs) await this.#desk.change(id, input);
      return Response.json({ id });
    } catch (thrown) {
      const { code } = SvcError.from(thrown);
      return Response.json({ code }, { status: 409 });
    }
  }
}
