/** Messages that leave together: each one between threads costs as much as what is in it, and wakes the other side. */

/** Collects what one turn of the event loop posts, in order. */
export class Outbox<Message> {
  readonly #send: (messages: readonly Message[], moved: readonly ArrayBuffer[]) => void;
  #messages: Message[] = [];
  #moved: ArrayBuffer[] = [];

  constructor(send: (messages: readonly Message[], moved: readonly ArrayBuffer[]) => void) {
    this.#send = send;
  }

  /** Sends a message when what runs now is done. `moved` buffers leave this thread then. */
  post(message: Message, moved: readonly ArrayBuffer[] = []): void {
    if (this.#messages.length === 0) queueMicrotask(() => this.flush());
    this.#messages.push(message);
    this.#moved.push(...moved);
  }

  /** Sends what waits at once. */
  flush(): void {
    if (this.#messages.length === 0) return;
    const [messages, moved] = [this.#messages, this.#moved];
    this.#messages = [];
    this.#moved = [];
    this.#send(messages, moved);
  }
}
