/** Raw HTTP client: writes bytes to a port as they are, and keeps what comes back. */
import { connect, type Socket } from "node:net";

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
