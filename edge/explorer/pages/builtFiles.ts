/**
 * The built files of the pages: scripts, styles, the core. Each is served with the headers that its build emitted, compressed as it was built.
 */
import * as v from "valibot";
import { bodyWithin } from "@svc/shared/base/bodyWithin.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  HEADER_FILE,
  headerRows,
  headersFor,
  type HeaderRow,
} from "@svc/shared/explorer/headerRows.ts";
import { fileType } from "@svc/shared/explorer/fileTypes.ts";
import { RENDERER_FILE } from "@svc/shared/explorer/pageRenderer.ts";
import {
  acceptedEncoding,
  ENCODING_SUFFIX,
  FILE_ENCODINGS,
  type FileEncoding,
} from "@svc/shared/protocol/http/acceptedEncoding.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import type { ExplorerEnv } from "../origin/explorerEnv.ts";

/** The binding looks at the path alone. */
const PLACE = "https://assets.example";
/** Files of pages. Those of other pages, such as the wallet's, are not the explorer's to serve. */
const FILE = /^\/[\w./-]+\.(?:js|css|wasm|svg|png|ico|woff2|webmanifest)$/;
/** What search engines are told. */
const ROBOTS = "/robots.txt";
/** Files that the build leaves in compressed forms, too. */
const ENCODED = /\.(?:js|css|wasm|svg|txt|webmanifest)$/;
const rowsText = v.pipe(v.string(), v.parseJson(), headerRows);

/** How a browser asks for a file: its headers. */
export type FileWish = {
  /** Of the browser, and not what the platform makes of it. */
  readonly accepted: string | null;
  readonly ifNoneMatch: string | null;
};

/** The files of an environment. */
export class BuiltFiles {
  readonly #binding: ExplorerEnv["ASSETS"];
  #rows: readonly HeaderRow[] | null = null;

  constructor(binding: ExplorerEnv["ASSETS"]) {
    this.#binding = binding;
  }

  /** Whether a path is that of a file. */
  isFile(path: string): boolean {
    return path === ROBOTS || (FILE.test(path) && path !== `/${RENDERER_FILE}`);
  }

  /** A file; null where there is none of this path. Rejects with `http/unavailable` where files cannot be read now. */
  async file(path: string, { accepted, ifNoneMatch }: FileWish): Promise<Response | null> {
    if (this.#binding === undefined) return null;
    const rows = (this.#rows ??= await this.#read(this.#binding));
    const isBuiltTwice = ENCODED.test(path);
    const encoding = isBuiltTwice ? acceptedEncoding(accepted, FILE_ENCODINGS) : null;
    const served =
      (encoding === null ? null : await this.#form(path, encoding, ifNoneMatch)) ??
      (await this.#form(path, null, ifNoneMatch));
    for (const [name, value] of Object.entries(headersFor(rows, path))) {
      served?.headers.set(name, value);
    }
    if (isBuiltTwice) served?.headers.set("Vary", "Accept-Encoding");
    return served;
  }

  /** One form of a file: it is sent on as it lies there. */
  async #form(
    path: string,
    encoding: FileEncoding | null,
    ifNoneMatch: string | null,
  ): Promise<Response | null> {
    const suffix = encoding === null ? "" : ENCODING_SUFFIX[encoding];
    const headers = ifNoneMatch === null ? {} : { "If-None-Match": ifNoneMatch };
    const found = await this.#binding?.fetch(`${PLACE}${path}${suffix}`, { headers });
    if (found === undefined || (!found.ok && found.status !== 304)) return null;
    if (encoding === null) return new Response(found.body, found);
    const served = new Response(found.body, { ...init(found), encodeBody: "manual" });
    served.headers.set("Content-Type", fileType(path));
    if (found.ok) served.headers.set("Content-Encoding", encoding);
    return served;
  }

  async #read(binding: NonNullable<ExplorerEnv["ASSETS"]>): Promise<readonly HeaderRow[]> {
    const response = await binding.fetch(`${PLACE}/${HEADER_FILE}`);
    if (!response.ok) throw new SvcError("http/unavailable", { reason: "no built files" });
    const bytes = await bodyWithin(response, EXPLORER_LIMITS.headerFileBytes);
    return v.parse(rowsText, new TextDecoder().decode(bytes));
  }
}

function init({ status, statusText, headers }: Response): ResponseInit {
  return { status, statusText, headers };
}
