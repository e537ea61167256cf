/**
 * JSON bodies key by key against forms that a vector writes down from the specification: a schema of the program's own cannot show that
 * nothing more is answered, or in another form.
 *
 * A form is a word (`text`, `int`, `hex32` …), `=a|b` for one of these texts, a list with the form of its items, or an object of keys. A
 * question mark behind a key lets it be absent; one behind a word, or an object with the key `?`, lets the value be null; the key `*`
 * stands for any. A plus before a key is passed over: it marks what the specification does not have.
 */

type Json = Readonly<Record<string, unknown>>;

const TEXT_FORMS: Readonly<Record<string, RegExp>> = {
  text: /^[^]*$/,
  decimal: /^(?:0|[1-9]\d{0,19})$/,
  sompi: /^(?:0|[1-9]\d{0,19})$/,
  fc: /^(?:0|[1-9]\d{0,11})\.\d{8}$/,
  address: /^[a-z]+:[02-9ac-hj-np-z]{79}$/,
  hex: /^(?:[0-9a-f]{2})+$/,
  hex0: /^(?:[0-9a-f]{2})*$/,
};

/** What of a value is not as its form says, by its place; empty when all is. */
export function unlikeForm(form: unknown, value: unknown, place: string): readonly string[] {
  if (typeof form === "string") return isText(form, value) ? [] : [`${place} is no ${form}`];
  if (Array.isArray(form)) {
    if (!Array.isArray(value)) return [`${place} is no list`];
    return value.flatMap((item, index) => unlikeForm(form[0], item, `${place}[${index}]`));
  }
  const wanted = jsonRecord(form);
  if ("?" in wanted) return value === null ? [] : unlikeForm(wanted["?"], value, place);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [`${place} is no object`];
  }
  if ("*" in wanted) {
    return Object.entries(value).flatMap(([key, one]) =>
      unlikeForm(wanted["*"], one, `${place}.${key}`),
    );
  }
  return unlikeKeys(wanted, { ...value }, place);
}

function unlikeKeys(wanted: Json, value: Json, place: string): readonly string[] {
  const keys = Object.keys(wanted).map(plainKey);
  const more = Object.keys(value).filter((key) => !keys.includes(key));
  return [
    ...more.map((key) => `${place}.${key} is unknown`),
    ...Object.entries(wanted).flatMap(([key, form]) => {
      const name = plainKey(key);
      if (name in value) return unlikeForm(form, value[name], `${place}.${name}`);
      return key.endsWith("?") ? [] : [`${place}.${name} is missing`];
    }),
  ];
}

function plainKey(key: string): string {
  return key.replace(/^\+/, "").replace(/\?$/, "");
}

function isText(form: string, value: unknown): boolean {
  if (form === "any") return true;
  if (form.startsWith("=")) return form.slice(1).split("|").includes(String(value));
  const mayBeNull = form.endsWith("?");
  if (mayBeNull && value === null) return true;
  const name = form.replace(/\?$/, "");
  if (name === "int") return Number.isInteger(value);
  if (name === "number") return typeof value === "number";
  if (name === "bool") return typeof value === "boolean";
  const bytes = /^hex([1-9]\d*)$/.exec(name)?.[1];
  const pattern =
    bytes === undefined ? TEXT_FORMS[name] : new RegExp(`^[0-9a-f]{${2 * Number(bytes)}}$`);
  if (pattern === undefined) throw new Error(`no form is called ${form}`);
  return typeof value === "string" && pattern.test(value);
}

/** A JSON object as a record. Throws for anything else. */
export function jsonRecord(value: unknown): Json {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new Error(`no JSON object: ${JSON.stringify(value)}`);
}
