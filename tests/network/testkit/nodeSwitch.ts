/** Address that stays while nodes behind it come and go: passes connections on to whichever node it is set to. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A port that leads to a node. */
export class NodeSwitch {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Port of the node; null for none. */
  #target: number | null;

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((near) => this.#pass(near));
  }

  /** Listens until the test ends; the target is a port of this machine. */
  static async start(target: number): Promise<NodeSwitch> {
    const made = new NodeSwitch(target);
    made.#server.listen(0, "127.0.0.1");
    await once(made.#server, "listening");
    onTestFinished(() => {
      made.cut();
      made.#server.close();
    });
    return made;
  }

  /** `host:port`. */
  get address(): string {
    const address: AddressInfo | string | null = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("it does not listen");
    return `127.0.0.1:${address.port}`;
  }

  /** Ends all connections; new ones are ended at once. */
  cut(): void {
    this.#target = null;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** From now on connections lead here. */
  lead(target: number): void {
    this.#target = target;
  }

  #pass(near: Socket): void {
    const target = this.#target;
    if (target === null) {
      near.destroy();
      return;
    }
    const far = connect({ host: "127.0.0.1", port: target });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    near.pipe(far).pipe(near);
  }
}
