/** Follower of the wallet in another tab: takes the snapshots that the holder publishes, and sends it read-only calls. */
import type * as v from "valibot";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { answerForms, shownForm, type Shown } from "./shownForms.ts";
import { followerLock } from "./shownHolder.ts";
import { readTabJson, type Ask, type TabMessage } from "./tabMessages.ts";
import type { TabPorts } from "./tabPorts.ts";
import type { WalletReads } from "./walletReads.ts";

/** A question without an answer yet. */
type OpenAsk = { readonly take: (body: string) => void; readonly refuse: (error: unknown) => void };

/** One tab that waits for the wallet, from `begin` to `end`. */
export class ShownFollower {
  readonly reads: WalletReads = {
    history: (query) => this.#ask({ call: "history", query }, answerForms.history),
    historyFile: (query, form) =>
      this.#ask({ call: "historyFile", query, form }, answerForms.historyFile),
    receipts: (rowId, challenge) =>
      this.#ask({ call: "receipts", rowId, challenge }, answerForms.receipts),
  };
  readonly #ports: TabPorts;
  readonly #onChange: () => void;
  readonly #tab: string;
  readonly #open = new Map<number, OpenAsk>();
  #end: AbortController | null = null;
  #numbers = 0;
  /** What came last and was not read yet: of many states at once only the newest is read. */
  #newest: string | null = null;
  #shown: Shown | null = null;

  constructor(ports: TabPorts, tab: string, onChange: () => void) {
    this.#ports = ports;
    this.#tab = tab;
    this.#onChange = onChange;
  }

  /** What the tab with the wallet shows; null while it is not open there. */
  get shown(): Shown | null {
    if (this.#newest !== null) {
      this.#shown = readTabJson(shownForm, this.#newest) ?? this.#shown;
      this.#newest = null;
    }
    return this.#shown;
  }

  /** Follows from now on. */
  begin(): void {
    if (this.#end !== null) return;
    const end = new AbortController();
    this.#end = end;
    const hello = () => this.hello();
    // Only who says hello under a lock is known to be gone when it is.
    this.#ports.hold(followerLock(this.#tab), end.signal).then(hello, () => undefined);
  }

  /** Follows no more. */
  end(): void {
    this.#end?.abort();
    this.#end = null;
    this.forget();
  }

  /** Nothing is known of the wallet in the other tab any more. */
  forget(): void {
    this.#newest = null;
    this.#shown = null;
    for (const { refuse } of this.#open.values()) refuse(new SvcError("wallet/locked", {}));
    this.#open.clear();
    this.#onChange();
  }

  /** Asks to be shown the wallet. */
  hello(): void {
    if (this.#end !== null) this.#ports.post({ kind: "hello", from: this.#tab });
  }

  /** What the tab with the wallet says. */
  receive(message: TabMessage): void {
    if (this.#end === null) return;
    if (message.kind === "open") this.hello();
    if (message.kind === "closed") this.forget();
    if (message.kind === "shown") {
      this.#newest = message.body;
      this.#onChange();
    }
    if (message.kind === "answer" && message.to === this.#tab) this.#take(message);
  }

  #take({ number, body, error }: Extract<TabMessage, { kind: "answer" }>): void {
    const asked = this.#open.get(number);
    this.#open.delete(number);
    if (error === null) asked?.take(body);
    else asked?.refuse(SvcError.fromJson(error));
  }

  async #ask<Form extends v.GenericSchema>(ask: Ask, form: Form): Promise<v.InferOutput<Form>> {
    if (this.#shown === null) throw new SvcError("wallet/locked", {});
    if (this.#open.size >= PAGE_LIMITS.tabAsksMax) {
      throw new SvcError("http/too-many-requests", { retryAfter: 1 });
    }
    this.#numbers += 1;
    const number = this.#numbers;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#open.set(number, { take: resolve, refuse: reject });
    this.#ports.post({ kind: "ask", from: this.#tab, number, ask });
    const answer = readTabJson(form, await promise);
    if (answer === null) throw new SvcError("wallet/worker-failed", { reason: "an answer" });
    return answer;
  }
}
