/** Content coding of an answer: which of the built forms of a file a browser takes, by its header `Accept-Encoding` (RFC 9110, 12.5.3). */
import { PROTOCOL_LIMITS } from "../protocolLimits.ts";

/** Content codings in which files are built ahead, the shortest first. */
export const FILE_ENCODINGS = ["br", "gzip"] as const;
/** One of them. */
export type FileEncoding = (typeof FILE_ENCODINGS)[number];

/** What the name of a built form ends with, after the name of its file. */
export const ENCODING_SUFFIX: { readonly [E in FileEncoding]: string } = { br: ".br", gzip: ".gz" };

/** Whether a name is that of a built form, and not of a file of the pages. */
export function isEncodedName(name: string): boolean {
  return FILE_ENCODINGS.some((encoding) => name.endsWith(ENCODING_SUFFIX[encoding]));
}

/**
 * The coding to answer in, among those that are there; null for the file as it is. That is also the answer to no header, to one that is
 * too long, and to one that takes nothing that is there.
 */
export function acceptedEncoding(
  header: string | null | undefined,
  built: readonly FileEncoding[],
): FileEncoding | null {
  if (header === null || header === undefined) return null;
  if (header.length > PROTOCOL_LIMITS.acceptEncodingChars) return null;
  const weights = weightsOf(header);
  const anyOther = weights.get("*") ?? 0;
  let best: FileEncoding | null = null;
  // What is not named is taken last, as long as nothing refuses it.
  let most = weights.get("identity") ?? 0;
  for (const encoding of FILE_ENCODINGS) {
    const weight = weights.get(encoding) ?? anyOther;
    const isBetter = weight > most || (best === null && weight === most);
    if (weight > 0 && isBetter && built.includes(encoding)) [best, most] = [encoding, weight];
  }
  return best;
}

/** The weights of the header, by codings in small letters. Of a coding that is named twice the least counts, of no number 0. */
function weightsOf(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    if (name === "") continue;
    const given = parameters.find((text) => text.startsWith("q="))?.slice(2) ?? "1";
    const weight = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(given) ? Number(given) : 0;
    const coding = name === "x-gzip" ? "gzip" : name;
    weights.set(coding, Math.min(weight, weights.get(coding) ?? weight));
  }
  return weights;
}
