/** Session state of the public REST interface for one run of the node: start time, counters of relayed blocks, and block caches. */
import { createHmac, randomBytes } from "node:crypto";
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import { RPC_LIMITS } from "../../rpcLimits.ts";
import type { NodeApi } from "../../service/nodeApi.ts";
import type { CountryTable } from "../../../platform/net/countryTable.ts";

/** What came in since the start. */
export type IntakeCounts = {
  /** Blocks whose bodies came, mined here or relayed. */
  readonly blocks: number;
  /** Blocks that joined the selected chain; one that joined twice counts twice. */
  readonly chainBlocks: number;
  /** Payments that these chain blocks applied or dropped; those of a block that joined twice count twice. */
  readonly payments: number;
};

/** A transaction as lists of blocks show it. */
export type ListedTransaction = RestAnswer<"recentBlocks">[number]["txs"][number];

const SECRET_BYTES = 32;
const ID_DIGITS = 8;

/** Lives from the start of the server to its end. */
export class RestSession {
  /** Of the node's clock. */
  readonly startedMs: bigint;
  readonly countries: CountryTable | null;
  /** Transactions of blocks that were listed lately: a block never changes. */
  readonly listed = new LruMap<BlockHash, readonly ListedTransaction[]>(
    RPC_LIMITS.restListedBlocks,
  );
  readonly #secret = randomBytes(SECRET_BYTES);
  readonly #unlisten: () => void;
  #blocks = 0;
  #chainBlocks = 0;
  #payments = 0;

  constructor(node: Pick<NodeApi, "onEvent" | "status">, countries: CountryTable | null) {
    this.startedMs = node.status().nowMs;
    this.countries = countries;
    this.#unlisten = node.onEvent((news) => {
      if (news.type === "blockAdded") this.#blocks += 1;
      if (news.type !== "virtualChanged") return;
      this.#chainBlocks += news.added.length;
      for (const { applied, dropped } of news.added) {
        this.#payments += applied.length + dropped.length;
      }
    });
  }

  /** What came in so far. */
  get counts(): IntakeCounts {
    return { blocks: this.#blocks, chainBlocks: this.#chainBlocks, payments: this.#payments };
  }

  /** A short name of a peer for the public. Another run of the node gives it another one. */
  maskedId(peerId: string): string {
    return createHmac("sha256", this.#secret).update(peerId).digest("hex").slice(0, ID_DIGITS);
  }

  /** Ends the counting. Calling it again does nothing. */
  stop(): void {
    this.#unlisten();
  }
}
