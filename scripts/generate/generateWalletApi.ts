/**
 * Writes `docs/programs/walletd-api.md` from the text beside it (`walletd-api.in.md`) and the table of the wallet API.
 *
 * `--check` writes nothing and exits 1 when the page is out of date.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { ERRORS } from "@svc/shared/base/errors.ts";
import { apiSentence } from "@svc/shared/protocol/wallet/apiError.ts";
import type { RouteContract, RouteGroup } from "@svc/shared/protocol/wallet/routeContract.ts";
import {
  bodySchemaOf,
  fieldsOf,
  jsonSchemaOf,
  type JsonSchema,
} from "@svc/shared/protocol/wallet/routeSchemas.ts";
import { WALLET_ROUTES } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import { fillSlots } from "./generateProgramPage.ts";
import { writeGenerated } from "./writeGenerated.ts";

const TEXT = new URL("../../docs/programs/walletd-api.in.md", import.meta.url);

const TITLES: Readonly<Record<RouteGroup, string>> = {
  status: "State of the daemon and of a wallet",
  keys: "Keys",
  scan: "What the scan found",
  spend: "Payments",
  device: "Payments that a device signs",
  proofs: "Payment proofs",
  jobs: "Jobs",
  events: "Deposit feed",
  tokens: "Scoped tokens and approvals",
};

const CREDENTIALS: Readonly<Record<RouteContract["credential"], string>> = {
  none: "none",
  "token-if-given": "wallet token; without one the answer says `has_wallet: false`",
  token: "wallet token",
  "token-and-custodial": "wallet token; refused with `--no-custodial` and for a watch-only wallet",
};

/** The page. */
export function renderWalletApi(rows: readonly RouteContract[]): string {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const sections = groups.map((group) => {
    const own = rows.filter((row) => row.group === group).map(section);
    return [`## ${TITLES[group]}`, ...own].join("\n\n");
  });
  return fillSlots(readFileSync(TEXT, "utf8"), { routes: sections.join("\n\n") });
}

function section(row: RouteContract): string {
  const { method, path, about, credential, scope, spends, lasts, refusals, example } = row;
  const body = bodySchemaOf(row);
  const notes = [
    `Credential: ${CREDENTIALS[credential]}.`,
    ...(scope === "any" ? [] : [`Scope: \`${scope}\`.`]),
    ...(spends ? ["Takes `Idempotency-Key`."] : []),
    ...(lasts ? ["With `?job=1` it is begun as a job."] : []),
  ];
  return [
    `### \`${method} ${path}\``,
    about,
    notes.join(" "),
    ...fieldTable("Query", jsonSchemaOf(row.query)),
    ...(body === null ? [] : fieldTable("Request", body)),
    ...(example.body === undefined ? [] : [json(example.body)]),
    ...(row.isCsv
      ? [`\`\`\`csv\n${String(example.answer).replaceAll("\r\n", "\n").trimEnd()}\n\`\`\``]
      : [...fieldTable("Answer", jsonSchemaOf(row.answer)), json(example.answer)]),
    ...refusalTable(refusals),
  ].join("\n\n");
}

function json(value: unknown): string {
  return ["```json", JSON.stringify(value, null, 2), "```"].join("\n");
}

function fieldTable(title: string, schema: JsonSchema): string[] {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return [];
  const isAnswer = title === "Answer";
  const rows = fields.map(({ name, schema: own, required }) => {
    const cells = [`\`${name}\``, typeOf(own), ...(isAnswer ? [] : [required ? "yes" : "no"])];
    return `| ${[...cells, descriptionOf(own)].join(" | ")} |`;
  });
  const head = isAnswer ? `| ${title} | type | |` : `| ${title} | type | required | |`;
  return [[head, isAnswer ? "|---|---|---|" : "|---|---|---|---|", ...rows].join("\n")];
}

/** `integer or string`, `list of object`, `string or null`. */
function typeOf(schema: JsonSchema): string {
  const { type, anyOf, items, enum: words, const: only } = schema;
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

function refusalTable(refusals: RouteContract["refusals"]): string[] {
  if (refusals.length === 0) return [];
  const rows = refusals.map((code) => {
    return `| ${ERRORS[code].http} | \`${code}\` | ${apiSentence(code)} |`;
  });
  return [["| Refused | code | sentence |", "|---|---|---|", ...rows].join("\n")];
}

async function main(check: boolean): Promise<number> {
  const page = renderWalletApi(Object.values(WALLET_ROUTES));
  return writeGenerated(new Map([["docs/programs/walletd-api.md", page]]), check);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  process.exitCode = await main(process.argv.includes("--check"));
}
