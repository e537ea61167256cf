/** Unpacks a file that the build put into the script. */

/** The bytes of a packed file. */
export async function unpack(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}
