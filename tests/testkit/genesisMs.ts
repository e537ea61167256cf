/** Time of the first block of a network, at which chains of tests begin. */
import * as v from "valibot";

const withGenesis = v.object({ genesis: v.object({ timestampMs: v.number() }) });

/** Milliseconds of the genesis block of a profile, which is given as JSON. */
export function genesisMs(profile: string): bigint {
  return BigInt(v.parse(withGenesis, JSON.parse(profile)).genesis.timestampMs);
}
