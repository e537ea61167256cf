/** Parser of options for a listen address. */
import { isIP } from "node:net";
import { badOption } from "./readOptions.ts";

/** A listen address. */
export type Listen = { readonly host: string; readonly port: number };

const PORT_MAX = 65_535;
const LISTEN_FORM = /^(?:(?<host>\[[0-9a-fA-F:]+\]|[^:[\]]+):)?(?<port>\d{1,5})$/;

/** Parses a listen address that others are told of, in which a host name means nothing to them. */
export function ipListenOption(name: string, text: string | null): Partial<Listen> {
  const listen = listenOption(name, text);
  const isName = listen.host !== undefined && isIP(listen.host) === 0;
  if (isName) throw badOption(name, "write IP:PORT or PORT");
  return listen;
}

/** Placeholder of such an option's value, for the help text. */
export const LISTEN_VALUE = "[HOST:]PORT|IP";

/** Parses `[HOST:]PORT` or an IP address alone; without a text there is neither. Throws `node/bad-option`. */
export function listenOption(name: string, text: string | null): Partial<Listen> {
  if (text === null) return {};
  const alone = text.replace(/^\[(.*)\]$/, "$1");
  if (isIP(alone) !== 0) return { host: alone };
  const { host, port } = LISTEN_FORM.exec(text)?.groups ?? {};
  const number = Number(port);
  if (port === undefined || number > PORT_MAX)
    throw badOption(name, "write HOST:PORT, PORT or an IP address");
  return host === undefined
    ? { port: number }
    : { host: host.replace(/^\[|\]$/g, ""), port: number };
}
