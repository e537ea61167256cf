/** JSON Schemas of the parts of a row, and the codes that its form may answer: what documents of an API are made from. */
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import type { Code } from "../../base/generated/codes.ts";
import type { RouteContract } from "./routeContract.ts";

/** A JSON Schema, as plain JSON. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Schemas that a document shows once, by the names that it gives them. */
export type Records = Readonly<Record<string, v.GenericSchema>>;

/**
 * The schema of what a caller sends, or of what an answer holds on the wire. Where one of `records` stands in it, or is it, there
 * is a reference to the document's own schema of that name.
 */
export function jsonSchemaOf(schema: v.GenericSchema, records?: Records): JsonSchema {
  const { $schema: _, $defs: __, ...rest } = converted(schema, records);
  return rest;
}

/** The schemas of records by their names, each with references to the others. */
export function recordSchemasOf(records: Records): Readonly<Record<string, JsonSchema>> {
  const { $defs: own } = converted(v.object({}), records);
  return isRecord(own)
    ? Object.fromEntries(
        Object.entries(own).map(([name, schema]) => [name, isRecord(schema) ? schema : {}]),
      )
    : {};
}

function converted(schema: v.GenericSchema, records: Records | undefined): JsonSchema {
  const whole = toJsonSchema(schema, {
    typeMode: "input",
    errorMode: "ignore",
    ...(records === undefined
      ? {}
      : {
          definitions: records,
          overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
        }),
  });
  const plain: unknown = JSON.parse(JSON.stringify(whole), (key: string, value: unknown) =>
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

const OF_BODIES: readonly Code[] = [
  "api/not-json",
  "http/body-too-large",
  "codec/bad-json",
  "codec/bad-utf8",
  "api/missing-field",
  "api/wrong-type",
  "api/bad-field",
];

/** The codes that a row may answer because of its form: those of a body, and of fields in path, query and headers. */
export function formCodesOf(row: RouteContract): readonly Code[] {
  const hasFields = fieldsOf(jsonSchemaOf(row.query)).length > 0 || row.path.includes("{");
  return [
    ...(bodySchemaOf(row) === null ? [] : OF_BODIES),
    ...(hasFields || row.takesKey ? (["api/bad-field"] as const) : []),
  ];
}
