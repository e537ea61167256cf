/** Free ports for servers with a fixed port: because they are restarted on it, or because others know it beforehand. */
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

const LOOPBACK = "127.0.0.1";
/**
 * Below the ports that the system hands out by itself (from 32,768 on Linux): no program that lets the system choose, and no
 * connection that goes out, takes one of these between this look and the start of the server.
 */
const [LOWEST, BEYOND] = [20_000, 32_000];
const ATTEMPTS = 20;

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(LOWEST, BEYOND);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port in ${ATTEMPTS} attempts`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, LOOPBACK);
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
