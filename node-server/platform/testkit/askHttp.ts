/** Test helper: an HTTP request with any headers and any target, as no browser and no `fetch` would send it. */
import { request } from "node:http";

/** A request. */
export type HttpAsk = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The address of this machine that it comes from. */
  readonly from?: string;
};

/** Answer of a server. */
export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
};

/** Asks a server of this machine, over a connection of its own. Rejects when the connection breaks. */
export function askHttp(
  port: number,
  path: string,
  { method = "GET", headers = {}, body, from }: HttpAsk = {},
): Promise<HttpAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const place = { host: "127.0.0.1", port, path, agent: false as const };
  const sent = request({ ...place, method, headers, ...(from && { localAddress: from }) });
  sent.on("response", (response) => {
    let text = "";
    response.setEncoding("utf8");
    response.on("data", (part) => (text += String(part)));
    response.on("end", () =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
    );
  });
  sent.on("error", reject);
  sent.end(body);
  return promise;
}
