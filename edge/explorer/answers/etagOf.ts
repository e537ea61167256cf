/** The ETag of an answer, made from its bytes. */
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";

const PIECE = 262_144;

/** As the library makes it that a node uses, so that both name the same bytes alike: pieces are digested behind the digest before. */
export async function etagOf(bytes: Uint8Array): Promise<string> {
  let digest = new Uint8Array();
  for (let at = 0; at < bytes.length; at += PIECE) {
    const piece = concatBytes(digest, bytes.subarray(at, at + PIECE));
    digest = new Uint8Array(await crypto.subtle.digest("SHA-1", piece));
  }
  return `"${encodeHex(digest)}"`;
}
