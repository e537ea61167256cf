/** The calls of an OpenAPI document, as the page about the data lists them. */

/** A call. */
export type ListedCall = {
  /** Name of its place on the page. */
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly about: string;
  /** Its example answer, as text. */
  readonly example: string | null;
};

/** Methods that a path may have. */
const METHODS = ["get", "post"] as const;
/** Characters of an example that are shown. */
const EXAMPLE_CHARS = 4_000;
const INDENT = 2;

/** Reads the calls. What has not the form of such a document has none. */
export function callsOf(document: unknown): readonly ListedCall[] {
  const paths = fieldsOf(fieldsOf(document)["paths"]);
  return Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const call = fieldsOf(methods)[method];
      return call === undefined ? [] : [callOf(path, method, fieldsOf(call))];
    }),
  );
}

function callOf(path: string, method: string, call: Fields): ListedCall {
  const about = call["description"] ?? call["summary"];
  return {
    id: `${method}${path.replaceAll(/[^a-z0-9]+/gi, "-")}`,
    method: method.toUpperCase(),
    path,
    about: typeof about === "string" ? about : "",
    example: exampleOf(call),
  };
}

function exampleOf(call: Fields): string | null {
  const content = fieldsOf(fieldsOf(fieldsOf(call["responses"])["200"])["content"]);
  const example = fieldsOf(content["application/json"])["example"];
  if (example === undefined) return null;
  return JSON.stringify(example, null, INDENT).slice(0, EXAMPLE_CHARS);
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}
