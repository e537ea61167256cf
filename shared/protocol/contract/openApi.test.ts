/** The document of a small table: what each property of a row puts into it. */
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { text } from "./answerFields.ts";
import { openApiOf, type ApiDescription } from "./openApi.ts";
import { queryFlag, requestObject, textField } from "./requestFields.ts";
import { routeMaker } from "./routeContract.ts";

type Kinds = { readonly group: "things"; readonly credential: "key"; readonly scope: "any" };

const route = routeMaker<Kinds>();
const common = {
  group: "things",
  credential: "key",
  scope: "any",
  about: "Does a thing.",
  timeoutMs: 1,
} as const;
const named = v.object({ name: text });
const rows = {
  make: route({
    ...common,
    method: "POST",
    path: "/things",
    body: requestObject({ name: textField }),
    answer: named,
    example: { body: { name: "a" }, answer: { name: "a" } },
    status: 201,
    takesKey: true,
  }),
  list: route({
    ...common,
    method: "GET",
    path: "/things",
    query: v.object({ all: queryFlag }),
    answer: v.object({ things: v.array(named) }),
    example: { answer: { things: [] } },
  }),
  change: route({
    ...common,
    method: "PATCH",
    path: "/things/{id}",
    params: v.object({ id: textField }),
    body: v.optional(requestObject({ name: v.nullish(textField) }), {}),
    answer: named,
    example: { path: "/things/7", answer: { name: "b" } },
  }),
  remove: route({
    ...common,
    method: "DELETE",
    path: "/things/{id}",
    params: v.object({ id: textField }),
    answer: named,
    refusals: ["http/not-found"],
    example: { path: "/things/7", answer: { name: "b" } },
  }),
  watch: route({
    ...common,
    method: "GET",
    path: "/things/{id}/events",
    params: v.object({ id: textField }),
    answer: named,
    example: { path: "/things/7/events", answer: { name: "b" } },
    isStream: true,
  }),
};

const API: ApiDescription<Kinds> = {
  title: "Things",
  about: "Of things.",
  server: "http://127.0.0.1:1",
  rows,
  error: { type: "object" },
  securitySchemes: { key: { type: "http", scheme: "bearer" } },
  securityOf: () => [{ key: [] }],
  codesOf: ({ refusals }) => refusals,
  keyAbout: "Makes one thing.",
};

describe("the document", () => {
  it("has each method of a path, and no method that no row has", () => {
    const { paths } = openApiOf(API);
    expect(paths).toMatchObject({
      "/things": { post: { operationId: "make" }, get: { operationId: "list" } },
      "/things/{id}": { patch: { operationId: "change" }, delete: { operationId: "remove" } },
      "/things/{id}/events": { get: { operationId: "watch" } },
    });
    expect(paths).not.toHaveProperty(["/things", "patch"]);
  });

  it("tells the status of an answer, and the key that a call takes", () => {
    const document = openApiOf({ ...API, keyHeaders: { Again: { schema: {} } } });
    expect(document).toMatchObject({
      paths: {
        "/things": {
          post: {
            parameters: [{ name: "Idempotency-Key", description: "Makes one thing." }],
            requestBody: { required: true },
            responses: { 201: { headers: { Again: {} } } },
          },
          get: { parameters: [{ name: "all", in: "query", required: false }] },
        },
        "/things/{id}": {
          patch: { requestBody: { required: false } },
          delete: { responses: { 404: { description: "`http/not-found`" } } },
        },
      },
    });
    expect(document["paths"]).not.toHaveProperty(["/things", "post", "responses", "200"]);
    expect(document["paths"]).not.toHaveProperty(["/things/{id}", "delete", "requestBody"]);
  });

  it("shows a stream as one", () => {
    expect(openApiOf(API)).toMatchObject({
      paths: {
        "/things/{id}/events": {
          get: {
            responses: {
              200: {
                content: { "text/event-stream": { schema: { contentSchema: { type: "object" } } } },
              },
            },
          },
        },
      },
    });
  });

  it("describes a record once, and refers to it elsewhere", () => {
    const reference = { $ref: "#/components/schemas/Named" };
    const things = { type: "array", items: reference };
    expect(openApiOf({ ...API, records: { Named: named } })).toMatchObject({
      paths: {
        "/things": {
          post: { responses: { 201: { content: { "application/json": { schema: reference } } } } },
          get: {
            responses: {
              200: { content: { "application/json": { schema: { properties: { things } } } } },
            },
          },
        },
      },
      components: { schemas: { Named: { type: "object", properties: { name: {} } } } },
    });
    expect(JSON.stringify(openApiOf(API))).not.toContain('$ref":"#/components/schemas/Named');
  });

  it("speaks of jobs and webhooks where there are some", () => {
    expect(openApiOf(API)).toMatchObject({ components: { schemas: { Error: {} } } });
    expect(openApiOf(API)["components"]).not.toHaveProperty(["schemas", "Job"]);
    expect(openApiOf(API)).not.toHaveProperty("webhooks");
    const lasting = { ...rows, list: { ...rows.list, lasts: true } };
    const document = openApiOf({ ...API, rows: lasting, webhooks: { told: {} } });
    expect(document).toHaveProperty(["components", "schemas", "Job"]);
    expect(document).toMatchObject({
      webhooks: { told: {} },
      paths: { "/things": { get: { responses: { 202: {} } } } },
    });
  });
});
