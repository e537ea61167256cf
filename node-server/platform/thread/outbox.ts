/** Batches messages to another thread: each message costs as much as what is in it, and wakes the other side. */

/** Sends a list of messages; `moved` buffers leave this thread. */
export type SendList<Message> = (
  messages: readonly Message[],
  moved: readonly ArrayBuffer[],
) => void;

/** Collects the messages of one turn of the event loop, in order. */
export class Outbox<Message> {
  readonly #send: SendList<Message>;
  readonly #leads: (message: Message) => boolean;
  #messages: Message[] = [];

  /**
   * A list is heard in one go: whoever waited for an answer in it goes on behind all of it. A message that `leads` begins a
   * list, so what waited for the messages before it goes on first.
   */
  constructor(send: SendList<Message>, leads: (message: Message) => boolean = () => false) {
    this.#send = send;
    this.#leads = leads;
  }

  /**
   * Sends a message when what runs now is done. One with `moved` buffers leaves at once and by itself: what throws when it
   * cannot be sent is its caller's.
   */
  post(message: Message, moved: readonly ArrayBuffer[] = []): void {
    const isApart = moved.length > 0;
    if (isApart || this.#leads(message)) this.flush();
    if (isApart) {
      this.#send([message], moved);
      return;
    }
    if (this.#messages.length === 0) queueMicrotask(() => this.flush());
    this.#messages.push(message);
  }

  /** Sends what waits at once. */
  flush(): void {
    if (this.#messages.length === 0) return;
    const messages = this.#messages;
    this.#messages = [];
    this.#send(messages, []);
  }
}
