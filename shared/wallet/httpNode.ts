/**
 * A node over the browser protocol (interfaces 5). Works wherever there is `fetch`.
 *
 * Sends no cookies, no referrer and no header of its own: every wallet asks alike.
 */
import type { BlockHash, TxId } from "../base/brand.ts";
import { concatBytes } from "../base/bytes.ts";
import { decodeHex } from "../base/hex.ts";
import { LIMITS } from "../base/limits.ts";
import { SvcError } from "../base/svcError.ts";
import { readContainer } from "../protocol/http/recordContainer.ts";
import {
  readAnchorRows,
  readChainPlace,
  readNodeError,
  readSubmitted,
  readTip,
} from "./nodeAnswers.ts";
import type { AnchorRow, ChainPlace, NodePort, NodeTip, RecordPage } from "./ports.ts";

type Call = {
  readonly path: string;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
};

/** The node at a base address such as `http://127.0.0.1:19850`. */
export class HttpNode implements NodePort {
  readonly #base: string;
  readonly #fetch: typeof fetch;

  /** `request` is the platform's `fetch` unless a test gives another. */
  constructor(base: string, request: typeof fetch = (input, init) => fetch(input, init)) {
    this.#base = base.replace(/\/+$/, "");
    this.#fetch = request;
  }

  async tip(signal: AbortSignal): Promise<NodeTip> {
    return readTip(await this.#bytes({ path: "/v1/tip", signal }));
  }

  async blocks(after: BlockHash, limit: number, signal: AbortSignal): Promise<RecordPage> {
    const path = `/v1/blocks?after=${after}&limit=${limit}`;
    return readContainer(await this.#bytes({ path, signal }), LIMITS.recordPageMax);
  }

  async locate(hashes: readonly BlockHash[], signal: AbortSignal): Promise<ChainPlace> {
    const newest = hashes.slice(0, LIMITS.locateHashesMax);
    const body = concatBytes(...newest.map((hash) => decodeHex(hash)));
    return readChainPlace(await this.#bytes({ path: "/v1/locate", body, signal }));
  }

  async treeState(at: BlockHash, signal: AbortSignal): Promise<Uint8Array> {
    return this.#bytes({ path: `/v1/tree/state?at=${at}`, signal });
  }

  async anchors(from: bigint, limit: number, signal: AbortSignal): Promise<readonly AnchorRow[]> {
    const path = `/v1/anchors?from=${from}&limit=${limit}`;
    return readAnchorRows(await this.#bytes({ path, signal }));
  }

  async submit(raw: Uint8Array, signal: AbortSignal): Promise<TxId> {
    return readSubmitted(await this.#bytes({ path: "/v1/tx", body: raw, signal }));
  }

  /** The node's profile as canonical JSON. */
  async profile(signal: AbortSignal): Promise<string> {
    return new TextDecoder().decode(await this.#bytes({ path: "/v1/profile", signal }));
  }

  async #bytes({ path, body, signal }: Call): Promise<Uint8Array> {
    const timeout = AbortSignal.timeout(LIMITS.nodeRequestMs);
    const init: RequestInit = {
      method: body === undefined ? "GET" : "POST",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      cache: "no-store",
      signal: AbortSignal.any([signal, timeout]),
      ...(body === undefined ? {} : { body: body.slice() }),
    };
    try {
      const response = await this.#fetch(this.#base + path, init);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (!response.ok) throw readNodeError(response.status, bytes);
      return bytes;
    } catch (error) {
      if (error instanceof SvcError) throw error;
      if (signal.aborted) throw new SvcError("run/aborted", {}, error);
      throw new SvcError("wallet/node-unreachable", { url: this.#base }, error);
    }
  }
}
