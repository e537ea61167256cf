/** Rate limits of the public REST interface while it is open to everybody: calls of a host in a minute, reads and searches apart. */
import { takeCall, type CallBucket, type CallShare } from "@svc/shared/base/callShare.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import type { BearerHash } from "../../../platform/http/bearerHash.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import { RPC_LIMITS } from "../../rpcLimits.ts";

/** Kinds of calls. A search asks about many transactions at once. */
export type RestCallKind = "read" | "search";

/** Calls of a host in a minute, by kind. */
export type RestShares = Readonly<Record<RestCallKind, number>>;

const PER_MINUTE: RestShares = {
  read: RPC_LIMITS.restReadsPerMinute,
  search: RPC_LIMITS.restSearchesPerMinute,
};

/** Counts calls of each host. */
export class RestRates {
  readonly #clock: Pick<Clock, "steadyMs">;
  readonly #token: BearerHash | null;
  readonly #perMinute: RestShares;
  readonly #buckets = new LruMap<string, CallBucket>(RPC_LIMITS.httpSources);

  /** `token`: whose bearer is not counted; null for nobody. `shares`: other ones than the usual. */
  constructor(
    clock: Pick<Clock, "steadyMs">,
    token: BearerHash | null,
    shares: Partial<RestShares> = {},
  ) {
    this.#clock = clock;
    this.#token = token;
    this.#perMinute = { ...PER_MINUTE, ...shares };
  }

  /** Whether a header `Authorization` names who is not counted: the operator's own edge asks for many. */
  isExempt(authorization: string | undefined): boolean {
    return this.#token !== null && this.#token.isIn(authorization);
  }

  /** Takes a call from the share of its host. One too many takes nothing: its share says how long to wait. */
  take(host: string, kind: RestCallKind): CallShare {
    const source = `${kind} ${host}`;
    const before = this.#buckets.get(source) ?? null;
    const { bucket, share } = takeCall(
      before,
      this.#perMinute[kind],
      Number(this.#clock.steadyMs()),
    );
    this.#buckets.set(source, bucket);
    return share;
  }
}
