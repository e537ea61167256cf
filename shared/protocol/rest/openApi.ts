/** The OpenAPI 3.1 document of the public REST interface. */
import { openApiOf, PLAIN_ERROR, type OpenApiJson } from "../contract/openApi.ts";
import { formCodesOf } from "../contract/routeSchemas.ts";
import { REST_ROUTES } from "./restRoutes.ts";

/** Where its paths stand on a node and at the edge. */
export const REST_PLACE = "/api";

/** The document. */
export function restDocument(): OpenApiJson {
  return openApiOf({
    title: "Public chain data",
    about:
      "Read-only, without a key. Amounts in sompi are decimal text; numbers of coins are for display. Fields that a client does not know are to be passed over.",
    server: REST_PLACE,
    rows: REST_ROUTES,
    error: PLAIN_ERROR,
    securitySchemes: {},
    securityOf: () => [{}],
    codesOf: (row) => [
      ...new Set([...row.refusals, ...formCodesOf(row), "http/too-many-requests" as const]),
    ],
    keyAbout: "",
  });
}
