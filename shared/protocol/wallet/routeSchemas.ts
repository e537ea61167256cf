/** JSON Schemas of the parts of a row, and the codes that it may answer: what documents of the API are made from. */
import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import type { Code } from "../../base/generated/codes.ts";
import type { RouteContract } from "./routeContract.ts";

/** A JSON Schema, as plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of what a caller sends, or of what an answer holds on the wire. */
export function jsonSchemaOf(schema: v.GenericSchema): JsonSchema {
  const { $schema: _, ...rest } = toJsonSchema(schema, { typeMode: "input", errorMode: "ignore" });
  const plain: unknown = JSON.parse(JSON.stringify(rest), (key: string, value: unknown) =>
    key === "default" ? undefined : formed(value),
  );
  return isRecord(plain) ? { ...plain } : {};
}

/** The library copies the form that a field says of itself into its schema: it takes the schema's place. */
function formed(value: unknown): unknown {
  return isRecord(value) && "form" in value ? value["form"] : value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of an object's schema, with whether each must be there. */
export function fieldsOf(
  schema: JsonSchema,
): readonly { readonly name: string; readonly schema: JsonSchema; readonly required: boolean }[] {
  const { properties, required } = schema;
  if (!isRecord(properties)) return [];
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, field]) => ({
    name,
    schema: isRecord(field) ? field : {},
    required: needed.includes(name),
  }));
}

/** The schema of a row's body without what stands for an absent one; null for a row that takes none. */
export function bodySchemaOf({ body }: RouteContract): JsonSchema | null {
  const schema = jsonSchemaOf(body);
  const { anyOf } = schema;
  const [first]: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [schema];
  return isRecord(first) && first["type"] === "object" ? first : null;
}

/** What the limits of a scoped token say. */
const OF_LIMITS = [
  "wallet/payee-not-allowed",
  "wallet/day-limit",
  "wallet/approval-needed",
  "wallet/approval-full",
] as const satisfies readonly Code[];

const OF_ALL: readonly Code[] = [
  "http/foreign-host",
  "http/foreign-origin",
  "api/bad-bearer",
  "http/too-many-requests",
  "http/unavailable",
];
const OF_TOKENS: readonly Code[] = [
  "api/missing-token",
  "api/bad-token",
  "api/short-token",
  "api/unknown-token",
];
const OF_BODIES: readonly Code[] = [
  "api/not-json",
  "http/body-too-large",
  "codec/bad-json",
  "codec/bad-utf8",
  "api/missing-field",
  "api/wrong-type",
  "api/bad-field",
];

/** All codes that a row may answer: its own, and those of its credential and form. */
export function codesOf(row: RouteContract): readonly Code[] {
  const hasToken = row.credential === "token" || row.credential === "token-and-custodial";
  const hasFields = fieldsOf(jsonSchemaOf(row.query)).length > 0 || row.path.includes("{");
  return [
    ...new Set([
      ...row.refusals,
      ...(row.credential === "token-and-custodial" ? (["api/no-custody"] as const) : []),
      ...(hasToken ? OF_TOKENS : []),
      ...(row.scope === "any" ? [] : (["wallet/scope"] as const)),
      ...(row.spends || row.scope === "prepare" ? OF_LIMITS : []),
      ...(bodySchemaOf(row) === null ? [] : OF_BODIES),
      ...(hasFields || row.spends ? (["api/bad-field"] as const) : []),
      ...OF_ALL,
    ]),
  ];
}
