/**
 * The wallet daemon killed at random moments, while it starts, pays, merges and follows the chain, with a client that repeats each
 * call with the same key until it is answered: every payee is paid once, by whichever call; no event is missing or twice; and a
 * receiver of webhooks that fails itself has each of them.
 */
import { existsSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { killsOf, reportKills } from "../../testkit/killCount.ts";
import { seededRandom, type SeededRandom } from "../../testkit/seededRandom.ts";
import { expectAllPaid } from "./expectAllPaid.ts";
import { expectAllDelivered, expectAllTold } from "./expectAllTold.ts";
import { FeedReader } from "../deposits/feedReader.ts";
import { InsistentClient } from "./insistentClient.ts";
import { mineAt, payAddressOf } from "../testkit/nodeMiner.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";
import { untilSo } from "../testkit/nodeProcess.ts";
import { recordedProgram, rehearsalMark, rehearsedProgram } from "./recordedProofs.ts";
import { PROOF_VARIANTS } from "./recordedProver.ts";
import { mixedCalls, type WantedCall } from "./wantedCalls.ts";
import { notesChain, WalletdScene } from "./walletdScene.ts";
import { WebhookReceiver } from "./webhookReceiver.ts";
import { LONG_HANG_MS } from "../../testkit/hangMs.ts";

const REAL_KILLS = killsOf({ reduced: 2, full: 50 });
const RECORDED_KILLS = killsOf({ reduced: 12, full: 1_000 });
/** Kills of one folder before it is looked at as a whole and another one begins. */
const KILLS_OF_ONE_FOLDER = 50;
/** Of ten kills, so many come while payments are made, the others while blocks come. */
const WHILE_PAYING = 7;
/** Blocks after the payments: the first applies them, and the last makes them final. */
const BLOCKS = 20;
/** Mixtures of calls whose proofs are kept. */
const MIXTURES = 4;

/** What a folder goes through. */
type Size = {
  /** Of the chain, every tenth of which gives the payer a note. */
  readonly blocks: number;
  readonly payments: number;
  readonly largeBatch: number | null;
  /** Deliveries with which the receiver fails. */
  readonly failures: number;
};

/** A batch of more lines than one transaction has room for is worth its long proofs where many kills meet it. */
const LARGE: Size = { blocks: 260, payments: 16, largeBatch: 40, failures: 6 };
const SMALL: Size = { blocks: 80, payments: 4, largeBatch: null, failures: 1 };
const PROVING: Size = { blocks: 160, payments: 10, largeBatch: null, failures: 3 };
const PROVING_SMALL: Size = { blocks: 50, payments: 1, largeBatch: null, failures: 1 };

/** How daemons are killed. */
type Kills = {
  readonly count: number;
  /** Milliseconds after which a daemon that listens is killed at the latest. */
  readonly workMs: number;
};

/** Kills daemons one after the other, and leaves one that lives. */
class Killer {
  killed = 0;
  readonly #of: WalletdScene;
  readonly #workMs: number;
  /** How long the last start took. */
  #startMs = 1_000;

  constructor(of: WalletdScene, workMs: number) {
    this.#of = of;
    this.#workMs = workMs;
  }

  /** Kills so many more; resolves when the survivor listens. */
  async kill(count: number): Promise<void> {
    const { random } = this.#of.scene;
    await this.#of.daemon?.kill();
    for (let left = count - 1; left > 0; left -= 1) {
      this.killed += 1;
      const daemon = this.#of.begin();
      if (random.below(3) === 0) {
        await pause(random.below(this.#startMs));
      } else {
        const begun = performance.now();
        await daemon.listening();
        this.#startMs = Math.ceil(performance.now() - begun);
        await pause(random.below(this.#workMs));
      }
      await daemon.kill();
    }
    this.killed += 1;
    await this.#of.start();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Who watches, and what is wanted of the daemons of a scene. */
type Watched = {
  readonly of: WalletdScene;
  readonly hook: WebhookReceiver;
  readonly wanted: readonly WantedCall[];
};

/** A scene with a receiver, and the calls of a mixture. */
async function sceneOf(
  { blocks, payments, largeBatch }: Size,
  { mixture, random, program }: SceneWish,
): Promise<Watched> {
  const hook = await WebhookReceiver.start(random);
  const chain = await notesChain(blocks);
  const of = await WalletdScene.make({
    ...{ chain, hook },
    ...(program === null ? {} : { program }),
  });
  const addresses = [of.addressOf("shop"), of.addressOf("elsewhere")];
  const wanted = mixedCalls({ seed: mixture, payments, largeBatch, addresses });
  return { of, hook, wanted };
}

type SceneWish = {
  readonly mixture: number;
  readonly random: SeededRandom;
  /** As in `WalletdSceneParts`; null for the program of operators. */
  readonly program: typeof recordedProgram | null;
};

/** Has the proofs of a mixture made: a daemon that is killed soon would never end one. */
async function rehearse(size: Size, wish: Omit<SceneWish, "program">): Promise<void> {
  const variants = IS_FULL ? PROOF_VARIANTS : 1;
  for (let variant = 0; variant < variants; variant += 1) {
    const { blocks, payments } = size;
    const mark = rehearsalMark(`${blocks}-${payments}-${wish.mixture}-${variant}`);
    if (existsSync(mark)) continue;
    const program = rehearsedProgram(variant);
    const { of, wanted } = await sceneOf(size, { ...wish, program });
    await of.fill();
    const client = new InsistentClient(of);
    for (const call of wanted) await client.pay(call);
    await of.daemon?.stop();
    await of.node.kill();
    writeFileSync(mark, "");
  }
}

/** One folder and its kills; everything is looked at in the end. */
async function killOver(watched: Watched, size: Size, { count, workMs }: Kills): Promise<void> {
  const { of, hook, wanted } = watched;
  await of.fill();
  const client = new InsistentClient(of);
  const reader = new FeedReader(of);
  const killer = new Killer(of, workMs);
  reader.start();
  hook.failuresLeft = size.failures;
  const whilePaying = Math.min(Math.ceil((count * WHILE_PAYING) / 10), count - 1);
  await Promise.all([
    killer.kill(whilePaying),
    spread(wanted, whilePaying, killer, (call) => client.pay(call)),
  ]);
  const begin = killer.killed;
  const blocks = Array.from({ length: BLOCKS }, () => payAddressOf(1));
  await Promise.all([
    killer.kill(count - whilePaying),
    spread(blocks, count - whilePaying, { killedFrom: begin, killer }, (address) =>
      mineAt(of.node, 1, address),
    ),
  ]);
  expect(killer.killed).toBe(count);
  hook.failuresLeft = 0;
  await expectAllTold(of, { wanted, client }, reader);
  await expectAllDelivered(of, hook);
  await expectAllPaid(of, { wanted, client });
  expect(await of.daemon?.stop()).toBe(0);
  expect(of.unfinished()).toEqual([]);
  expect(await of.doctor()).toEqual([]);
}

/** Does one thing after the other, spread over the kills. */
async function spread<T>(
  things: readonly T[],
  kills: number,
  watched: Killer | { readonly killedFrom: number; readonly killer: Killer },
  work: (thing: T) => Promise<unknown>,
): Promise<void> {
  const killed = (): number =>
    watched instanceof Killer ? watched.killed : watched.killer.killed - watched.killedFrom;
  for (const [place, thing] of things.entries()) {
    const due = Math.floor((place * kills) / things.length);
    await untilSo(async () => killed() >= due, PATIENCE_MS);
    await work(thing);
  }
}

test(
  `${REAL_KILLS} kills of the wallet daemon that proves pay each payment once`,
  { timeout: 2 * LONG_HANG_MS },
  async () => {
    const random = seededRandom("proving");
    for (let done = 0; done < REAL_KILLS; done += KILLS_OF_ONE_FOLDER) {
      const count = Math.min(KILLS_OF_ONE_FOLDER, REAL_KILLS - done);
      const size = count < 10 ? PROVING_SMALL : PROVING;
      const mixture = random.below(MIXTURES);
      const watched = await sceneOf(size, { mixture, random, program: null });
      await killOver(watched, size, { count, workMs: 4_000 });
    }
    reportKills("wallet", REAL_KILLS);
  },
);

test(
  `${RECORDED_KILLS} kills of the wallet daemon with proofs made before pay each payment once`,
  { timeout: 2 * LONG_HANG_MS },
  async () => {
    const random = seededRandom("recorded");
    for (let done = 0; done < RECORDED_KILLS; done += KILLS_OF_ONE_FOLDER) {
      const count = Math.min(KILLS_OF_ONE_FOLDER, RECORDED_KILLS - done);
      const size = count < KILLS_OF_ONE_FOLDER ? SMALL : LARGE;
      const wish = { mixture: random.below(MIXTURES), random };
      await rehearse(size, wish);
      const watched = await sceneOf(size, { ...wish, program: recordedProgram });
      await killOver(watched, size, { count, workMs: 400 });
    }
    reportKills("walletd", RECORDED_KILLS);
  },
);
