/**
 * The export of this node's pruning point for peers: made in short steps, cached while it is used, made again when the pruning
 * point has moved.
 *
 * An export keeps its own snapshot of the store from its first step until it has been idle for a while; other questions are
 * answered between the steps.
 */
import { isOfClass } from "@svc/shared/base/codeClasses.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue, RawExporter, RawReader } from "@svc/shared/core/generated/coreGlue.ts";
import { PointPages, type ReadyExport } from "./answerPoint.ts";
import type { PointQuestion, ServedPage } from "./serveMessages.ts";
import { unexpectedPoint } from "./servedPage.ts";

/** A snapshot of the store with a reader over it. */
export type StoreSnapshot = { readonly reader: RawReader; readonly close: () => void };

/** Dependencies of an export. */
export type PointExportParts = Pick<ReadyExport, "hashOf" | "listedBlocks"> & {
  readonly core: Pick<CoreGlue, "Exporter">;
  /** Looks at the last commit. */
  readonly open: () => StoreSnapshot;
  /** Resolves when whatever else waits had its turn. */
  readonly turn: () => Promise<void>;
  /** Milliseconds of a clock that is never set. */
  readonly steadyMs: () => number;
  /** Calls after a time in milliseconds, unless the returned call comes first. */
  readonly later: (call: () => void, ms: number) => () => void;
};

type Made = {
  readonly point: string;
  readonly exporter: RawExporter;
  readonly view: StoreSnapshot;
  readonly pages: PointPages;
  readonly madeMs: number;
};

/** Makes and keeps one export at a time. */
export class PointExport {
  readonly #parts: PointExportParts;
  #made: Made | null = null;
  #cancelIdle: () => void = () => {};
  #hasStopped = false;

  constructor(parts: PointExportParts) {
    this.#parts = parts;
  }

  /**
   * Answers a question; one call at a time. A pruning point that cannot be served now is answered like one that is not ours.
   * Errors: the core's.
   */
  async answer(question: PointQuestion): Promise<ServedPage> {
    try {
      const point = this.#currentPoint();
      // What nobody may ask for any more must not hold the store's old pages.
      if (this.#made !== null && !this.#isCurrent(this.#made, point)) this.close();
      // Not a use of what is made: whoever asks for something else keeps nothing alive.
      if ("point" in question && question.point !== point) return unexpectedPoint();
      this.#cancelIdle();
      try {
        return (await this.#madeFor(point)).pages.answer(question);
      } finally {
        this.#cancelIdle();
        this.#cancelIdle = this.#parts.later(() => this.close(), P2P_LIMITS.p2pExportIdleMs);
      }
    } catch (error) {
      this.close();
      // A peer is told that the pruning point is another one.
      if (isOfClass(SvcError.from(error), "unserved")) return unexpectedPoint();
      throw error;
    }
  }

  /** Gives the export and its look at the store back. */
  close(): void {
    this.#cancelIdle();
    this.#made?.exporter.free();
    this.#made?.view.close();
    this.#made = null;
  }

  /** Ends for good: an export that is being made ends before its next step. */
  stop(): void {
    this.#hasStopped = true;
    this.close();
  }

  #currentPoint(): string {
    const { reader, close } = this.#parts.open();
    try {
      return encodeHex(callCore(() => reader.pruningPoints(1)));
    } finally {
      close();
    }
  }

  #isCurrent({ point, madeMs }: Made, current: string): boolean {
    return point === current && this.#parts.steadyMs() - madeMs < P2P_LIMITS.p2pExportAgeMs;
  }

  async #madeFor(point: string): Promise<Made> {
    if (this.#made !== null) return this.#made;
    const view = this.#parts.open();
    try {
      const fresh = await this.#make(point, view);
      this.#made = fresh;
      return fresh;
    } catch (error) {
      view.close();
      throw error;
    }
  }

  async #make(point: string, view: StoreSnapshot): Promise<Made> {
    const { core, hashOf, listedBlocks, turn, steadyMs } = this.#parts;
    const { reader } = view;
    const exporter = callCore(() => new core.Exporter(reader, point));
    try {
      while (!callCore(() => exporter.step(reader, P2P_LIMITS.p2pExportStepBlocks))) {
        await turn();
        if (this.#hasStopped) throw new SvcError("node/stopping", {});
      }
    } catch (error) {
      exporter.free();
      throw error;
    }
    const pages = new PointPages({ point, exporter, reader, hashOf, listedBlocks });
    return { point, exporter, view, pages, madeMs: steadyMs() };
  }
}
