/**
 * Asks the nodes for a part of the paths, in the place of all instances of the Worker: however many ask for a path, one request is under
 * way, and the next one to the same node begins `originPauseMs` after its end at the earliest.
 */
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import { standingOf, weightOf, type KeptAnswer } from "../answers/keptAnswer.ts";
import type { RestCall } from "../answers/restCall.ts";
import { askNode, type AskedNode, type NodeWord } from "./askNode.ts";
import type { OriginNode } from "./nodeList.ts";
import { NodePauses } from "./nodePauses.ts";
import { OriginSeats } from "./originSeats.ts";

/** What a relay answers. `isLast`: no node answers now, and this is what one answered last. */
export type RelayedAnswer = { readonly answer: KeptAnswer; readonly isLast: boolean };

/** Dependencies of a relay. */
export type RelayParts = {
  readonly nodes: readonly OriginNode[];
  /** The nodes that may be asked, in order. */
  readonly usable: () => Promise<readonly string[]>;
  /** Unix ms. */
  readonly now: () => number;
  /** Hears of each answer of a node; false for one of a node that is not to be believed. */
  readonly accept: (node: string, call: RestCall, answer: KeptAnswer) => boolean;
};

type Wish = Omit<AskedNode, "nowMs">;
type Ended = { readonly atMs: number; readonly isAnswered: boolean };

/** The relay of a part of the paths. */
export class Relay {
  readonly #parts: RelayParts;
  readonly #held = new LruMap<string, KeptAnswer>(EXPLORER_LIMITS.relayBytes, weightOf);
  readonly #ended = new LruMap<string, Ended>(EXPLORER_LIMITS.relayPaths);
  readonly #underWay = new Map<string, Promise<RelayedAnswer>>();
  /** By node and call. */
  readonly #requests = new Map<string, Promise<NodeWord>>();
  readonly #pauses = new NodePauses();
  readonly #seats = new OriginSeats();

  constructor(parts: RelayParts) {
    this.#parts = parts;
  }

  /** Answers a call. Rejects with `http/unavailable` where there is nothing to show. */
  ask(call: RestCall): Promise<RelayedAnswer> {
    const held = this.#held.get(call.key) ?? null;
    if (held !== null && standingOf(held, this.#parts.now()) === "fresh") {
      return Promise.resolve({ answer: held, isLast: false });
    }
    const underWay = this.#underWay.get(call.key);
    if (underWay !== undefined) return underWay;
    const work = this.#renew(call).finally(() => this.#underWay.delete(call.key));
    this.#underWay.set(call.key, work);
    return work;
  }

  /** Asks one node, whatever is held; null where it was asked a moment ago. Rejects as `askNode` does. */
  async look(node: OriginNode, call: RestCall): Promise<NodeWord | null> {
    if (this.#endedOf(node, call) !== null) return null;
    return this.#askOne(node, { call, before: null });
  }

  /** Shows an answer of a look to those who ask for it next. */
  keep(call: RestCall, answer: KeptAnswer): void {
    this.#held.set(call.key, answer);
  }

  async #renew(call: RestCall): Promise<RelayedAnswer> {
    let refused: SvcError = new SvcError("http/unavailable", { reason: "no node answers" });
    let tries = 0;
    for (const node of await this.#readyNodes()) {
      const held = this.#held.get(call.key) ?? null;
      const ended = this.#endedOf(node, call);
      // Its answer of a moment ago is as new as any may be.
      if (ended?.isAnswered === true && this.#isRecent(held))
        return { answer: held, isLast: false };
      if (ended !== null) continue;
      if (tries === EXPLORER_LIMITS.originTries) break;
      tries += 1;
      try {
        const word = await this.#askOne(node, { call, before: held });
        if (word.kind !== "answer") {
          refused = new SvcError("http/unavailable", { reason: word.reason });
          continue;
        }
        this.#held.set(call.key, word.answer);
        return { answer: word.answer, isLast: false };
      } catch (thrown) {
        refused = SvcError.from(thrown);
      }
    }
    const last = this.#held.get(call.key) ?? null;
    if (last === null || standingOf(last, this.#parts.now()) === "gone") throw refused;
    return { answer: last, isLast: true };
  }

  async #readyNodes(): Promise<readonly OriginNode[]> {
    const names = this.#pauses.ready(await this.#parts.usable(), this.#parts.now());
    return names.flatMap((name) => this.#parts.nodes.filter((node) => node.name === name));
  }

  /** How the last request for the call to the node ended; null once another one may begin. */
  #endedOf(node: OriginNode, call: RestCall): Ended | null {
    const ended = this.#ended.get(placeOf(node, call)) ?? null;
    if (ended === null) return null;
    return this.#parts.now() - ended.atMs < EXPLORER_LIMITS.originPauseMs ? ended : null;
  }

  #isRecent(held: KeptAnswer | null): held is KeptAnswer {
    const { originAnswerMs, originPauseMs } = EXPLORER_LIMITS;
    return held !== null && this.#parts.now() - held.asOfMs < originAnswerMs + originPauseMs;
  }

  /** One request for a call to a node is under way at a time: whoever else asks gets its word. */
  #askOne(node: OriginNode, wish: Wish): Promise<NodeWord> {
    const place = placeOf(node, wish.call);
    const underWay = this.#requests.get(place);
    if (underWay !== undefined) return underWay;
    const work = this.#seats
      .take(() => this.#send(node, wish))
      .finally(() => this.#requests.delete(place));
    this.#requests.set(place, work);
    return work;
  }

  async #send(node: OriginNode, wish: Wish): Promise<NodeWord> {
    const { now, accept } = this.#parts;
    let isAnswered = false;
    try {
      const word = await askNode(node, { ...wish, nowMs: now() });
      this.#pauses.answered(node.name);
      if (word.kind === "answer" && !accept(node.name, wish.call, word.answer)) {
        return { kind: "false", reason: "a node is of another network" };
      }
      isAnswered = word.kind === "answer";
      return word;
    } catch (thrown) {
      this.#pauses.failed(node.name, now());
      throw thrown;
    } finally {
      this.#ended.set(placeOf(node, wish.call), { atMs: now(), isAnswered });
    }
  }
}

function placeOf({ name }: OriginNode, { key }: RestCall): string {
  return `${name} ${key}`;
}
