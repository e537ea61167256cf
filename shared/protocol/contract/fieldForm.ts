/** What every field of an API says of itself beside its schema: its form as JSON Schema, for the OpenAPI document. */
import * as v from "valibot";

/** A JSON Schema, as far as fields need one. */
export type FieldSchema = {
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly enum?: readonly string[];
  readonly items?: FieldSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: FieldSchema;
  readonly maxProperties?: number;
  readonly description?: string;
  readonly examples?: readonly (string | number)[];
};

/** Attaches the JSON Schema of a field to the end of its pipe. */
export function formOf<T>(
  schema: FieldSchema,
): v.MetadataAction<T, { readonly form: FieldSchema }> {
  return v.metadata({ form: schema });
}

/** The decimal text of an unsigned 64-bit number, as answers write it. */
export const U64_FORM: FieldSchema = { type: "string", pattern: "^(0|[1-9][0-9]{0,19})$" };
