/** Source of what is checked: documents and bytes of the public REST interface, by their paths below `/api`. */
import * as v from "valibot";
import { bodyWithin } from "@svc/shared/base/bodyWithin.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";

/** Answers of a server. Both reject with `http/not-found` for what there is not, `wallet/node-unreachable` else. */
export interface CheckSource {
  json(path: string): Promise<unknown>;
  bytes(path: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** The server of a page. `apiBase`: origin and place of its REST interface. */
export function restSource(apiBase: string, fetcher: typeof fetch = fetch): CheckSource {
  const bytes = async (path: string): Promise<Uint8Array<ArrayBuffer>> => {
    const url = `${apiBase}${path}`;
    try {
      const signal = AbortSignal.timeout(PAGE_LIMITS.checkAnswerMs);
      const response = await fetcher(url, { signal, credentials: "omit" });
      if (response.status === 404) throw new SvcError("http/not-found", { path });
      if (!response.ok) throw new TypeError(`status ${response.status}`);
      return (await bodyWithin(response, PAGE_LIMITS.checkAnswerBytes)).slice();
    } catch (error) {
      if (error instanceof SvcError) throw error;
      throw new SvcError("wallet/node-unreachable", { url }, error);
    }
  };
  return {
    bytes,
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
