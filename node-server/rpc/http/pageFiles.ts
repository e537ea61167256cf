/**
 * Static file server for the built pages, with the headers their build emitted (docs/formats.md 7), compressed as they were built.
 *
 * The list of files is read once at start: a request can only name a file that is in it. Nothing is compressed here: answers that say
 * something about a caller or the chain are sent as they are, so that no length tells of what they hold.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { Hono, type Context } from "hono";
import * as v from "valibot";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { fileType } from "@svc/shared/explorer/fileTypes.ts";
import {
  HEADER_FILE,
  headerRows,
  headersFor,
  type HeaderRow,
} from "@svc/shared/explorer/headerRows.ts";
import {
  acceptedEncoding,
  ENCODING_SUFFIX,
  FILE_ENCODINGS,
  isEncodedName,
  type FileEncoding,
} from "@svc/shared/protocol/http/acceptedEncoding.ts";
import { errorAnswer } from "../../platform/http/errorAnswer.ts";
import type { HttpEnv, HttpRoutes } from "../../platform/http/httpEnv.ts";

/** Characters of a hash that tell one file from every other. */
const TAG_CHARS = 22;

/** What stands where there is no page. It repeats nothing of the address. */
const NO_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>No such page</title>
<h1>There is no such page</h1>
<p>Perhaps the address was cut short or mistyped. From here you can go to <a href="/wallet/">the wallet</a> or
<a href="/explorer/">the explorer</a>.</p>
</html>
`;

/** Reads a file when the turn of the caller comes. */
type Turn = (c: Context<HttpEnv>, read: () => Promise<Response>) => Promise<Response>;

/**
 * Makes the routes of the pages in `folder`. Files are read in turn: they have megabytes. Rejects when the folder holds no
 * build.
 */
export async function pageFiles(folder: string, turn: Turn): Promise<HttpRoutes> {
  const rows = v.parse(headerRows, JSON.parse(await readFile(join(folder, HEADER_FILE), "utf8")));
  const files = await listFiles(folder);
  const app = new Hono<HttpEnv>();
  app.get("*", async (c) => {
    const path = decodePath(c.req.path);
    const name = path.endsWith("/") ? `${path}index.html` : path;
    const file = files.get(name);
    if (file === undefined) {
      if (files.has(`${path}/index.html`)) return c.redirect(`${path}/`, 308);
      // A browser that goes to an address shows what it gets: a person reads that, and no program.
      if (c.req.header("Accept")?.includes("text/html") === true) {
        return c.body(NO_PAGE, 404, {
          "Content-Type": "text/html; charset=utf-8",
          ...headersFor(rows, "/"),
        });
      }
      return errorAnswer(c, new SvcError("http/not-found", { path: path.slice(0, 80) }));
    }
    return turn(c, () => answerOf(c, file, { path, rows }));
  });
  return app;
}

/** A file of the pages. */
type PageFile = {
  readonly place: string;
  /** In which it was built beside it. */
  readonly encodings: readonly FileEncoding[];
};

async function answerOf(
  c: Context<HttpEnv>,
  { place, encodings }: PageFile,
  { path, rows }: { readonly path: string; readonly rows: readonly HeaderRow[] },
): Promise<Response> {
  // A part of a file is counted in the bytes of the file as it is.
  const accepted = c.req.header("range") === undefined ? c.req.header("accept-encoding") : null;
  const encoding = acceptedEncoding(accepted, encodings);
  const suffix = encoding === null ? "" : ENCODING_SUFFIX[encoding];
  const body = new Uint8Array(await readFile(place + suffix));
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, TAG_CHARS)}"`;
  const headers = {
    ...headersFor(rows, path),
    ...(encodings.length > 0 && { Vary: "Accept-Encoding" }),
    ETag: etag,
  };
  if (isNamed(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
  return c.body(body, 200, {
    "Content-Type": fileType(place),
    ...(encoding !== null && { "Content-Encoding": encoding }),
    ...headers,
  });
}

/** Whether the header has this tag, which is all that a browser sends back. */
function isNamed(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag) ?? false;
}

/** A path that does not decode names nothing. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function listFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const places = new Map<string, string>();
  for (const entry of entries) {
    const place = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, place).split(sep).join("/")}`;
    const hidden = path.split("/").some((part) => part.startsWith("."));
    if (entry.isFile() && !hidden && path !== `/${HEADER_FILE}`) places.set(path, place);
  }
  const files = [...places].filter(([path]) => !isEncodedName(path));
  return new Map(
    files.map(([path, place]) => {
      const isBuilt = (encoding: FileEncoding) => places.has(path + ENCODING_SUFFIX[encoding]);
      return [path, { place, encodings: FILE_ENCODINGS.filter(isBuilt) }];
    }),
  );
}
