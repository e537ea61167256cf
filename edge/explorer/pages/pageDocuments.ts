/** The documents of a page: the edge's own answers to the REST paths that it needs. */
import { httpErrorOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { PageDocument, PageDocuments } from "@svc/shared/explorer/pageRenderer.ts";
import { DOCUMENT_PATH } from "@svc/shared/protocol/contract/openApi.ts";
import { restDocument } from "@svc/shared/protocol/rest/openApi.ts";
import { restCall } from "../answers/restCall.ts";
import type { FacadeRequest, RestFacade } from "../facade/restFacade.ts";

/** Dependencies. */
export type PageDocumentsParts = {
  readonly facade: Pick<RestFacade, "answer">;
  readonly request: FacadeRequest;
  /** Unix ms. */
  readonly nowMs: number;
};

/** Asks for all of them at once. Never rejects: what there is no answer to is a document that says so. */
export async function pageDocuments(
  paths: readonly string[],
  parts: PageDocumentsParts,
): Promise<PageDocuments> {
  const documents = paths.map(async (path) => [path, await documentAt(path, parts)] as const);
  return Object.fromEntries(await Promise.all(documents));
}

async function documentAt(
  path: string,
  { facade, request, nowMs }: PageDocumentsParts,
): Promise<PageDocument> {
  if (path === DOCUMENT_PATH) {
    return { status: 200, body: JSON.stringify(restDocument()), asOfMs: nowMs, isStale: false };
  }
  try {
    const [place = "", query = ""] = path.split("?", 2);
    const search = new URLSearchParams(query);
    const call = await restCall({ method: "GET", path: place, search });
    const { answer, isLast } = await facade.answer(call, request);
    const body = new TextDecoder().decode(answer.bytes);
    return { status: answer.status, body, asOfMs: answer.asOfMs, isStale: isLast };
  } catch (thrown) {
    const { status, body } = httpErrorOf(SvcError.from(thrown));
    return { status, body: JSON.stringify(body), asOfMs: nowMs, isStale: false };
  }
}
