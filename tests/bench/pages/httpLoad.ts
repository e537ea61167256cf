/** HTTP load: so many connections that ask one after the other, for a time. */
import { Agent, get } from "node:http";

const OK = 200;
/** A rate limit, and backpressure: an edge answers 503 while its node refuses it with 429. Both say when to come again. */
const REFUSED: ReadonlySet<number> = new Set([429, 503]);

/** What came of it. */
export type LoadResult = {
  readonly perSecond: number;
  /** Milliseconds of each answer. */
  readonly times: readonly number[];
  /** Requests that were refused with 429 or 503: a node takes so many of one host in a second, and an edge is one host. */
  readonly refused: number;
};

/** A load: which URL comes next, over how many connections, for how long. */
export type Load = {
  readonly url: () => string;
  readonly connections: number;
  readonly ms: number;
};

/** Puts it on. Rejects when an answer has another status than 200 and 429. */
export async function httpLoad({ url, connections, ms }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let refused = 0;
  const begun = performance.now();
  const end = begun + ms;
  try {
    const ask = async (): Promise<void> => {
      while (performance.now() < end) {
        const from = performance.now();
        if (await isAnswered(url(), agent)) times.push(performance.now() - from);
        else refused += 1;
      }
    };
    await Promise.all(Array.from({ length: connections }, ask));
    return { perSecond: (1_000 * times.length) / (performance.now() - begun), times, refused };
  } finally {
    agent.destroy();
  }
}

function isAnswered(url: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      response.resume();
      response.on("end", () => {
        const { statusCode = 0 } = response;
        if (statusCode === OK || REFUSED.has(statusCode)) resolve(statusCode === OK);
        else reject(new Error(`${url} answers ${statusCode}`));
      });
    });
    request.on("error", reject);
  });
}
