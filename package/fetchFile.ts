/** Files of the package in a browser, by the address that a bundler or a server gave them. */

/** Fetches a file whole. Rejects with an `Error` that names the address and the HTTP status. */
export async function fetchFile(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.pathname} was answered with status ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}
