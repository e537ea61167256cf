/** Reads the operator's table of countries (`--geo`). */
import { readFileSync, statSync } from "node:fs";
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { CountryTable } from "../../platform/net/countryTable.ts";
import { PLATFORM_LIMITS } from "../../platform/platformLimits.ts";

/** Reads it; null without a file. Throws `node/bad-option` for a file that cannot be read, is too large, or is no such table. */
export function readCountries(file: string | null): CountryTable | null {
  if (file === null) return null;
  try {
    const { size } = statSync(file);
    const max = PLATFORM_LIMITS.countryFileBytes;
    if (size > max) throw new SvcError("codec/count-too-large", { count: size, max });
    return CountryTable.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    const reason = cause instanceof SvcError ? sentenceOf(cause) : `${file} cannot be read`;
    throw new SvcError("node/bad-option", { option: "--geo", reason }, cause);
  }
}
