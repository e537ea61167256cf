/** Request/response matching: calls sent to a thread and not answered yet, by number. */
import { SvcError } from "@svc/shared/base/svcError.ts";

type Waiting<Answer> = {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: SvcError) => void;
};

/** A bounded table of pending calls. */
export class PendingCalls<Answer> {
  readonly #name: string;
  readonly #limit: number;
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #nextId = 1;

  /** `name` appears in errors; `limit` is a number of calls from the limits file. */
  constructor(name: string, limit: number) {
    this.#name = name;
    this.#limit = limit;
  }

  /** Opens a call and sends it under its number. Rejects with `queue/full`. */
  open(send: (id: number) => void): Promise<Answer> {
    if (this.#waiting.size >= this.#limit) {
      const full = new SvcError("queue/full", { queue: this.#name, limit: this.#limit });
      return Promise.reject(full);
    }
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      send(id);
    });
  }

  /** Settles a call; an unknown number is a call that was given up. */
  resolve(id: number, answer: Answer): void {
    this.#take(id)?.resolve(answer);
  }

  /** Settles a call with an error. */
  reject(id: number, error: SvcError): void {
    this.#take(id)?.reject(error);
  }

  /** Settles every open call with an error. */
  rejectAll(error: SvcError): void {
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const call of waiting) call.reject(error);
  }

  #take(id: number): Waiting<Answer> | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}
