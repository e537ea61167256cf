/** Types of the REST documents that pages show, as they are read from JSON. */
import type { ResultOf } from "@svc/shared/protocol/contract/routeTypes.ts";
import type { REST_ROUTES, RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";

/** The document of a row. */
export type RestDocument<R extends RestRouteName> = ResultOf<(typeof REST_ROUTES)[R]>;

/** What an error says: its sentence, its code, and the fields of its data. */
export type RestFault = {
  readonly error: string;
  readonly code: string;
  readonly [field: string]: unknown;
};

/** What a page knows of a path. */
export type Seen<Body> = {
  /** HTTP status of the newest answer; 0 before there is one. */
  readonly status: number;
  /** The newest body that was a document; null before there is one, and after an answer that says that there is none. */
  readonly body: Body | null;
  readonly fault: RestFault | null;
  /** Unix ms at which the body was true. */
  readonly asOfMs: number;
  /** The newest question got no answer: the body is what was known before. */
  readonly isStale: boolean;
};

/** Reads the text of an answer. What is no JSON, or not of this shape, counts as no answer. */
export function readFault(value: unknown): RestFault | null {
  if (typeof value !== "object" || value === null) return null;
  const { error, code } = Object.fromEntries(Object.entries(value));
  return typeof error === "string" && typeof code === "string" ? { ...value, error, code } : null;
}
