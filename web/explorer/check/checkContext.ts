/** Context of checks: the core, the network by whose profile blocks are judged, and the server that is checked. */
import * as v from "valibot";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { readNetwork } from "../../node/networks.ts";
import { ChainTips } from "./chain/chainTips.ts";
import { restEvidence } from "./chain/restEvidence.ts";
import type { CheckSource } from "./checkSource.ts";
import type { CheckStep } from "./checkReport.ts";

/** Calls of the core that checks make. */
export type CheckCore = CoreGlue;

/** What every check works with. */
export type CheckContext = {
  readonly core: CheckCore;
  readonly source: CheckSource;
  /** Tips of the server, kept for every block that a page checks. */
  readonly tips: ChainTips;
  /** Unix milliseconds of this machine. */
  readonly nowMs: () => bigint;
  /** Canonical JSON. */
  readonly profileJson: string;
  readonly profileDigest: string;
  readonly hrp: string;
  readonly networkName: string;
  /** The profile is part of this program; else it is the server's word. */
  readonly isKnownNetwork: boolean;
};

/** A server whose profile is not that of the network that it names: nothing of it can be judged. */
export class FalseNetwork {
  readonly steps: readonly CheckStep[];

  constructor(expected: string, found: string) {
    this.steps = [{ subject: "network", step: "profile", outcome: "differs", expected, found }];
  }
}

const PROFILE_PATH = "/info/profile";

/** Asks a server for its network. `nowMs`: the time of day, in Unix milliseconds. Rejects as the source does, and with `profile/*`. */
export async function openContext(
  core: CheckCore,
  source: CheckSource,
  nowMs: () => bigint = () => BigInt(Date.now()),
): Promise<CheckContext | FalseNetwork> {
  const told = v.parse(v.looseObject({}), await source.json(PROFILE_PATH));
  try {
    const { view, profileJson } = readNetwork(core, JSON.stringify(told));
    return {
      core,
      source,
      tips: new ChainTips(restEvidence(source), nowMs),
      nowMs,
      profileJson,
      profileDigest: view.digest,
      hrp: view.hrp,
      networkName: view.name,
      isKnownNetwork: view.builtIn,
    };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    if (error.code === "wallet/node-wrong-network") {
      return new FalseNetwork(error.data["expected"] ?? "", error.data["found"] ?? "");
    }
    if (error.code.startsWith("profile/")) return new FalseNetwork("a profile", error.code);
    throw error;
  }
}

/** The bytes of a block; null where the server has none. Rejects as the source does. */
export async function bytesOf(
  source: CheckSource,
  hash: string,
): Promise<Uint8Array<ArrayBuffer> | null> {
  return orNone(source.bytes(`/blocks/${hash}/bytes`));
}

/** An answer; null where there is none. Rejects as the source does else. */
export async function orNone<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (SvcError.is(error, "http/not-found")) return null;
    throw error;
  }
}
