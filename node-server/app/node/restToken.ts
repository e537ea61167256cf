/** Reads the token by which the operator's edge is known to the public REST interface (`--rest-token-file`). */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { BearerHash } from "../../platform/http/bearerHash.ts";
import { readSecret, type SecretNames } from "../../walletd/keys/secretSource.ts";

const NAMES: SecretNames = {
  option: null,
  fileOption: "--rest-token-file",
  variable: "SVC_REST_TOKEN",
};
/** Nobody guesses it, and a header takes it. */
const FORM = /^[\x21-\x7e]{16,255}$/;

/** Reads it; null without a file. Throws `node/bad-option` for a file that cannot be read, and for one that holds no such token. */
export function restToken(file: string | null): BearerHash | null {
  if (file === null) return null;
  using secret = readSecret(NAMES, { text: undefined, file, env: {} });
  return (
    secret?.reveal((bytes) => {
      if (FORM.test(Buffer.from(bytes).toString("latin1"))) return new BearerHash(bytes);
      const reason = "a token has 16 to 255 visible characters";
      throw new SvcError("node/bad-option", { option: NAMES.fileOption, reason });
    }) ?? null
  );
}
