/** `fetch` for tests of a typed client: it keeps what was sent, and answers as it is told. */

/** A request as a client sent it. */
export type SentRequest = { readonly url: string; readonly init: RequestInit };

/** What answers a request. */
export type ScriptedAnswer = (sent: SentRequest) => Response | Promise<Response>;

/** Makes a `fetch` that `answer` answers, with the list of what was sent, in order. */
export function scriptedFetch(answer: ScriptedAnswer) {
  const sent: SentRequest[] = [];
  const fetch: typeof globalThis.fetch = (url, init = {}) => {
    const request = { url: typeof url === "string" ? url : "no text", init };
    sent.push(request);
    return Promise.resolve().then(() => answer(request));
  };
  return { fetch, sent };
}
