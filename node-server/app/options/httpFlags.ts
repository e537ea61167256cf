/** Command-line options about who may use the HTTP server: their rows of the table, and their parser. */
import { isIP } from "node:net";
import type { HttpRules } from "../../platform/http/accessCheck.ts";
import { TrustedProxies } from "../../platform/http/trustedProxies.ts";
import type { FlagRow, NodeCommand } from "./flagRow.ts";
import { badOption, type OptionValues } from "./readOptions.ts";

const BOTH: readonly NodeCommand[] = ["node", "local"];
const NONE: FlagRow["fallback"] = { node: "none", local: "none", verify: "none" };
const HOST_NAME = /^[a-z0-9](?:[a-z0-9._-]{0,250}[a-z0-9])?$/;
const ORIGIN =
  /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(?::\d{1,5})?$|^https?:\/\/\[[0-9a-f:.]+\](?::\d{1,5})?$/;

/** The rows, in the order of the help text. */
export const HTTP_FLAGS: readonly FlagRow[] = [
  {
    name: "http-host",
    value: "NAME",
    repeats: true,
    commands: BOTH,
    fallback: NONE,
    text: "A further name or address under which HTTP is served. Requests for any other host are refused; localhost, 127.0.0.1, [::1] and the address that a request came to are always served. With --rest-public it opens more: who asks under this name is served all of HTTP from everywhere, /v1, the pages and /local among it. May be given several times.",
  },
  {
    name: "http-origin",
    value: "ORIGIN",
    repeats: true,
    commands: BOTH,
    fallback: NONE,
    text: "An origin such as https://wallet.example whose pages may use /v1, beside the pages that the node serves itself. May be given several times.",
  },
  {
    name: "trusted-proxy",
    value: "IP[/BITS]",
    repeats: true,
    commands: BOTH,
    fallback: NONE,
    text: "A proxy in front of HTTP: the address of a caller is taken from its X-Forwarded-For, and from nobody else's. May be given several times.",
  },
];

/** Parses the options. Throws `node/bad-option`. */
export function readHttpFlags({ texts }: Pick<OptionValues, "texts">): HttpRules {
  return { ...readHostFlags({ texts }), origins: texts("http-origin").map(origin) };
}

/** Parses `--http-host` and `--trusted-proxy`. Throws `node/bad-option`. */
export function readHostFlags({
  texts,
}: Pick<OptionValues, "texts">): Pick<HttpRules, "hostNames" | "proxies"> {
  const proxies = TrustedProxies.of(texts("trusted-proxy"));
  if (proxies === undefined) throw badOption("trusted-proxy", "write IP or IP/BITS");
  return { hostNames: texts("http-host").map(hostName), proxies };
}

/** An IPv6 address is written with brackets, as in the header. */
function hostName(text: string): string {
  const name = text.toLowerCase();
  const inside = name.replace(/^\[(.*)\]$/, "$1");
  if (isIP(inside) === 6) return `[${inside}]`;
  if (!HOST_NAME.test(name)) throw badOption("http-host", "write a host name without a port");
  return name;
}

function origin(text: string): string {
  const lower = text.toLowerCase();
  if (ORIGIN.test(lower)) return lower;
  throw badOption("http-origin", "write SCHEME://HOST or SCHEME://HOST:PORT, without a path");
}
