/** The OpenAPI 3.1 document of the public REST interface. */
import { jsonText } from "../../base/jsonText.ts";
import { text } from "../contract/answerFields.ts";
import { openApiOf, PLAIN_ERROR, type OpenApiJson } from "../contract/openApi.ts";
import type { RouteContract } from "../contract/routeContract.ts";
import { formCodesOf } from "../contract/routeSchemas.ts";
import { CSV_ROWS, CSV_SUFFIX, csvOf, type CsvRowName } from "./restCsv.ts";
import { REST_ROUTES } from "./restRoutes.ts";
import type { RestKinds } from "./route.ts";

/** Where its paths stand on a node and at the edge. */
export const REST_PLACE = "/api";

/** What every call may be answered: too many of its host, or its deadline. */
const REFUSALS = ["http/too-many-requests", "http/timeout"] as const;
/** What is below the pruning point is not there, like what never was: the body says which. */
const NOT_FOUND = 404;

/** A row for the CSV of a document. */
function csvTwin(name: CsvRowName): RouteContract<RestKinds> {
  const row: RouteContract<RestKinds> = REST_ROUTES[name];
  const example = { answer: csvOf(name, jsonText(row.example.answer)) };
  const about = `The same as CSV: ${row.about}`;
  return { ...row, path: `${row.path}${CSV_SUFFIX}`, answer: text, isCsv: true, about, example };
}

const CSV_TWINS = Object.fromEntries(CSV_ROWS.map((name) => [`${name}Csv`, csvTwin(name)]));

/** The document. */
export function restDocument(): OpenApiJson {
  return openApiOf({
    title: "Public chain data",
    about:
      "Read-only, without a key. Amounts in sompi are decimal text; numbers of coins are for display. Fields that a client does not know are to be passed over.",
    server: REST_PLACE,
    rows: { ...REST_ROUTES, ...CSV_TWINS },
    statusOf: (code, status) => (code === "chain/pruned" ? NOT_FOUND : status),
    error: PLAIN_ERROR,
    securitySchemes: {},
    securityOf: () => [{}],
    codesOf: (row) => [...new Set([...row.refusals, ...formCodesOf(row), ...REFUSALS])],
    keyAbout: "",
  });
}
