/**
 * Minimal bytewords (BCR-2020-012): each byte is the first and the last letter of one of 256 words, and a CRC-32 follows. QR codes
 * hold such letters in little room when they are capitals.
 */
import { concatBytes } from "../../base/bytes.ts";
import { SvcError } from "../../base/svcError.ts";
import { crc32, u32Bytes } from "./crc32.ts";

/** First and last letters of the words of bytes 0 to 255. */
const LETTERS =
  "aeadaoaxaaahamatayasbkbdbnbtbabsbebybgbwbbbzcmchcscfcycwcecackct" +
  "cxclcpcndkdadsdidedtdrdndwdpdmdldyeheyeoeeecenemetesftfrfnfsfmfh" +
  "fzfpfwfxfyfefgflfdgagegrgsgtglgwgdgygmgughgohfhghdhkhthphhhlhyhe" +
  "hnhsidiaieihiyioisinimjejzjnjtjljojsjpjkjykpkoktkskkknkgkekikblb" +
  "lalylflslrlplnltloldlelulklgmnmymhmemomumwmdmtmsmknlnyndnsntnnne" +
  "nboyoeotoxonolospdptpkpypspmplpepfpaprqdqzrerprlrorhrdrkrfryrnrs" +
  "rtsesasrssskswstspsosgsbsfsntotktitttdtetytltbtstptatnuyuoutueur" +
  "vtvyvovlvevwvavdvswlwdwmwpwewywswtwnwzwfwkykynylyaytzszoztzczezm";

const CHECKSUM_BYTES = 4;
const PAIRS = Array.from({ length: 256 }, (_, byte) => LETTERS.slice(2 * byte, 2 * byte + 2));
const BYTE_OF = new Map(PAIRS.map((pair, byte) => [pair, byte]));

/** Encodes bytes and their checksum as lower-case letters. */
export function encodeBytewords(bytes: Uint8Array): string {
  let text = "";
  for (const byte of concatBytes(bytes, u32Bytes(crc32(bytes)))) text += PAIRS[byte];
  return text;
}

/** Decodes lower-case letters. Throws `airgap/bad-frame`, and `airgap/frame-checksum` for a misread one. */
export function decodeBytewords(text: string): Uint8Array<ArrayBuffer> {
  if (text.length % 2 !== 0 || text.length / 2 <= CHECKSUM_BYTES) {
    throw new SvcError("airgap/bad-frame", { reason: "it is cut short" });
  }
  const bytes = new Uint8Array(text.length / 2);
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = BYTE_OF.get(text.slice(2 * at, 2 * at + 2));
    if (byte === undefined)
      throw new SvcError("airgap/bad-frame", { reason: "it has other letters" });
    bytes[at] = byte;
  }
  const body = bytes.slice(0, -CHECKSUM_BYTES);
  const checksum = new DataView(bytes.buffer).getUint32(body.length);
  if (checksum !== crc32(body)) throw new SvcError("airgap/frame-checksum", {});
  return body;
}
