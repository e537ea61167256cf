/** Renderer of the rows of an API's table, for its reference page. */
import { ERRORS } from "@svc/shared/base/errors.ts";
import type { Code } from "@svc/shared/base/generated/codes.ts";
import type { RouteContract, TableKinds } from "@svc/shared/protocol/contract/routeContract.ts";
import {
  bodySchemaOf,
  fieldsOf,
  jsonSchemaOf,
  recordSchemasOf,
  type JsonSchema,
  type Records,
} from "@svc/shared/protocol/contract/routeSchemas.ts";

/** The words of one API. */
export type ApiWords<K extends TableKinds> = {
  /** Headings of the groups. */
  readonly titles: Readonly<Record<K["group"], string>>;
  readonly credentials: Readonly<Record<K["credential"], string>>;
  /** The sentence of a code, with its slots. */
  readonly sentenceOf: (code: Code) => string;
  /** What answers consist of, described once (`renderRecords`). */
  readonly records?: Records;
};

/** A section for each record, with its fields. */
export function renderRecords(records: Records): string {
  const sections = Object.entries(recordSchemasOf(records)).map(([name, schema]) => {
    return [`### ${name}`, ...fieldTable("Field", schema)].join("\n\n");
  });
  return sections.join("\n\n");
}

/** A section for each group, with its rows in the order of the table. */
export function renderRows<K extends TableKinds>(
  rows: readonly RouteContract<K>[],
  words: ApiWords<K>,
): string {
  const groups: readonly K["group"][] = [...new Set(rows.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const own = rows.filter((row) => row.group === group).map((row) => section(row, words));
    return [`## ${words.titles[group]}`, ...own].join("\n\n");
  });
  return sections.join("\n\n");
}

function section<K extends TableKinds>(
  row: RouteContract<K>,
  { credentials, sentenceOf, records }: ApiWords<K>,
): string {
  const { method, path, about, refusals, example } = row;
  const body = bodySchemaOf(row);
  const answer = jsonSchemaOf(row.answer, records);
  return [
    `### \`${method} ${path}\``,
    about,
    notesOf(row, credentials).join(" "),
    ...fieldTable("Query", jsonSchemaOf(row.query)),
    ...(body === null ? [] : fieldTable("Request", body)),
    ...(example.body === undefined ? [] : [json(example.body)]),
    ...(row.isCsv
      ? [`\`\`\`csv\n${String(example.answer).replaceAll("\r\n", "\n").trimEnd()}\n\`\`\``]
      : row.fileType === undefined
        ? [...answerTable(answer), json(example.answer)]
        : []),
    ...refusalTable(refusals, sentenceOf),
  ].join("\n\n");
}

function notesOf<K extends TableKinds>(
  { credential, scope, takesKey, lasts, status, isStream, isSocket }: RouteContract<K>,
  credentials: ApiWords<K>["credentials"],
): string[] {
  return [
    `Credential: ${credentials[credential]}.`,
    ...(scope === "any" ? [] : [`Scope: \`${scope}\`.`]),
    ...(takesKey ? ["Takes `Idempotency-Key`."] : []),
    ...(lasts ? ["With `?job=1` it is begun as a job."] : []),
    ...(status === undefined ? [] : [`Answered with ${status}.`]),
    ...(isStream ? ["Answered as server-sent events, each with the answer as its data."] : []),
    ...(isSocket ? ["Answered with 101; each message then is the answer."] : []),
  ];
}

function json(value: unknown): string {
  return ["```json", JSON.stringify(value, null, 2), "```"].join("\n");
}

function answerTable(schema: JsonSchema): string[] {
  if ("$ref" in schema) return [`Answer: ${typeOf(schema)}.`];
  return fieldTable("Answer", schema);
}

function fieldTable(title: string, schema: JsonSchema): string[] {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return [];
  // What a server writes is always there.
  const isAnswer = title !== "Query" && title !== "Request";
  const rows = fields.map(({ name, schema: own, required }) => {
    const cells = [`\`${name}\``, typeOf(own), ...(isAnswer ? [] : [required ? "yes" : "no"])];
    return `| ${[...cells, descriptionOf(own)].join(" | ")} |`;
  });
  const head = isAnswer ? `| ${title} | type | |` : `| ${title} | type | required | |`;
  return [[head, isAnswer ? "|---|---|---|" : "|---|---|---|---|", ...rows].join("\n")];
}

/** `integer or string`, `list of object`, `string or null`. */
function typeOf(schema: JsonSchema): string {
  const { $ref: record, type, anyOf, items, enum: words, const: only } = schema;
  if (typeof record === "string") {
    const name = record.slice(record.lastIndexOf("/") + 1);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (Array.isArray(anyOf)) {
    return anyOf.map((one: JsonSchema) => typeOf(one)).join(" or ");
  }
  if (type === "array") return `list of ${typeOf(schemaOf(items))}`;
  if (Array.isArray(words)) return words.map((word) => `\`${word}\``).join(", ");
  if (typeof only === "string") return `\`${only}\``;
  if (Array.isArray(type)) return type.join(" or ");
  return typeof type === "string" ? type : "any";
}

function schemaOf(value: unknown): JsonSchema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function descriptionOf({ description, anyOf, items }: JsonSchema): string {
  const inner = Array.isArray(anyOf) ? schemaOf(anyOf[0]) : schemaOf(items);
  if (typeof description === "string") return description;
  const nested = fieldsOf(inner).map(({ name }) => `\`${name}\``);
  if (nested.length > 0) return `Fields: ${nested.join(", ")}.`;
  return typeof inner["description"] === "string" ? inner["description"] : "";
}

function refusalTable(
  refusals: RouteContract["refusals"],
  sentenceOf: (code: Code) => string,
): string[] {
  if (refusals.length === 0) return [];
  const rows = refusals.map((code) => {
    return `| ${ERRORS[code].http} | \`${code}\` | ${sentenceOf(code)} |`;
  });
  return [["| Refused | code | sentence |", "|---|---|---|", ...rows].join("\n")];
}
