/** Resets a gRPC stream on the server's side. */
import { Duplex } from "node:stream";

/**
 * Resets the HTTP/2 stream below a call, so that data that the client has not read is dropped at once; the call sees a client
 * that left. The library has no such call: destroying its own stream leaves the one below it open. So the one below is taken
 * from inside the library, whose version is pinned; tests of the server fail when it lies elsewhere.
 */
export function resetStream(stream: { destroy(): unknown }): void {
  let call = inside(stream, "call");
  // A call behind interceptors has the next one inside it.
  for (let next = call; next !== undefined; next = inside(call, "nextCall")) call = next;
  const below = inside(call, "stream");
  if (below instanceof Duplex) below.destroy();
  else stream.destroy();
}

function inside(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
