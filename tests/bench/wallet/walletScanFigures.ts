/** Figures of cold scans: one wallet and a hundred in a daemon, and one as a browser scans it, over the same node. */
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { WalletKit, walletClock } from "../../demo/walletKit.ts";
import { openedAtTip } from "./benchDaemon.ts";
import { busySeed } from "./busyChain.ts";
import { requireEqual } from "../peers/crossCheck.ts";
import { inTurns, type RoundPlan, type Rounds, type Sample } from "../run/rounds.ts";
import type { WalletScene } from "./walletScene.ts";

const MANY = 100;

type Plan = Pick<RoundPlan, "rounds" | "longestMs" | "log"> & { readonly signal: AbortSignal };

/** Milliseconds from the opening of the wallets to the end of the chain, by `one`, `hundred` and `browser`. */
export async function measureScans(scene: WalletScene, plan: Plan): Promise<Rounds> {
  const found = new Map<string, string>();
  const sides = {
    one: () => daemonScan(scene, 1, found),
    hundred: () => daemonScan(scene, MANY, found),
    browser: () => browserScan(scene, found, plan.signal),
  };
  const rounds = await inTurns(sides, plan);
  requireEqual("the notes of the first wallet", Object.fromEntries(found));
  return rounds;
}

async function daemonScan(
  scene: WalletScene,
  wallets: number,
  found: Map<string, string>,
): Promise<Sample> {
  const scanned = await scene.daemon(wallets);
  try {
    const begun = performance.now();
    scanned.daemon.start();
    const open = await openedAtTip(scanned, scanned.tokens);
    const ms = performance.now() - begun;
    const [first, ...others] = open;
    if (others.some(({ state }) => state.notes.length === 0)) throw new Error("a wallet is empty");
    found.set(`${wallets} wallets`, namesOf(first?.state.notes ?? []));
    return { ms };
  } finally {
    await scanned.stop();
  }
}

async function browserScan(
  scene: WalletScene,
  found: Map<string, string>,
  signal: AbortSignal,
): Promise<Sample> {
  const { core } = scene;
  const profileJson = callCore(() => core.canonicalProfile(scene.profile));
  const prover = { prove: () => Promise.reject(new SvcError("wallet/cancelled", {})) };
  const parts = { core, profileJson, prover, clock: walletClock(systemClock) };
  const kit = new WalletKit(parts, new Secret(busySeed(0)));
  const node = scene.connect();
  try {
    const begun = performance.now();
    const sync = await kit.open(node, signal);
    await sync.catchUp(signal);
    const ms = performance.now() - begun;
    found.set("browser", namesOf(sync.state.notes));
    return { ms };
  } finally {
    await kit.close();
    node.close();
  }
}

function namesOf(notes: readonly { readonly nullifier: string }[]): string {
  return notes.map(({ nullifier }) => nullifier).join(" ");
}
