/** Source of what is checked: documents and bytes of the public REST interface, by their paths below `/api`. */
import * as v from "valibot";
import { bodyWithin } from "@svc/shared/base/bodyWithin.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readNodeError } from "@svc/shared/wallet/node/nodeAnswers.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";

/** Answers of a server. The first two reject with `http/not-found` for what there is not, `wallet/node-unreachable` else. */
export interface CheckSource {
  json(path: string): Promise<unknown>;
  bytes(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** A piece of evidence. Rejects with the node's own code, `wallet/node-unreachable` without an answer. */
  evidence(path: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** How long an answer may take, how long it may be, and what one that is none becomes. */
type AnswerBounds = {
  readonly ms: number;
  readonly most: number;
  readonly refusal: (status: number, bytes: Uint8Array, path: string) => Error;
};

const DOCUMENTS: AnswerBounds = {
  ms: PAGE_LIMITS.checkAnswerMs,
  most: PAGE_LIMITS.checkAnswerBytes,
  refusal: (status, _, path) =>
    status === 404 ? new SvcError("http/not-found", { path }) : new TypeError(`status ${status}`),
};
const EVIDENCE: AnswerBounds = {
  ms: PAGE_LIMITS.checkEvidenceMs,
  most: PAGE_LIMITS.checkEvidenceBytes,
  refusal: (status, bytes) => readNodeError("evidence", status, bytes),
};

/** The server of a page. `apiBase`: origin and place of its REST interface. */
export function restSource(apiBase: string, fetcher: typeof fetch = fetch): CheckSource {
  const asked = async (
    path: string,
    { ms, most, refusal }: AnswerBounds,
  ): Promise<Uint8Array<ArrayBuffer>> => {
    const url = `${apiBase}${path}`;
    try {
      const signal = AbortSignal.timeout(ms);
      const response = await fetcher(url, { signal, credentials: "omit" });
      const body = (await bodyWithin(response, most)).slice();
      if (!response.ok) throw refusal(response.status, body, path);
      return body;
    } catch (error) {
      if (error instanceof SvcError) throw error;
      throw new SvcError("wallet/node-unreachable", { url }, error);
    }
  };
  const bytes = (path: string) => asked(path, DOCUMENTS);
  return {
    bytes,
    evidence: (path) => asked(path, EVIDENCE),
    json: async (path) => {
      const text = new TextDecoder().decode(await bytes(path));
      try {
        const value: unknown = JSON.parse(text);
        return value;
      } catch (error) {
        throw new SvcError("codec/bad-json", { reason: `${path} is not JSON` }, error);
      }
    },
  };
}

/** Reads a document by a schema. Throws `codec/bad-json`. */
export function readDocument<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  path: string,
): v.InferOutput<S> {
  const read = v.safeParse(schema, value);
  if (read.success) return read.output;
  const [issue] = read.issues;
  const reason = `${path} ${v.getDotPath(issue) ?? ""}: ${issue.message}`.slice(0, 200);
  throw new SvcError("codec/bad-json", { reason });
}
