/**
 * The contract between whoever serves the explorer's pages (node, edge Worker) and the renderer that is built from `web/explorer`: a page is
 * a function of REST documents (docs/design/explorer.md). The renderer asks for nothing and keeps nothing.
 *
 * Server: `explorerPageOf` → `pageNeeds` → its own answers to these paths → `renderExplorerPage`. The built file is
 * `explorer/pageRenderer.js` among the pages: one module without imports.
 */
import type { PageLocale } from "./pageLocale.ts";

/** What a server answered to one REST path. */
export type PageDocument = {
  /** HTTP status; 503 when there is no answer. */
  readonly status: number;
  /** JSON text of the answer, that of an error among them. */
  readonly body: string;
  /** Unix ms at which the answer was true. */
  readonly asOfMs: number;
  /** The node did not answer just now: this is what it said before. */
  readonly isStale: boolean;
};

/** The documents of a page by their paths, written as `pageNeeds` writes them. */
export type PageDocuments = Readonly<Record<string, PageDocument>>;

/** Why a server does not make a page: too much was asked for (429), or it was not ready in time (503). */
export type PageRefusal = {
  readonly status: 429 | 503;
  /** Seconds after which it is worth asking again. */
  readonly retryAfterS: number;
};

/** What a page is made from. */
export type PageInput = {
  /** Where the pages stand: `/explorer` on a node, empty at the edge. */
  readonly base: string;
  /** Where the REST interface stands on this origin: `/api`. */
  readonly apiBase: string;
  /** Scheme and authority of the page, for canonical and share links; null when the server does not know its name. */
  readonly origin: string | null;
  /** Path below the base; `/` for the first page. */
  readonly path: string;
  /** Query without its question mark. */
  readonly query: string;
  readonly locale: PageLocale;
  /** Whether the address itself asks for the language (`?lang=`): links carry it on then. */
  readonly isLocaleAsked: boolean;
  /** Unix ms of the server. */
  readonly nowMs: number;
  readonly documents: PageDocuments;
  /** The page says this and nothing else, whatever the documents are; left out where the page is made. */
  readonly refusal?: PageRefusal;
};

/** A page as it is answered. */
export type PageAnswer = {
  /** 200, 404, 503 when the document that the page is about is missing, or the status of the refusal. */
  readonly status: number;
  /** All headers but the length: type, policy, cache time, language, `Retry-After` of a 503 or a refusal. */
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
};

/** Makes a page. It does not throw: a document that cannot be read is shown as missing. */
export type RenderExplorerPage = (input: PageInput) => PageAnswer;

/** The module that the build makes. */
export type PageRendererModule = { readonly renderExplorerPage: RenderExplorerPage };

/** Where the built module lies among the pages. */
export const RENDERER_FILE = "explorer/pageRenderer.js";
