/** The OpenAPI 3.1 document of the wallet API, made from its table. */
import { ERRORS } from "../../base/errors.ts";
import { PROTOCOL_LIMITS } from "../protocolLimits.ts";
import type { RouteContract } from "./routeContract.ts";
import { bodySchemaOf, codesOf, fieldsOf, jsonSchemaOf, type JsonSchema } from "./routeSchemas.ts";
import { WALLET_ROUTES } from "./walletRoutes.ts";

type Json = Readonly<Record<string, unknown>>;

const ERROR_SCHEMA: JsonSchema = {
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
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  const rows: readonly (readonly [string, RouteContract])[] = Object.entries(WALLET_ROUTES);
  for (const [name, row] of rows) {
    paths[row.path] = { ...paths[row.path], [row.method.toLowerCase()]: operation(name, row) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Wallet daemon",
      version: "1",
      description:
        "Amounts are decimal text of sompi. Fields that a client does not know are to be passed over.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://127.0.0.1:8501" }],
    tags: [...new Set(rows.map(([, { group }]) => group))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA, Job: JOB_SCHEMA },
      securitySchemes: {
        walletToken: { type: "apiKey", in: "header", name: "X-Wallet-Token" },
        bearer: { type: "http", scheme: "bearer" },
      },
    },
  };
}

function operation(name: string, row: RouteContract): Json {
  const body = bodySchemaOf(row);
  return {
    operationId: name,
    tags: [row.group],
    summary: row.about,
    security: securityOf(row),
    parameters: parametersOf(row),
    ...(body === null ? {} : { requestBody: bodyOf(row, body) }),
    responses: responsesOf(row),
  };
}

/** With a bearer only where the daemon serves the public. */
function securityOf({ credential, path }: RouteContract): readonly Json[] {
  if (path === WALLET_ROUTES.health.path) return [{}];
  if (credential === "none") return [{}, { bearer: [] }];
  const token = [{ walletToken: [] }, { walletToken: [], bearer: [] }];
  return credential === "token-if-given" ? [{}, ...token] : token;
}

function parametersOf({ params, query, spends }: RouteContract): readonly Json[] {
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
    description: "The same key never pays twice; the same key with another body is refused.",
    schema: { type: "string", pattern: `^[!-~]{1,${PROTOCOL_LIMITS.idempotencyKeyChars}}$` },
  };
  return [...inPath, ...inQuery, ...(spends ? [key] : [])];
}

function bodyOf({ example }: RouteContract, schema: JsonSchema): Json {
  return {
    required: fieldsOf(schema).some(({ required }) => required),
    content: json(schema, example.body),
  };
}

function responsesOf(row: RouteContract): Json {
  const answer = jsonSchemaOf(row.answer);
  const statuses = new Map<number, string[]>();
  for (const code of codesOf(row)) {
    const { http } = ERRORS[code];
    statuses.set(http, [...(statuses.get(http) ?? []), `\`${code}\``]);
  }
  const failures = [...statuses].toSorted(([a], [b]) => a - b);
  const refused = { $ref: "#/components/schemas/Error" };
  const error = row.tellsReadiness ? { anyOf: [answer, refused] } : refused;
  return {
    200: {
      description: "The answer.",
      content: row.isCsv ? csv(row) : json(answer, row.example.answer),
    },
    ...(row.lasts
      ? {
          202: {
            description: "The call was begun as a job.",
            content: json({ $ref: "#/components/schemas/Job" }, { job: "7f3a" }),
          },
        }
      : {}),
    ...Object.fromEntries(
      failures.map(([status, codes]) => [
        status,
        { description: codes.join(", "), content: json(status === 503 ? error : refused) },
      ]),
    ),
  };
}

function csv({ example }: RouteContract): Json {
  return { "text/csv": { schema: { type: "string" }, example: example.answer } };
}

function json(schema: JsonSchema, example?: unknown): Json {
  return { "application/json": example === undefined ? { schema } : { schema, example } };
}
