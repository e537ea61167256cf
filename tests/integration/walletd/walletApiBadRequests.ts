/** Requests that are wrong in one place each, made from the rows of the wallet API's table. */
import {
  bodySchemaOf,
  fieldsOf,
  jsonSchemaOf,
} from "@svc/shared/protocol/contract/routeSchemas.ts";
import { WALLET_ROUTES, type RouteName } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { recordOf, type Asked } from "./walletApiScene.ts";

const MIB = 1024 * 1024;

/** A wrong request, and how it is refused. */
export type BadRequest = { readonly what: string; readonly asked: Asked; readonly refused: string };

/** The example request of a row. */
export function exampleOf(name: RouteName): Asked {
  const { example, path } = WALLET_ROUTES[name];
  const url = new URL("path" in example ? example.path : path, "http://localhost");
  return {
    params: { id: "7f3a" },
    query: Object.fromEntries(url.searchParams),
    ...("body" in example ? { body: example.body } : {}),
  };
}

/** Bodies of a row that are no JSON, or JSON of another form, with the fields each in turn absent and mistyped. */
export function badBodies(name: RouteName): readonly BadRequest[] {
  const schema = bodySchemaOf(WALLET_ROUTES[name]);
  if (schema === null) return [];
  const { body: whole, ...rest } = exampleOf(name);
  const body = recordOf(whole);
  const bad = (what: string, sent: unknown, refused: string, headers = {}): BadRequest => ({
    what,
    asked: { ...rest, body: sent, headers },
    refused,
  });
  const asText = { "Content-Type": "text/plain" };
  return [
    bad("10 MiB", new Uint8Array(10 * MIB).fill(0x20), "413 http/body-too-large"),
    bad("10 MiB of a text", { ...body, memo: "m".repeat(10 * MIB) }, "413 http/body-too-large"),
    bad("no JSON", "{", "400 codec/bad-json"),
    bad("no UTF-8", new Uint8Array([0x22, 0xff, 0x22]), "400 codec/bad-utf8"),
    bad("another type", JSON.stringify(body), "415 api/not-json", asText),
    bad("a list", [], "422 api/wrong-type"),
    bad("a text", JSON.stringify("x"), "422 api/wrong-type"),
    bad("a number", "7", "422 api/wrong-type"),
    ...fieldsOf(schema).flatMap(({ name: field, required }) => [
      bad(`${field} mistyped`, { ...body, [field]: { no: "thing" } }, "422 api/wrong-type"),
      ...(required ? [without(field)] : []),
    ]),
  ];

  function without(field: string): BadRequest {
    const { [field]: _, ...others } = body;
    return bad(`${field} absent`, others, "422 api/missing-field");
  }
}

/** Queries of a row with a field that is not what it must be. */
export function badQueries(name: RouteName): readonly BadRequest[] {
  const { query, ...rest } = exampleOf(name);
  return fieldsOf(jsonSchemaOf(WALLET_ROUTES[name].query))
    .filter(({ schema }) => !("enum" in schema) && !isFreeText(schema))
    .map(({ name: field }) => ({
      what: `${field} wrong`,
      asked: { ...rest, query: { ...query, [field]: "-x" } },
      refused: "400 api/bad-field",
    }));
}

/** Any text will do. */
function isFreeText(schema: Readonly<Record<string, unknown>>): boolean {
  return schema["type"] === "string" && !("pattern" in schema);
}

/** Whether requests of a row need the token of a wallet. */
export function needsToken(name: RouteName): boolean {
  const { credential } = WALLET_ROUTES[name];
  return credential === "token" || credential === "token-and-custodial";
}
