/** States of the documents behind a page of the explorer: what a node says that has nothing to say, or that does not say it. */
import type { PageDocument } from "@svc/shared/explorer/pageRenderer.ts";
import {
  EXAMPLE_NOW_MS,
  exampleAnswer,
  NO_INDEX,
} from "../../../explorer/testkit/exampleDocuments.ts";
import type { AnswerOf } from "./showExplorer.ts";

/** ms. Age of the last answer of a node that fell silent. */
const STALE_MS = 5_000;

/** Of another form than any document of the interface. */
const OTHER_FORM = JSON.stringify({ other: [1] });

/** The name of a state. */
export type DocumentState =
  | "empty"
  | "without an index"
  | "unanswered"
  | "not there"
  | "of another form"
  | "stale";

/** All of them, with what each path is answered with. */
export const DOCUMENT_STATES: readonly {
  readonly name: DocumentState;
  readonly answer: AnswerOf;
}[] = [
  // Every list is.
  { name: "empty", answer: (path) => altered(path, withoutRows) },
  { name: "without an index", answer: () => NO_INDEX },
  { name: "unanswered", answer: () => null },
  {
    name: "not there",
    answer: (path) => ({
      ...exampleAnswer(path),
      status: 404,
      body: JSON.stringify({ error: "There is none.", code: "http/not-found" }),
    }),
  },
  { name: "of another form", answer: (path) => ({ ...exampleAnswer(path), body: OTHER_FORM }) },
  {
    name: "stale",
    answer: (path) => ({
      ...exampleAnswer(path),
      isStale: true,
      asOfMs: EXAMPLE_NOW_MS - STALE_MS,
    }),
  },
];

function altered(path: string, alter: (body: unknown) => unknown): PageDocument {
  const document = exampleAnswer(path);
  const body: unknown = JSON.parse(document.body);
  return { ...document, body: JSON.stringify(alter(body)) };
}

function withoutRows(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutRows(each)]));
}
