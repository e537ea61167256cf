/** Where a command of the gateway works. */
import type { NetworkChoice } from "../program/network.ts";

/** The gateway's folder. */
export type GatewayPlace = {
  readonly network: NetworkChoice;
  /** As `--network` names it; null for a network of a profile file. */
  readonly networkName: string | null;
  readonly folder: string | null;
};
