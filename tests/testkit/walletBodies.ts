/**
 * The answers of the wallet API key by key, as `tests/vectors/walletd-bodies.json` writes them down from the specification: a schema of the
 * program's own cannot show that nothing more is answered, or in another form.
 */
import { readFileSync } from "node:fs";

const VECTOR = new URL("../vectors/walletd-bodies.json", import.meta.url);

type Json = Readonly<Record<string, unknown>>;

const TEXT_FORMS: Readonly<Record<string, RegExp>> = {
  text: /^[^]*$/,
  sompi: /^(?:0|[1-9]\d{0,19})$/,
  fc: /^(?:0|[1-9]\d{0,11})\.\d{8}$/,
  address: /^[a-z]+:[02-9ac-hj-np-z]{79}$/,
  hex: /^(?:[0-9a-f]{2})+$/,
};

/** The bodies by the names of their calls. */
export const BODIES: Json = recordOf(recordOf(JSON.parse(readFileSync(VECTOR, "utf8")))["bodies"]);

/** What is not as it must be in the answer of a call, by its place; empty when all is. */
export function unlikeBody(call: string, body: unknown): readonly string[] {
  return unlike(BODIES[call] ?? "none", body, call);
}

function unlike(form: unknown, value: unknown, place: string): readonly string[] {
  if (typeof form === "string") return isText(form, value) ? [] : [`${place} is no ${form}`];
  if (Array.isArray(form)) {
    if (!Array.isArray(value)) return [`${place} is no list`];
    return value.flatMap((item, index) => unlike(form[0], item, `${place}[${index}]`));
  }
  const wanted = recordOf(form);
  if ("?" in wanted) return value === null ? [] : unlike(wanted["?"], value, place);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [`${place} is no object`];
  }
  return unlikeKeys(wanted, { ...value }, place);
}

function unlikeKeys(wanted: Json, value: Json, place: string): readonly string[] {
  const keys = Object.keys(wanted).map((key) => key.replace(/\?$/, ""));
  const more = Object.keys(value).filter((key) => !keys.includes(key));
  return [
    ...more.map((key) => `${place}.${key} is unknown`),
    ...Object.entries(wanted).flatMap(([key, form]) => {
      const name = key.replace(/\?$/, "");
      if (name in value) return unlike(form, value[name], `${place}.${name}`);
      return key === name ? [`${place}.${name} is missing`] : [];
    }),
  ];
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
  const bytes = /^hex(\d+)$/.exec(name)?.[1];
  const pattern =
    bytes === undefined ? TEXT_FORMS[name] : new RegExp(`^[0-9a-f]{${2 * Number(bytes)}}$`);
  if (pattern === undefined) throw new Error(`no form is called ${form}`);
  return typeof value === "string" && pattern.test(value);
}

function recordOf(value: unknown): Json {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new Error(`no JSON object: ${JSON.stringify(value)}`);
}
