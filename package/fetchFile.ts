/** Files of the package in a browser, by the address that a bundler or a server gave them. */

/** Fetches a file whole. Rejects with an `Error` that names the address and the HTTP status. */
export async function fetchFile(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.pathname} was answered with status ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** Fetches and compiles a WebAssembly file. Rejects as `fetchFile` does, and for what is no module. */
export async function fetchModule(url: URL): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await fetchFile(url));
}
