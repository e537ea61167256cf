/** Makes a run of addresses: its indices are reserved in the key's file first, so that a kill loses the run and gives no index twice. */
import { setImmediate } from "node:timers/promises";
import type { ViewingKeyId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { AddressRun } from "../store/addressTable.ts";
import type { ViewingKeyFiles } from "./viewingKeyFile.ts";

/** Where runs come from. */
export type RunSource = {
  readonly files: Pick<ViewingKeyFiles, "get" | "reserve">;
  /** Raw addresses of an incoming viewing key, 43 bytes each, from an index on. */
  readonly derive: (ivk: Uint8Array, from: number, count: number) => Uint8Array;
};

/**
 * The next run of a viewing key, in consecutive parts of `addressesAtOnce`. Throws `gateway/no-address` for a key that is not registered or
 * has no index left, and as `ViewingKeyFiles.reserve`.
 */
export async function* addressRun(
  { files, derive }: RunSource,
  key: ViewingKeyId,
): AsyncGenerator<AddressRun, void> {
  const file = files.get(key);
  if (file === null) throw new SvcError("gateway/no-address", {});
  const count = GATEWAY_LIMITS.addressRun;
  const from = files.reserve(key, count);
  for (let done = 0; done < count; done += GATEWAY_LIMITS.addressesAtOnce) {
    const addresses = derive(file.ivk, from + done, GATEWAY_LIMITS.addressesAtOnce);
    yield { key, from: from + done, addresses };
    // What else is to be done is done in between.
    await setImmediate();
  }
}
