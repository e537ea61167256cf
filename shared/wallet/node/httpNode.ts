/**
 * HTTP client of a node: the wallet's node port over the browser protocol (formats 4). Works
 * wherever there is `fetch`.
 *
 * Sends no cookies, no referrer and no header of its own: every wallet asks alike.
 */
import type { BlockHash, ChainIndex, TxId } from "../../base/brand.ts";
import { bodyWithin } from "../../base/bodyWithin.ts";
import type { NullifierPart, TipPort } from "../../light/evidencePort.ts";
import type { PayloadPort, RecordDigestPort } from "../../light/secondOpinion.ts";
import { readEvidenceTipFacts, type EvidenceTipFacts } from "../../protocol/facts/evidenceFacts.ts";
import { readRecordDigest, type RecordDigest } from "../../protocol/http/recordDigest.ts";
import { PROTOCOL_LIMITS } from "../../protocol/protocolLimits.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import { SvcError } from "../../base/svcError.ts";
import { readContainer } from "../../protocol/http/recordContainer.ts";
import {
  readNodeError,
  readStart,
  readSubmitted,
  readTip,
  type NodeQuestion,
} from "./nodeAnswers.ts";
import type { NodePort, NodeTip, RecordPage, StartBlock } from "../state/ports.ts";

type Call = {
  readonly question: NodeQuestion;
  readonly path: string;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
};

/** The node at a base address such as `http://127.0.0.1:19850`. */
export class HttpNode implements NodePort, TipPort, PayloadPort, RecordDigestPort {
  /** Its address, as it was given but for a slash at the end. */
  readonly url: string;
  readonly #fetch: typeof fetch;

  /** `request` is the platform's `fetch` unless a test gives another. */
  constructor(base: string, request: typeof fetch = (input, init) => fetch(input, init)) {
    this.url = base.replace(/\/+$/, "");
    this.#fetch = request;
  }

  async tip(signal: AbortSignal): Promise<NodeTip> {
    return readTip(await this.#bytes({ question: "tip", path: "/v1/tip", signal }));
  }

  async blocks(after: BlockHash, limit: number, signal: AbortSignal): Promise<RecordPage> {
    const path = `/v1/blocks?after=${after}&limit=${limit}`;
    const bytes = await this.#bytes({ question: "blocks", path, signal });
    return readContainer(bytes, Math.min(limit, PROTOCOL_LIMITS.recordPageMax));
  }

  async start(index: ChainIndex, signal: AbortSignal): Promise<StartBlock> {
    return readStart(
      await this.#bytes({ question: "start", path: `/v1/start?index=${index}`, signal }),
    );
  }

  async submit(raw: Uint8Array, signal: AbortSignal): Promise<TxId> {
    return readSubmitted(
      await this.#bytes({ question: "submit", path: "/v1/tx", body: raw, signal }),
    );
  }

  async evidenceTip(depth: bigint, signal: AbortSignal): Promise<EvidenceTipFacts> {
    const path = `/v1/evidence/tip?depth=${depth}`;
    const bytes = await this.#bytes({ question: "evidence", path, signal });
    return readEvidenceTipFacts(new TextDecoder().decode(bytes));
  }

  async opening(of: BlockHash, part: NullifierPart, signal: AbortSignal): Promise<Uint8Array> {
    const path = `/v1/evidence/opening?of=${of}&nullifiers=${part}`;
    return this.#bytes({ question: "evidence", path, signal });
  }

  async membership(of: BlockHash, at: BlockHash, signal: AbortSignal): Promise<Uint8Array> {
    const path = `/v1/evidence/membership?of=${of}&at=${at}`;
    return this.#bytes({ question: "evidence", path, signal });
  }

  async run(from: BlockHash, to: BlockHash, signal: AbortSignal): Promise<Uint8Array> {
    const path = `/v1/evidence/run?from=${from}&to=${to}`;
    return this.#bytes({ question: "evidence", path, signal });
  }

  async recordDigest(after: BlockHash, to: BlockHash, signal: AbortSignal): Promise<RecordDigest> {
    const path = `/v1/evidence/records?after=${after}&to=${to}`;
    return readRecordDigest(await this.#bytes({ question: "evidence", path, signal }));
  }

  async payload(at: BlockHash, place: number, signal: AbortSignal): Promise<Uint8Array> {
    const path = `/v1/evidence/payload?at=${at}&index=${place}`;
    return this.#bytes({ question: "evidence", path, signal });
  }

  /** The node's profile as canonical JSON. */
  async profile(signal: AbortSignal): Promise<string> {
    const bytes = await this.#bytes({ question: "profile", path: "/v1/profile", signal });
    return new TextDecoder().decode(bytes);
  }

  async #bytes({ question, path, body, signal }: Call): Promise<Uint8Array> {
    const timeout = AbortSignal.timeout(WALLET_LIMITS.nodeRequestMs);
    const init: RequestInit = {
      method: body === undefined ? "GET" : "POST",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      signal: AbortSignal.any([signal, timeout]),
      ...(body === undefined ? {} : { body: body.slice() }),
    };
    try {
      const response = await this.#fetch(this.url + path, init);
      const most =
        question === "blocks" ? WALLET_LIMITS.nodePageBytes : WALLET_LIMITS.nodeAnswerBytes;
      const bytes = await bodyWithin(response, most);
      if (!response.ok) throw readNodeError(question, response.status, bytes);
      return bytes;
    } catch (error) {
      if (error instanceof SvcError) throw error;
      if (signal.aborted) throw new SvcError("run/aborted", {}, error);
      throw new SvcError("wallet/node-unreachable", { url: this.url }, error);
    }
  }
}
