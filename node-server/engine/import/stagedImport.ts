/**
 * Import of a snapshot: a store that begins at a pruning point, made in a staging folder beside the one in use (decision 17).
 *
 * A second engine works in the staging folder, which is emptied first: what a killed process left of an import is
 * nothing. Calls come in the order of the import. One that refuses what a peer sent may be made again with what another
 * peer sends, unless the core had written by then; the next call is then `import/out-of-order`, and the import is given up
 * and begun anew. A call that takes too long for its peer gives the import up by itself.
 */
import { rm } from "node:fs/promises";
import { parseHash32, asBlockHash, type BlockHash } from "@svc/shared/base/brand.ts";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Log } from "../../platform/log/log.ts";
import { withinMs } from "../../platform/time/withinMs.ts";
import { clearStaging, stagingFolder } from "../../storage/storeFolders.ts";
import type { InsertOutcome } from "../calls/engineFacts.ts";
import type { EngineHost } from "../host/engineHost.ts";
import {
  readImportedBody,
  readIsBetter,
  readProofView,
  readWantedBodies,
  type ImportAnswer,
  type ImportArgs,
  type ImportStep,
  type ProofView,
} from "../calls/importCalls.ts";
import type { Question, QuestionAnswer, QuestionArgs } from "../calls/engineQuestions.ts";

/** Dependencies of an import. */
export type StagedImportParts = {
  /** The network's folder, below which the staging folder lies. */
  readonly root: string;
  /** Makes an engine over a folder as the node's own; not started yet. `onFatal` as for any engine. */
  readonly createEngine: (root: string, onFatal: (error: SvcError) => void) => EngineHost;
  readonly clock: Clock;
  readonly log: Log;
};

/** Proof and work of the chain in use, to be compared with an import. */
export type OwnChain = {
  /**
   * Proof of its pruning point as an `Exporter` writes it, also of genesis; the import's from here on. Against a chain whose
   * pruning point is genesis, and without a block in common where the import's proof is long enough, the import must show at
   * least half of the work of this chain: that was judged block by block, and a proof's work is an estimate.
   */
  readonly proof: Uint8Array;
  /** Blue work of its tip, hexadecimal as in TipFacts. */
  readonly work: string;
};

type Stage = "new" | "open" | "closing" | "finished" | "abandoned";

/** How long a call may take, what it is called when it takes longer, and whether it may be cancelled and made again. */
type Bound = { readonly what: string; readonly waitMs: number; readonly again?: boolean };

/** One import, from its beginning to a store that can take the place of the one in use. */
export class StagedImport {
  readonly #parts: StagedImportParts;
  readonly #engine: EngineHost;
  #stage: Stage = "new";
  #abandoning: Promise<void> | null = null;

  constructor(parts: StagedImportParts) {
    this.#parts = parts;
    this.#engine = parts.createEngine(stagingFolder(parts.root), () => this.#giveUp());
    // A thread that was lost took the import with it, whose steps lie in its memory.
    this.#engine.onEvent((event) => {
      if (event.type === "engineRestarted") this.#giveUp();
    });
  }

  /** Whether the store is whole and closed, to be put in place by `swapStore`. */
  get isFinished(): boolean {
    return this.#stage === "finished";
  }

  /** Empties the folder and starts the engine. Errors: the store's. */
  async start(): Promise<void> {
    this.#require("new", "start");
    clearStaging(this.#parts.root);
    this.#stage = "open";
    await this.#engine.start();
  }

  /**
   * Judges a pruning proof in its raw form; `raw` is the import's from here on. Whether what it shows is better than what
   * the node has, `contest` tells. Errors: `proof/…`, `header/…`, `codec/…`, `run/timeout`, and those of any call:
   * `import/out-of-order`, `run/aborted`, the engine's.
   */
  proof(raw: Uint8Array, signal: AbortSignal): Promise<ProofView> {
    const bound = { what: "judging a pruning proof", waitMs: ENGINE_LIMITS.importProofMs };
    return this.#within(bound, signal, async (limit) => {
      const moved = ownBuffer(raw);
      await this.#engine.importStep("beginImport", [raw], { signal: limit, moved });
      for (;;) {
        const answer = await this.#call("importProof", [ENGINE_LIMITS.importProofStep], limit);
        const view = readProofView(answer);
        if (view !== null) return view;
      }
    });
  }

  /**
   * Whether the judged proof, with the work that the peer claims above it, is better than the chain in use: it shows strictly
   * more work, or at least half of that of a chain that never left genesis (specification consensus 7.10). May be asked at any
   * time from then on until `finish`; what it refuses leaves the import as it is. Errors: `proof/…`, `header/…`, `codec/…` of
   * the own proof, `run/timeout`, and those of any call.
   */
  contest(own: OwnChain, theirWork: string, signal: AbortSignal): Promise<boolean> {
    const bound = { what: "comparing two pruning proofs", waitMs: ENGINE_LIMITS.importProofMs };
    return this.#within(bound, signal, async (limit) => {
      await this.#call("contestProof", [own.proof, own.work, theirWork], limit);
      return this.#isChallengerBetter(limit);
    });
  }

  /**
   * Whether the proof of another peer (raw form) shows strictly more work than the judged one. As `contest`; the errors are
   * those of that proof.
   */
  isOutdoneBy(rival: Uint8Array, signal: AbortSignal): Promise<boolean> {
    const bound = { what: "comparing two pruning proofs", waitMs: ENGINE_LIMITS.importProofMs };
    return this.#within(bound, signal, async (limit) => {
      await this.#call("contestRival", [rival], limit);
      return this.#isChallengerBetter(limit);
    });
  }

  async #isChallengerBetter(limit: AbortSignal): Promise<boolean> {
    for (;;) {
      const answer = await this.#call("contestStep", [ENGINE_LIMITS.importProofStep], limit);
      const isBetter = readIsBetter(answer);
      if (isBetter !== null) return isBetter;
    }
  }

  /** Takes pruning points (RawHeaders), genesis first. Returns whether the last has come. Errors: `import/wrong-points`, …. */
  points(rawHeaders: Uint8Array, signal: AbortSignal): Promise<boolean> {
    return this.#once("importPoints", [rawHeaders], signal);
  }

  /** Takes a page of trusted headers. Errors: `import/wrong-ghostdag`, `import/too-many-headers`, `header/…`, …. */
  trusted(page: Uint8Array, signal: AbortSignal): Promise<void> {
    return this.#once("importTrusted", [page], signal);
  }

  /** Makes a graph of all headers. Returns the blocks whose bodies are wanted. Errors end the import: `import/…`, `header/…`. */
  link(signal: AbortSignal): Promise<readonly BlockHash[]> {
    const bound = { what: "linking trusted headers", waitMs: ENGINE_LIMITS.importLinkMs };
    return this.#within(bound, signal, async (limit) => {
      for (;;) {
        const answer = await this.#call("linkTrusted", [ENGINE_LIMITS.importLinkStep], limit);
        const wanted = readWantedBodies(answer);
        if (wanted !== null) return wanted;
      }
    });
  }

  /**
   * Takes a wanted body (RawBlock); its proofs are judged like those of any block. Returns how many are missing yet: at 0
   * headers above the pruning point may come. Errors: `import/unexpected-body`, `body/…`, ….
   */
  async body(rawBlock: Uint8Array, signal: AbortSignal): Promise<number> {
    return readImportedBody(await this.#once("importBody", [rawBlock], signal)).missing;
  }

  /** Hands in headers above the pruning point, as `EngineHost.insertHeaders`. */
  insertHeaders(
    raw: Uint8Array,
    nowMs: bigint,
    signal: AbortSignal,
  ): Promise<readonly InsertOutcome[]> {
    const bound = { what: "insertHeaders", waitMs: ENGINE_LIMITS.importCallMs, again: true };
    return this.#within(bound, signal, (limit) => this.#engine.insertHeaders(raw, nowMs, limit));
  }

  /** Asks the engine of the import; before the end much is `engine/not-imported`. */
  ask<Q extends Question>(
    question: Q,
    args: QuestionArgs<Q>,
    signal: AbortSignal,
  ): Promise<QuestionAnswer<Q>> {
    const bound = { what: question, waitMs: ENGINE_LIMITS.importCallMs, again: true };
    return this.#within(bound, signal, (limit) => this.#engine.ask(question, args, limit));
  }

  /**
   * Looks whether the headers above the pruning point name the points that came in the list, and have come far enough to
   * name the newest. Errors end the import: `header/wrong-pruning-point`, `import/wrong-points`.
   */
  chain(signal: AbortSignal): Promise<void> {
    const bound = {
      what: "looking at the chain above a pruning point",
      waitMs: ENGINE_LIMITS.importLinkMs,
    };
    return this.#within(bound, signal, async (limit) => {
      while (!(await this.#call("importChain", [ENGINE_LIMITS.importChainStep], limit)));
    });
  }

  /** Errors: `import/too-little-work` when the headers so far show less than the profile asks for. */
  requireWork(signal: AbortSignal): Promise<void> {
    return this.#once("requireImportWork", [], signal);
  }

  /** The block whose body binds the state. Errors: `import/not-bound` while no header above the point is known. */
  async bindingChild(signal: AbortSignal): Promise<BlockHash> {
    return asBlockHash(parseHash32(await this.#once("bindingChild", [], signal)));
  }

  /** Takes that block (RawBlock). Errors: `import/wrong-child`, `body/…`, `coinbase/…`. */
  binding(rawBlock: Uint8Array, signal: AbortSignal): Promise<void> {
    return this.#once("importBinding", [rawBlock], signal);
  }

  /** Takes in what binds the lanes. Errors: `import/wrong-lanes`. */
  lanes(claim: Uint8Array, signal: AbortSignal): Promise<void> {
    return this.#once("importLanes", [claim], signal);
  }

  /** Takes lanes, ascending by key. Errors end the import: `import/wrong-lanes`. */
  lanePage(rows: Uint8Array, signal: AbortSignal): Promise<void> {
    return this.#once("importLanePage", [rows], signal);
  }

  /** Takes the claim of the state. Errors: `import/wrong-state`, `import/wrong-entry`. */
  state(claim: Uint8Array, signal: AbortSignal): Promise<void> {
    return this.#once("importState", [claim], signal);
  }

  /** Takes nullifiers, 32 bytes each. Errors end the import: `import/too-many-nullifiers`. */
  nullifiers(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    return this.#once("importNullifiers", [bytes], signal);
  }

  /** Whether anchors from before the security fork have to be bound before the end. */
  wantsBindings(signal: AbortSignal): Promise<boolean> {
    return this.#once("wantsBindings", [], signal);
  }

  /**
   * Takes what binds them: block, u32 length, binding, one after the other. Errors: `import/wrong-binding` for what does not
   * hold, `import/wrong-entry` for a claim of the state that what holds contradicts.
   */
  bindings(rows: Uint8Array, signal: AbortSignal): Promise<void> {
    return this.#once("importBindings", [rows], signal);
  }

  /** Takes them as they were claimed, where nobody has what binds them. */
  waiveBindings(signal: AbortSignal): Promise<void> {
    return this.#once("waiveBindings", [], signal);
  }

  /**
   * Ends the import, opens the store once more to see that it can be, and closes it; `swapStore` then puts it in place.
   * Errors: `import/wrong-child`, after which the child named there has to bind the state first; others end the import:
   * `import/wrong-nullifiers`, the store's.
   */
  async finish(signal: AbortSignal): Promise<void> {
    await this.#once("finishImport", [], signal);
    this.#require("open", "finish");
    this.#stage = "closing";
    try {
      // The store in use is deleted for it, so it has to open and to answer before that.
      await this.#engine.replace(async () => {});
      await this.#engine.ask("tip", [], signal);
      await this.#engine.stop();
      this.#require("closing", "finish");
    } catch (error) {
      await this.abandon();
      throw error;
    }
    this.#stage = "finished";
  }

  /** Ends the engine, in the middle of a call if need be, and deletes the folder. Calling it again does nothing more. */
  abandon(): Promise<void> {
    this.#stage = "abandoned";
    return (this.#abandoning ??= this.#clear());
  }

  async #clear(): Promise<void> {
    await this.#engine.stop(ENGINE_LIMITS.importAbandonMs);
    await rm(stagingFolder(this.#parts.root), { recursive: true, force: true });
  }

  #giveUp(): void {
    if (this.#stage !== "open") return;
    this.abandon().catch((error: unknown) => {
      this.#parts.log.warn({ err: error }, "the folder of an import could not be deleted");
    });
  }

  #once<S extends ImportStep>(
    step: S,
    args: ImportArgs<S>,
    signal: AbortSignal,
  ): Promise<ImportAnswer<S>> {
    const bound = { what: step, waitMs: ENGINE_LIMITS.importCallMs };
    return this.#within(bound, signal, (limit) => this.#call(step, args, limit));
  }

  #call<S extends ImportStep>(
    step: S,
    args: ImportArgs<S>,
    signal: AbortSignal,
  ): Promise<ImportAnswer<S>> {
    return this.#engine.importStep(step, args, { signal });
  }

  /**
   * A call that takes too long, or that is cancelled where nobody then knows whether it was made, ends the import: the
   * thread still works on it.
   */
  async #within<T>(
    { what, waitMs, again = false }: Bound,
    signal: AbortSignal,
    work: (limit: AbortSignal) => Promise<T>,
  ): Promise<T> {
    this.#require("open", what);
    try {
      return await withinMs(this.#parts.clock, { what, waitMs, signal }, work);
    } catch (error) {
      const isOver = SvcError.is(error, "run/timeout");
      if (isOver || (!again && SvcError.is(error, "run/aborted"))) this.#giveUp();
      throw error;
    }
  }

  #require(stage: Stage, call: string): void {
    if (this.#stage !== stage) throw outOfOrder(call);
  }
}

/** The buffer that is handed over rather than copied, which a proof is worth; none where it holds more than these bytes. */
function ownBuffer(bytes: Uint8Array): ArrayBuffer[] {
  const { buffer } = bytes;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength;
  return isWhole ? [buffer] : [];
}

function outOfOrder(call: string): SvcError {
  return new SvcError("import/out-of-order", { call });
}
