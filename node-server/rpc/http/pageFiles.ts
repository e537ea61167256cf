/**
 * Static file server for the built pages, with the headers their build emitted (docs/formats.md 7).
 *
 * The list of files is read once at start: a request can only name a file that is in it.
 */
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { Hono, type Context } from "hono";
import * as v from "valibot";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { HEADER_FILE, headerRows, headersFor } from "@svc/shared/explorer/headerRows.ts";
import { errorAnswer } from "../../platform/http/errorAnswer.ts";
import type { HttpEnv, HttpRoutes } from "../../platform/http/httpEnv.ts";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  wasm: "application/wasm",
  json: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
  ico: "image/x-icon",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

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
    const file = files.get(path.endsWith("/") ? `${path}index.html` : path);
    if (file === undefined) {
      if (files.has(`${path}/index.html`)) return c.redirect(`${path}/`, 308);
      // A browser that goes to an address shows what it gets: a person reads that, and no program.
      if (c.req.header("Accept")?.includes("text/html") === true) {
        return c.body(NO_PAGE, 404, {
          "Content-Type": TYPES["html"] ?? "",
          ...headersFor(rows, "/"),
        });
      }
      return errorAnswer(c, new SvcError("http/not-found", { path: path.slice(0, 80) }));
    }
    return turn(c, async () => {
      const body = new Uint8Array(await readFile(file));
      return c.body(body, 200, { "Content-Type": typeOf(file), ...headersFor(rows, path) });
    });
  });
  return app;
}

/** A path that does not decode names nothing. */
function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function listFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join("/")}`;
    const hidden = path.split("/").some((part) => part.startsWith("."));
    if (entry.isFile() && !hidden && path !== `/${HEADER_FILE}`) files.set(path, file);
  }
  return files;
}

function typeOf(file: string): string {
  return TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}
