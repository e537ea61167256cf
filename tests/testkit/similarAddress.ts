/** Test helper: an address that begins and ends as another one, with a right checksum. */

const ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/** The generator of the checksum (specification shielded 3.1): added to nine symbols in a row, it leaves the checksum as it is. */
const GENERATOR = [1, ...[35, 30, 25, 20, 15, 10, 5, 0].map(symbolAt)];
/** The first of these symbols, within the diversifier: the key behind it stays a key. */
const PLACE = 8;

function symbolAt(shift: number): number {
  return Number((0x98f2bc8e61n >> BigInt(shift)) & 31n);
}

/** The address with nine other characters in its middle. */
export function similarAddress(address: string): string {
  const data = address.indexOf(":") + 1;
  const characters = [...address];
  GENERATOR.forEach((symbol, offset) => {
    const at = data + PLACE + offset;
    const before = ALPHABET.indexOf(characters[at] ?? "");
    characters[at] = ALPHABET[before ^ symbol] ?? "";
  });
  return characters.join("");
}
