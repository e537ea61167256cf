/** The secrets of a hosted gateway: from a file or a variable of the environment, never from a command line, which every process sees. */
import { readFileSync, statSync } from "node:fs";
import { Secret } from "@svc/shared/base/secret.ts";
import { GATEWAY_LIMITS } from "../../gateway/gatewayLimits.ts";
import { badOption, type Environment } from "../options/readOptions.ts";

/** Where a secret may be. */
export type HostedSecretPlace = {
  /** Path of the file; null for none. */
  readonly file: string | null;
  readonly environment: Environment;
  /** The variable that has it where there is no file. */
  readonly variable: string;
  /** The option that names the file. */
  readonly option: string;
};

/** Visible characters; fewer could be guessed. */
const FORM = /^[\x21-\x7e]{16,255}$/;

/** Reads a secret. Throws `node/bad-option`, which does not tell it. */
export function readHostedSecret({
  file,
  environment,
  variable,
  option,
}: HostedSecretPlace): Secret {
  const text = file === null ? (environment[variable] ?? "") : fileText(file);
  if (FORM.test(text)) return new Secret(new TextEncoder().encode(text));
  const where = file === null ? `${variable} holds` : "the file holds";
  throw badOption(option, `${where} no secret of 16 to 255 visible characters`);
}

function fileText(path: string): string {
  try {
    if (statSync(path).size > GATEWAY_LIMITS.hostedSecretBytes) return "";
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}
