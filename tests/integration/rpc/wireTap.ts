/** Wire tap: a relay before a server of this machine that keeps what the server sends. */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

const LOOPBACK = "127.0.0.1";

/** The relay and what has gone through it to the clients. */
export class WireTap {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  /** Of each connection, in the order in which they came. */
  readonly #sent: Buffer[][] = [];

  private constructor(target: number) {
    this.#server = createServer((client) => this.#relay(client, target));
  }

  /** Listens before the server at this address, `http://127.0.0.1:port`. */
  static async before(address: string): Promise<WireTap> {
    const tap = new WireTap(Number(new URL(address).port));
    tap.#server.listen(0, LOOPBACK);
    await once(tap.#server, "listening");
    return tap;
  }

  /** Where clients connect, in the form of the server's address. */
  get address(): string {
    const bound = this.#server.address();
    return `http://${LOOPBACK}:${typeof bound === "object" ? bound?.port : ""}`;
  }

  /** Bytes that the server has sent so far. */
  get bytes(): number {
    return this.#sent.flat().reduce((sum, { length }) => sum + length, 0);
  }

  /** How often the server has sent these bytes. */
  count(wanted: Uint8Array): number {
    const connections = this.#sent.map((parts) => Buffer.concat(parts));
    return connections.reduce((sum, all) => sum + occurrences(all, wanted), 0);
  }

  /** Ends it with all its connections. */
  async close(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #relay(client: Socket, port: number): void {
    const server = connect(port, LOOPBACK);
    const sent: Buffer[] = [];
    this.#sent.push(sent);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#open.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#open.delete(from);
        to.end();
      });
      from.on("data", (bytes: Buffer) => {
        if (from === server) sent.push(bytes);
        to.write(bytes);
      });
    }
  }
}

/** How often bytes hold these bytes. */
export function occurrences(all: Uint8Array, wanted: Uint8Array): number {
  const bytes = Buffer.from(all.buffer, all.byteOffset, all.length);
  let count = 0;
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + wanted.length)) {
    count += 1;
  }
  return count;
}
