/** What reaches the cache of a data centre, where it lies under what was asked for. */
import { expect, it } from "vitest";
import type { KeptAnswer } from "../answers/keptAnswer.ts";
import { restCall } from "../answers/restCall.ts";
import { AnswerCache } from "./answerCache.ts";
import { RestFacade } from "./restFacade.ts";

const HASH = "5eed".repeat(16);
const FRESH = "public, max-age=60, s-maxage=60, stale-while-revalidate=300";

/** The places at which something was put, each with its header, after one call. */
async function putBy(answer: Pick<KeptAnswer, "status" | "cacheControl">): Promise<string[][]> {
  const put: string[][] = [];
  const cache = new AnswerCache({
    match: () => Promise.resolve(undefined),
    put: async (place, response) => {
      put.push([new Request(place).url, response.headers.get("Cache-Control") ?? ""]);
    },
  });
  const kept = { ...answer, bytes: new Uint8Array(), type: "application/json", etag: '""' };
  const facade = new RestFacade({
    ...{ cache, now: () => 0, pause: () => Promise.resolve() },
    relay: async () => ({ ok: true, value: { answer: { ...kept, asOfMs: 0 }, isLast: false } }),
  });
  const search = new URLSearchParams();
  const call = await restCall({ method: "GET", path: `/blocks/${HASH}`, search });
  const work: Promise<unknown>[] = [];
  await facade.answer(call, { later: (more) => work.push(more), admit: () => Promise.resolve() });
  await Promise.all(work);
  return put;
}

it.each([404, 410, 400])("a hash whose answer is %d leaves nothing there", async (status) => {
  expect(await putBy({ status, cacheControl: FRESH })).toEqual([]);
});

it("an answer lies there as long as it may be shown, and no longer", async () => {
  const [[, header] = []] = await putBy({ status: 200, cacheControl: FRESH });
  expect(header).toBe("max-age=3600");
  const deep = "public, max-age=86400, s-maxage=86400, stale-while-revalidate=86400";
  const [[, longer] = []] = await putBy({ status: 200, cacheControl: deep });
  expect(longer).toBe("max-age=172800");
});
