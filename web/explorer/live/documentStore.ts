/** The documents of a page by their paths: what the server rendered it from, then what the browser asked for since. */
import { createSignal, type Accessor, type Setter } from "solid-js";
import type { PageDocument, PageDocuments } from "@svc/shared/explorer/pageRenderer.ts";
import type { RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";
import { readFault, type RestDocument, type Seen } from "./restDocument.ts";

const OK = 200;
const UNAVAILABLE = 503;
const TOO_MANY = 429;

const NOTHING: Seen<unknown> = { status: 0, body: null, fault: null, asOfMs: 0, isStale: false };

type Cell = { readonly seen: Accessor<Seen<unknown>>; readonly set: Setter<Seen<unknown>> };

/** The store. It holds the paths that the page began with, and those that it watches since. */
export class DocumentStore {
  readonly #cells = new Map<string, Cell>();
  /** Bytes of the newest body, by path: an equal one changes nothing. */
  readonly #texts = new Map<string, string>();

  constructor(documents: PageDocuments) {
    for (const [path, document] of Object.entries(documents)) this.take(path, document);
  }

  /** The paths that have a document or had a question. */
  get paths(): readonly string[] {
    return [...this.#cells.keys()];
  }

  /** What is known of a path, as a document of this row. Reactive. */
  read<R extends RestRouteName>(_row: R, path: string): Seen<RestDocument<R>> {
    // The server checks its answers against the row; a page that cannot show what it got says so.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this.#cell(path).seen() as Seen<RestDocument<R>>;
  }

  /** What is known of a path, whatever it holds. Reactive. */
  readAny(path: string): Seen<unknown> {
    return this.#cell(path).seen();
  }

  /** Takes an answer. One that says that nobody answers keeps what was known. */
  take(path: string, { status, body, asOfMs, isStale }: PageDocument): void {
    const { set } = this.#cell(path);
    const value = parsed(body);
    if (status === OK && value !== undefined) {
      const isSame = this.#texts.get(path) === body;
      this.#texts.set(path, body);
      set((before) => ({
        status,
        body: isSame ? before.body : value,
        fault: null,
        asOfMs,
        isStale,
      }));
      return;
    }
    const fault = readFault(value);
    if (status === UNAVAILABLE || status === TOO_MANY || status === OK || status === 0) {
      set((before) => ({
        ...before,
        status: before.body === null ? status || UNAVAILABLE : OK,
        fault,
        isStale: true,
      }));
      return;
    }
    this.#texts.delete(path);
    set({ status, body: null, fault, asOfMs, isStale });
  }

  /** Forgets a path that nothing shows any more. */
  forget(path: string): void {
    this.#cells.delete(path);
    this.#texts.delete(path);
  }

  #cell(path: string): Cell {
    const known = this.#cells.get(path);
    if (known !== undefined) return known;
    const [seen, set] = createSignal<Seen<unknown>>(NOTHING, { equals: sameSeen });
    const cell = { seen, set };
    this.#cells.set(path, cell);
    return cell;
  }
}

/** What shows the same. A document that only got newer is not drawn again, but its age is. */
function sameSeen(a: Seen<unknown>, b: Seen<unknown>): boolean {
  return (
    a.status === b.status &&
    a.body === b.body &&
    a.fault?.error === b.fault?.error &&
    a.asOfMs === b.asOfMs &&
    a.isStale === b.isStale
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
