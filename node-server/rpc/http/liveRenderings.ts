/**
 * Shared frames of the live connections (docs/formats.md 4): each is rendered once for all of them.
 *
 * What follows from the chain is kept until the chain moves, whoever asks for it meanwhile: then it may be another one.
 */
import { asBlockHash, asChainIndex, parseHash32, parseU64 } from "@svc/shared/base/brand.ts";
import type { BlockHash, ChainIndex } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { encodeServerFrame } from "@svc/shared/protocol/http/liveFrames.ts";
import { readContainer } from "@svc/shared/protocol/http/recordContainer.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import type { NodeApi, PoolEvent } from "../service/nodeApi.ts";
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { tipJson } from "./tipJson.ts";

/** The next frame of a browser whose cursor stands on a block. */
export type LiveStep =
  /** The block behind it, or the common block where its own has left the chain; the index is that block's. */
  | {
      readonly kind: "block" | "reorg";
      readonly frame: Uint8Array;
      readonly hash: BlockHash;
      readonly index: ChainIndex;
    }
  /** Nothing: the chain ends here. */
  | { readonly kind: "end" };

/** The frames of one server. */
export class LiveRenderings {
  readonly #node: NodeApi;
  readonly #signal: AbortSignal;
  #tip: Promise<Uint8Array> | null = null;
  readonly #steps = new LruMap<BlockHash, Promise<LiveStep>>(RPC_LIMITS.liveRenderings);

  /** `signal` ends the questions to the node. */
  constructor(node: NodeApi, signal: AbortSignal) {
    this.#node = node;
    this.#signal = signal;
  }

  /** The selected chain moved: nothing that was rendered before is sent any more. Called before those who ask hear of it. */
  chainMoved(): void {
    this.#tip = null;
    this.#steps.clear();
  }

  /** The TIP frame for those who hear that the chain moved. Rejects with the engine's errors. */
  movedTip(): Promise<Uint8Array> {
    if (this.#tip !== null) return this.#tip;
    const made = this.presentTip();
    this.#tip = made;
    made.catch(() => {
      if (this.#tip === made) this.#tip = null;
    });
    return made;
  }

  /** A TIP frame of this moment, for who has just come. Rejects with the engine's errors. */
  async presentTip(): Promise<Uint8Array> {
    const json = jsonText(await tipJson(this.#node, this.#signal));
    return encodeServerFrame({ type: "tip", json });
  }

  /** What follows a block. Rejects with `chain/unknown-block` and the engine's errors. */
  after(hash: BlockHash): Promise<LiveStep> {
    const known = this.#steps.get(hash);
    if (known !== undefined) return known;
    const made = this.#stepAfter(hash);
    this.#steps.set(hash, made);
    made.catch(() => {
      if (this.#steps.get(hash) === made) this.#steps.delete(hash);
    });
    return made;
  }

  async #stepAfter(after: BlockHash): Promise<LiveStep> {
    try {
      const container = await this.#node.ask("records", [after, 1], this.#signal);
      const { firstIndex: index, count, body } = readContainer(container, 1);
      if (count === 0) return { kind: "end" };
      const hash = asBlockHash(encodeHex(body.subarray(0, 32)));
      return { kind: "block", frame: encodeServerFrame({ type: "block", container }), hash, index };
    } catch (error) {
      if (!SvcError.is(error, "chain/not-on-chain")) throw error;
      const hash = asBlockHash(parseHash32(error.data["commonHash"] ?? ""));
      const index = asChainIndex(parseU64(error.data["chainIndex"] ?? ""));
      const frame = encodeServerFrame({ type: "reorg", commonHash: hash, chainIndex: index });
      return { kind: "reorg", frame, hash, index };
    }
  }
}

/** Encodes the frame about a change of the pool. */
export function poolFrame(event: PoolEvent): Uint8Array {
  return encodeServerFrame(
    event.type === "poolAdded"
      ? { type: "poolAdd", payment: event.frame }
      : { type: "poolDelete", txid: event.txid },
  );
}
