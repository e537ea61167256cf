/** The OpenAPI 3.1 document of the public REST interface. */
import { openApiOf, type OpenApiJson } from "../contract/openApi.ts";
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
    error: {
      type: "object",
      description:
        "A sentence for people, a code for programs, and the data of the code beside them.",
      properties: { error: { type: "string" }, code: { type: "string" } },
      required: ["error", "code"],
      additionalProperties: true,
    },
    securitySchemes: {},
    securityOf: () => [{}],
    codesOf: (row) => [
      ...new Set([...row.refusals, ...formCodesOf(row), "http/too-many-requests" as const]),
    ],
    keyAbout: "",
  });
}
