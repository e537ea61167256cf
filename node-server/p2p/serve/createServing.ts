/** Puts together everything that serves peers: the serving thread and the flows over it. */
import type { EngineHost } from "../../engine/host/engineHost.ts";
import type { StoreFaults } from "../../engine/calls/storeFaults.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Flow } from "../flows/runFlows.ts";
import { PeerServing } from "./peerServing.ts";
import { ServeHost, serveThread } from "./serveHost.ts";
import { servingFlows } from "./servingFlows.ts";

/** Dependencies of serving. */
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

/**
 * Makes the thread's host and the flows; the host's `start` comes after the engine has opened the store, its `stop` when the
 * links have ended.
 */
export function createServing(options: ServingOptions): {
  readonly host: ServeHost;
  readonly flows: readonly Flow[];
} {
  const { engine, clock, log, storeFaults } = options;
  const told = storeFaults === undefined ? {} : { storeFaults };
  const host = new ServeHost({ spawn: serveThread(options), engine, log, ...told });
  return { host, flows: servingFlows(new PeerServing({ host, clock })) };
}
