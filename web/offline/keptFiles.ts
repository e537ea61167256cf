/**
 * Files of one build of the wallet's pages, as its service worker keeps them: nothing but files of the build's list, each compared with
 * its hash before it is kept or handed out, with the headers of the build instead of those that a server sends.
 */
import { bodyWithin } from "@svc/shared/base/bodyWithin.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";

/** A file of the build. */
export type KeptFile = {
  /** SHA-256, hex. */
  readonly hash: string;
  readonly bytes: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the wallet needs it to open; the others are kept when they were asked for. */
  readonly isFirst: boolean;
};

/** A build: its files by their paths. */
export type KeptBuild = {
  /** Changes with every file. */
  readonly id: string;
  readonly files: Readonly<Record<string, KeptFile>>;
};

/** A store of files by their paths. */
export type FileStore = {
  match(path: string): Promise<Response | undefined>;
  put(path: string, response: Response): Promise<void>;
};

/** Where files come from and go to. */
export type KeeperParts = {
  readonly build: KeptBuild;
  /** This build's. */
  readonly store: FileStore;
  /** Files of builds before, looked at ahead of the server; all are compared. */
  readonly earlier: Pick<FileStore, "match">;
  readonly fetch: (path: string) => Promise<Response>;
};

/** The parts of a request that decide whether a kept file answers it. */
export type AskedFile = Pick<Request, "url" | "method" | "mode" | "cache" | "headers">;

/** Where the build puts files with a hash in their names: under such a name there is never another file. */
const HASHED = /^\/(?:assets|workers)\//;

/**
 * The path of the build's file that answers a request; null where the request is none of the service worker's. Who asks past every cache
 * wants the server's own answer, and who wants a part is answered by the server, too.
 */
export function keptPath(build: KeptBuild, request: AskedFile, origin: string): string | null {
  const path = askedPath(request, origin);
  return path !== null && Object.hasOwn(build.files, path) ? path : null;
}

/** The path of a request that a file of another build may answer: no page, and none of this build's files. Null for any other request. */
export function earlierPath(build: KeptBuild, request: AskedFile, origin: string): string | null {
  const path = request.mode === "navigate" ? null : askedPath(request, origin);
  return path !== null && HASHED.test(path) && !Object.hasOwn(build.files, path) ? path : null;
}

function askedPath(request: AskedFile, origin: string): string | null {
  const { origin: asked, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || asked !== origin || request.headers.has("range")) return null;
  if (request.cache === "no-store" || request.cache === "reload") return null;
  // What stands behind the question mark of a page is for its script.
  return search !== "" && request.mode !== "navigate" ? null : pathname;
}

/** Keeps the files that the wallet needs to open. Rejects, and must not be used, where one of them does not come as it was built. */
export async function keepFirst(parts: KeeperParts): Promise<void> {
  const first = Object.entries(parts.build.files).filter(([, { isFirst }]) => isFirst);
  await Promise.all(first.map(([path]) => keptOrFetched(parts, path)));
}

/**
 * The answer to a question for a file of the build: the kept one, or the server's if it is the same. A refusal of the server is passed
 * on, since pages tell another build by it; a file that was altered is answered as a broken connection, and never kept.
 */
export async function answerOf(parts: KeeperParts, path: string): Promise<Response> {
  const kept = await parts.store.match(path);
  if (kept !== undefined) return kept;
  try {
    return await keptOrFetched(parts, path);
  } catch (error) {
    if (error instanceof Refused) return error.response;
    return Response.error();
  }
}

/** A server's answer that is no file. */
class Refused extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super(`status ${response.status}`);
    this.response = response;
  }
}

async function keptOrFetched(parts: KeeperParts, path: string): Promise<Response> {
  const file = fileOf(parts.build, path);
  const before = await parts.earlier.match(path);
  const bytes = before === undefined ? null : await checkedBytes(before, file).catch(() => null);
  const found = bytes ?? (await fetched(parts, path, file));
  const answer = () => new Response(found, { headers: file.headers });
  // A full disk keeps nothing, and stops nobody who has the file in hand.
  if (file.isFirst) await parts.store.put(path, answer());
  else await parts.store.put(path, answer()).catch(() => undefined);
  return answer();
}

async function fetched(
  { fetch }: KeeperParts,
  path: string,
  file: KeptFile,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(path);
  if (!response.ok) throw new Refused(response);
  return checkedBytes(response, file);
}

async function checkedBytes(
  response: Response,
  { hash, bytes: length }: KeptFile,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await bodyWithin(response, length));
  const found = encodeHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  if (found !== hash) throw new SvcError("codec/bad-checksum", {});
  return bytes;
}

function fileOf({ files }: KeptBuild, path: string): KeptFile {
  const file = files[path];
  if (file === undefined) throw new TypeError(`${path} is no file of the build`);
  return file;
}
