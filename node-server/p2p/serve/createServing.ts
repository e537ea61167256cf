/** Everything that answers peers, with its real thread. */
import type { EngineHost } from "../../consensus/engineHost.ts";
import type { StoreFaults } from "../../consensus/storeFaults.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Flow } from "../flows/runFlows.ts";
import { PeerServing } from "./peerServing.ts";
import { ServeHost, serveThread } from "./serveHost.ts";
import { servingFlows } from "./servingFlows.ts";

/** What it is made with. */
export type ServingOptions = {
  /** Folder that holds `consensus/`, or null for a chain in memory. */
  readonly root: string | null;
  /** Canonical profile. */
  readonly profile: string;
  /** Answers only for a chain in memory. */
  readonly engine: Pick<EngineHost, "ask">;
  readonly clock: Clock;
  readonly log: Log;
  /** Told what ends the serving thread. */
  readonly storeFaults?: Pick<StoreFaults, "ends">;
};

/** Makes it; the host's `start` comes after the engine has opened the store, its `stop` when the links have ended. */
export function createServing(options: ServingOptions): {
  readonly host: ServeHost;
  readonly flows: readonly Flow[];
} {
  const { engine, clock, log, storeFaults } = options;
  const told = storeFaults === undefined ? {} : { storeFaults };
  const host = new ServeHost({ spawn: serveThread(options), engine, log, ...told });
  return { host, flows: servingFlows(new PeerServing({ host, clock })) };
}
