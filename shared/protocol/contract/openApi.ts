/** The OpenAPI 3.1 document of an API, made from its table. */
import { ERRORS } from "../../base/errors.ts";
import type { Code } from "../../base/generated/codes.ts";
import { PROTOCOL_LIMITS } from "../protocolLimits.ts";
import type { RouteContract, TableKinds } from "./routeContract.ts";
import {
  bodySchemaOf,
  fieldsOf,
  jsonSchemaOf,
  recordSchemasOf,
  type JsonSchema,
  type Records,
} from "./routeSchemas.ts";

/** A part of the document. */
export type OpenApiJson = Readonly<Record<string, unknown>>;

/** Path at which a server shows the document of its API. */
export const DOCUMENT_PATH = "/openapi.json";

/** What the document says beside the rows. */
export type ApiDescription<K extends TableKinds> = {
  readonly title: string;
  readonly about: string;
  /** Where the API usually is. */
  readonly server: string;
  readonly rows: Readonly<Record<string, RouteContract<K>>>;
  /** Answers, and parts of them, that are described once. */
  readonly records?: Records;
  /** The schema of an error. */
  readonly error: JsonSchema;
  readonly securitySchemes: OpenApiJson;
  /** What opens a row: any one of these. An empty one is a request without a credential. */
  readonly securityOf: (row: RouteContract<K>) => readonly OpenApiJson[];
  /** All codes that a row may answer. */
  readonly codesOf: (row: RouteContract<K>) => readonly Code[];
  /** The status of a code where the API answers another one than the registry's. */
  readonly statusOf?: (code: Code, status: number) => number;
  /** What the header `Idempotency-Key` does. */
  readonly keyAbout: string;
  /** Headers of the answer to a call that takes such a key. */
  readonly keyHeaders?: OpenApiJson;
  /** What the server sends to others. */
  readonly webhooks?: OpenApiJson;
};

/** The schema of an error with nothing beside sentence, code and data. */
export const PLAIN_ERROR: JsonSchema = {
  type: "object",
  description: "A sentence for people, a code for programs, and the data of the code beside them.",
  properties: { error: { type: "string" }, code: { type: "string" } },
  required: ["error", "code"],
  additionalProperties: true,
};

const JOB_SCHEMA: JsonSchema = {
  type: "object",
  properties: { job: { type: "string" } },
  required: ["job"],
};

/** The document. */
export function openApiOf<K extends TableKinds>(api: ApiDescription<K>): OpenApiJson {
  const paths: Record<string, OpenApiJson> = {};
  const rows: readonly (readonly [string, RouteContract<K>])[] = Object.entries(api.rows);
  for (const [name, row] of rows) {
    const own = operation(name, row, api);
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: own };
  }
  const hasJobs = rows.some(([, { lasts }]) => lasts);
  return {
    openapi: "3.1.0",
    info: {
      title: api.title,
      version: "1",
      description: api.about,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: api.server }],
    tags: [...new Set(rows.map(([, { group }]) => group))].map((name) => ({ name })),
    paths,
    ...(api.webhooks === undefined ? {} : { webhooks: api.webhooks }),
    components: {
      schemas: {
        Error: api.error,
        ...(hasJobs ? { Job: JOB_SCHEMA } : {}),
        ...(api.records === undefined ? {} : recordSchemasOf(api.records)),
      },
      securitySchemes: api.securitySchemes,
    },
  };
}

function operation<K extends TableKinds>(
  name: string,
  row: RouteContract<K>,
  api: ApiDescription<K>,
): OpenApiJson {
  const body = bodySchemaOf(row);
  return {
    operationId: name,
    tags: [row.group],
    summary: row.about,
    security: api.securityOf(row),
    parameters: parametersOf(row, api.keyAbout),
    ...(body === null ? {} : { requestBody: bodyOf(row, body) }),
    responses: responsesOf(row, api),
  };
}

function parametersOf(
  { params, query, takesKey }: RouteContract,
  keyAbout: string,
): readonly OpenApiJson[] {
  const inPath = fieldsOf(jsonSchemaOf(params)).map(({ name, schema }) => {
    return { name, in: "path", required: true, schema };
  });
  const inQuery = fieldsOf(jsonSchemaOf(query)).map(({ name, schema, required }) => {
    return { name, in: "query", required, schema };
  });
  const key = {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: keyAbout,
    schema: { type: "string", pattern: `^[!-~]{1,${PROTOCOL_LIMITS.idempotencyKeyChars}}$` },
  };
  return [...inPath, ...inQuery, ...(takesKey ? [key] : [])];
}

function bodyOf({ example }: RouteContract, schema: JsonSchema): OpenApiJson {
  return {
    required: fieldsOf(schema).some(({ required }) => required),
    content: jsonContent(schema, example.body),
  };
}

function responsesOf<K extends TableKinds>(
  row: RouteContract<K>,
  { codesOf, statusOf, keyHeaders, records }: ApiDescription<K>,
): OpenApiJson {
  const statuses = new Map<number, string[]>();
  for (const code of codesOf(row)) {
    const http = statusOf?.(code, ERRORS[code].http) ?? ERRORS[code].http;
    statuses.set(http, [...(statuses.get(http) ?? []), `\`${code}\``]);
  }
  const failures = [...statuses].toSorted(([a], [b]) => a - b);
  const refused = { $ref: "#/components/schemas/Error" };
  const answer = jsonSchemaOf(row.answer, records);
  const error = row.tellsReadiness ? { anyOf: [answer, refused] } : refused;
  return {
    [row.isSocket ? 101 : (row.status ?? 200)]: {
      description: row.isSocket ? "A WebSocket, whose messages are of this form." : "The answer.",
      ...(row.takesKey && keyHeaders !== undefined ? { headers: keyHeaders } : {}),
      content: answerContent(row, answer),
    },
    ...(row.lasts
      ? {
          202: {
            description: "The call was begun as a job.",
            content: jsonContent({ $ref: "#/components/schemas/Job" }, { job: "7f3a" }),
          },
        }
      : {}),
    ...Object.fromEntries(
      failures.map(([status, codes]) => [
        status,
        {
          description: codes.join(", "),
          content: jsonContent(status === 503 ? error : refused),
        },
      ]),
    ),
  };
}

function answerContent(
  { example, fileType, isBinary, isCsv, isStream, isText }: RouteContract,
  answer: JsonSchema,
): OpenApiJson {
  if (isBinary) return { "application/octet-stream": {} };
  if (fileType !== undefined) return { [fileType]: {} };
  if (isCsv) return { "text/csv": { schema: { type: "string" }, example: example.answer } };
  if (isText) return { "text/plain": { schema: answer, example: example.answer } };
  if (!isStream) return jsonContent(answer, example.answer);
  const schema = {
    type: "string",
    description: "Server-sent events; the data of each is JSON of this form.",
    contentMediaType: "application/json",
    contentSchema: answer,
  };
  return { "text/event-stream": { schema } };
}

function jsonContent(schema: JsonSchema, example?: unknown): OpenApiJson {
  return { "application/json": example === undefined ? { schema } : { schema, example } };
}
