/** Raw HTTP client: writes bytes to a port as they are, and keeps what comes back. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** ms. After so long without an answer this side says that it sends no more: a server waits for the rest of a request until then. */
const QUIET_MS = 20;
/** ms. Between two bytes that a slow reader takes. */
const SLOW_READ_MS = 100;

/** Port to connect to, and the address of this machine to connect from. */
export type RawPlace = { readonly port: number; readonly from?: string };

/** An open connection. */
export class RawHttp {
  readonly socket: Socket;
  /** All that came, once the connection is over. */
  readonly over: Promise<string>;
  #heard = "";
  #onHeard: () => void = () => {};

  constructor({ port, from }: RawPlace) {
    this.socket = connect({ port, host: "127.0.0.1", ...(from && { localAddress: from }) });
    this.socket.setEncoding("latin1");
    this.socket.on("error", () => {});
    this.socket.on("data", (text) => {
      this.#heard += String(text);
      this.#onHeard();
    });
    this.over = new Promise((resolve) => {
      this.socket.once("close", () => {
        resolve(this.#heard);
        this.#onHeard();
      });
    });
  }

  /** What came so far. */
  get heard(): string {
    return this.#heard;
  }

  /** Writes text as bytes, one a character. */
  write(text: string): void {
    this.socket.write(text, "latin1");
  }

  /** Waits for the status line of an answer; empty when the connection ends without one. */
  async status(): Promise<string> {
    while (!this.#heard.includes("\r\n") && !this.socket.closed) {
      await new Promise<void>((resolve) => (this.#onHeard = resolve));
    }
    return this.#heard.split("\r\n", 1)[0] ?? "";
  }

  /** Resolves when it is there; it was not refused. */
  async connected(): Promise<void> {
    if (this.socket.connecting) await once(this.socket, "connect");
  }

  /** Ends this side when nothing comes; resolves with the status line, or when the connection is over without one. */
  async statusWhenQuiet(): Promise<string> {
    const quiet = setTimeout(() => this.socket.end(), QUIET_MS);
    const status = await this.status();
    clearTimeout(quiet);
    return status;
  }

  /** Ends it at once. */
  cut(): void {
    this.socket.destroy();
  }
}

/** Sends one request and returns all that came back until the other side closed. */
export async function exchange(place: RawPlace, text: string): Promise<string> {
  const client = new RawHttp(place);
  client.write(text);
  return client.over;
}

/** The text of a request that asks for a live connection. */
export function upgradeOf(target: string, host: string, headers: readonly string[] = []): string {
  return [
    `GET ${target} HTTP/1.1`,
    `Host: ${host}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
    "\r\n",
  ].join("\r\n");
}

/** Reads a byte of a socket now and then, until it is over. */
export function readSlowly(socket: Socket): void {
  const timer = setInterval(() => void socket.read(1), SLOW_READ_MS);
  socket.once("close", () => clearInterval(timer));
}
