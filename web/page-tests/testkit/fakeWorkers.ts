/** Stand-ins for the workers of the wallet page: they note what the page asks, and answer as a test says. */
import { expose } from "comlink";
import type { KeyringApi } from "../../wallet-api/keyringApi.ts";
import type { Snapshot, WalletApi } from "../../wallet-api/walletApi.ts";

/** A call of the page. */
export type PageCall = {
  readonly name: string;
  readonly args: readonly unknown[];
};

/** Answers of the workers by call. A call that is not among these fails the test. */
export type WorkerAnswers = {
  readonly wallet: Partial<WalletApi>;
  readonly keyring: Partial<KeyringApi>;
};

/** The workers of one page. */
export class FakeWorkers {
  /** Calls of the page to both workers, in order. */
  readonly calls: PageCall[] = [];
  /** Names of calls that nothing answers. */
  readonly unanswered: string[] = [];
  readonly #answers: WorkerAnswers;
  readonly #ports: MessagePort[] = [];
  #listener: (snapshot: Snapshot) => unknown = () => undefined;

  constructor(answers: WorkerAnswers) {
    this.#answers = answers;
  }

  /** The class that takes the place of `Worker` while these workers live. */
  workerClass() {
    const start = (name: string): MessagePort => this.#start(name);
    return class {
      readonly #port: MessagePort;

      constructor(_: URL, { name }: { readonly name: string }) {
        this.#port = start(name);
      }

      postMessage(message: unknown, transfer: Transferable[] = []): void {
        this.#port.postMessage(message, transfer);
      }

      addEventListener(type: string, listener: EventListener): void {
        if (type === "message") this.#port.addEventListener(type, listener);
      }

      removeEventListener(type: string, listener: EventListener): void {
        this.#port.removeEventListener(type, listener);
      }

      terminate(): void {
        this.#port.close();
      }
    };
  }

  /** Resolves when the page has taken this snapshot. */
  async tell(snapshot: Snapshot): Promise<void> {
    await this.#listener(snapshot);
  }

  /** Arguments of the calls with this name, in order. */
  callsOf(name: keyof WalletApi | keyof KeyringApi): readonly (readonly unknown[])[] {
    return this.calls.filter((call) => call.name === name).map(({ args }) => args);
  }

  /** Ends all of them. */
  end(): void {
    for (const port of this.#ports) port.close();
  }

  #start(name: string): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#ports.push(port1, port2);
    expose(this.#answering(name), port2);
    port1.start();
    return port1;
  }

  /** An object that has every method. */
  #answering(worker: string): object {
    const answers = worker === "wallet" ? this.#answers.wallet : this.#answers.keyring;
    const answer = async (name: string, args: readonly unknown[]): Promise<unknown> => {
      this.calls.push({ name, args });
      if (worker === "wallet" && name === "start") return this.#follow(args);
      const found: unknown = Reflect.get(answers, name);
      if (typeof found === "function") return Reflect.apply(found, answers, args);
      this.unanswered.push(`${worker}.${name}`);
      throw new TypeError(`no answer to ${worker}.${name}`);
    };
    return new Proxy(
      {},
      {
        get:
          (_, name) =>
          (...args: readonly unknown[]) =>
            answer(String(name), args),
      },
    );
  }

  #follow([, listener]: readonly unknown[]): void {
    if (typeof listener !== "function") throw new TypeError("the page listens to its worker");
    this.#listener = (snapshot) => Reflect.apply(listener, undefined, [snapshot]);
  }
}
