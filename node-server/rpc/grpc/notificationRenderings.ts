/**
 * Shared renderings of notifications: the bytes of an event are made once for each form, however many gRPC clients asked for
 * it, and kept until the last of them was told.
 *
 * A client that reads slowly is told late. What waits for such clients alone is bounded: it is rendered again when it is asked
 * for.
 */
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import type { NodeNotification } from "../service/nodeApi.ts";
import type { NotificationForm } from "./renderNotification.ts";

/** Makes the bytes of a notification. */
export type Render = (news: NodeNotification, form: NotificationForm) => Promise<Uint8Array>;

/** An event in one form. */
type Told = { rendering: Promise<Uint8Array> | null };

/** An event that somebody has yet to be told of. */
type Open = { clients: number; readonly forms: Map<NotificationForm, Told> };

/** The renderings of one server. */
export class NotificationRenderings {
  readonly #render: Render;
  readonly #open = new Map<NodeNotification, Open>();
  readonly #kept = new LruMap<Told, Uint8Array>(
    RPC_LIMITS.grpcRenderedBytes,
    ({ length }) => length,
  );

  /** `render` rejects with what keeps an event from being told; it is asked again for who comes later. */
  constructor(render: Render) {
    this.#render = render;
  }

  /** Events that somebody has yet to be told of. */
  get size(): number {
    return this.#open.size;
  }

  /** Bytes that are kept. */
  get bytes(): number {
    return this.#kept.weight;
  }

  /** One more client has to be told of an event; the answer is called once, when it was or has gone. */
  hold(news: NodeNotification): () => void {
    const open = this.#open.get(news) ?? { clients: 0, forms: new Map() };
    open.clients += 1;
    this.#open.set(news, open);
    return () => {
      open.clients -= 1;
      if (open.clients > 0) return;
      this.#open.delete(news);
      for (const told of open.forms.values()) this.#kept.delete(told);
    };
  }

  /** The bytes of an event in a form, for a client that holds it. Rejects as rendering does. */
  async bytesOf(news: NodeNotification, form: NotificationForm): Promise<Uint8Array> {
    const told = this.#toldAs(news, form);
    const kept = this.#kept.get(told);
    if (kept !== undefined) return kept;
    told.rendering ??= this.#make(news, form, told);
    return told.rendering;
  }

  #toldAs(news: NodeNotification, form: NotificationForm): Told {
    const forms = this.#open.get(news)?.forms;
    const told = forms?.get(form) ?? { rendering: null };
    forms?.set(form, told);
    return told;
  }

  async #make(news: NodeNotification, form: NotificationForm, told: Told): Promise<Uint8Array> {
    try {
      const bytes = await this.#render(news, form);
      // Everybody may have gone meanwhile.
      if (this.#open.get(news)?.forms.get(form) === told) this.#kept.set(told, bytes);
      return bytes;
    } finally {
      told.rendering = null;
    }
  }
}
