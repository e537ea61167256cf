/** Start of a test's server on this machine. */
import { once } from "node:events";
import type { Server } from "node:net";

const LOOPBACK = "127.0.0.1";

/** Has a server listen at the loopback address, on a port that the system chooses; returns it. Rejects when it cannot. */
export async function listenLocally(server: Server): Promise<number> {
  server.listen(0, LOOPBACK);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}
