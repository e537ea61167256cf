/** Holder of the wallet among several tabs: publishes snapshots to its followers, at a bounded rate, and answers their read-only calls. */
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import type { Shown } from "./shownForms.ts";
import type { Ask, TabMessage } from "./tabMessages.ts";
import type { TabPorts } from "./tabPorts.ts";
import type { WalletReads } from "./walletReads.ts";

/** Name of the lock of a tab that follows: it is free when that tab is gone. */
export function followerLock(tab: string): string {
  return `svc-wallet-follows ${tab}`;
}

/** What other tabs may have this one do. */
export type HolderActs = {
  readonly reads: WalletReads;
  readonly lock: () => void;
  readonly onActivity: () => void;
};

/** One open wallet, from `open` to `close`. */
export class ShownHolder {
  readonly #ports: TabPorts;
  readonly #acts: HolderActs;
  readonly #followers = new Set<string>();
  #end: AbortController | null = null;
  #newest: Shown | null = null;
  #sent = "";
  #isDue = false;
  #isPausing = false;
  #asks = 0;

  constructor(ports: TabPorts, acts: HolderActs) {
    this.#ports = ports;
    this.#acts = acts;
  }

  /** The wallet is open: tabs that follow may say so. */
  open(): void {
    if (this.#end !== null) return;
    this.#end = new AbortController();
    this.#ports.post({ kind: "open" });
  }

  /** It is not open any more. */
  close(): void {
    if (this.#end === null) return;
    this.#end.abort();
    this.#end = null;
    this.#followers.clear();
    this.#newest = null;
    this.#sent = "";
    this.#ports.post({ kind: "closed" });
  }

  /** Shows this, soon, if somebody follows. */
  show(shown: Shown): void {
    this.#newest = shown;
    this.#tell();
  }

  /** What a tab that follows says. */
  receive(message: TabMessage): void {
    if (this.#end === null) return;
    if (message.kind === "hello") this.#greet(message.from, this.#end.signal);
    if (message.kind === "lock") this.#acts.lock();
    if (message.kind === "active") this.#acts.onActivity();
    if (message.kind === "ask" && this.#followers.has(message.from)) void this.#answer(message);
  }

  #greet(tab: string, signal: AbortSignal): void {
    if (!this.#followers.has(tab)) {
      if (this.#followers.size >= PAGE_LIMITS.tabFollowersMax) return;
      this.#followers.add(tab);
      const leave = () => void (signal.aborted || this.#followers.delete(tab));
      // The lock ends with the tab, whatever ends that.
      this.#ports.whenFree(followerLock(tab), signal).then(leave, leave);
    }
    this.#sent = "";
    this.#tell();
  }

  #tell(): void {
    this.#isDue = this.#followers.size > 0;
    if (!this.#isDue || this.#isPausing) return;
    this.#isDue = false;
    this.#isPausing = true;
    this.#send();
    this.#ports.later(() => {
      this.#isPausing = false;
      if (this.#isDue) this.#tell();
    }, PAGE_LIMITS.tabShowEveryMs);
  }

  #send(): void {
    if (this.#newest === null) return;
    const body = jsonText(this.#newest);
    if (body === this.#sent || body.length > PAGE_LIMITS.tabShownChars) return;
    this.#sent = body;
    this.#ports.post({ kind: "shown", body });
  }

  async #answer({ from, number, ask }: Extract<TabMessage, { kind: "ask" }>): Promise<void> {
    const end = this.#end;
    const reply = (body: string, error: ErrorJson | null) => {
      if (this.#end === end) {
        this.#ports.post({ kind: "answer", to: from, number, body, error });
      }
    };
    if (this.#asks >= PAGE_LIMITS.tabAsksMax) {
      reply("", new SvcError("http/too-many-requests", { retryAfter: 1 }).toJSON());
      return;
    }
    this.#asks += 1;
    try {
      const body = await this.#read(ask);
      const max = PAGE_LIMITS.tabAnswerChars;
      if (body.length > max) {
        throw new SvcError("http/body-too-large", { length: body.length, max });
      }
      reply(body, null);
    } catch (thrown) {
      reply("", SvcError.from(thrown).toJSON());
    } finally {
      this.#asks -= 1;
    }
  }

  async #read(ask: Ask): Promise<string> {
    const { reads } = this.#acts;
    if (ask.call === "history") return jsonText(await reads.history(ask.query));
    if (ask.call === "historyFile") return jsonText(await reads.historyFile(ask.query, ask.form));
    const found = await reads.receipts(ask.rowId, ask.challenge);
    if (found.kind !== "made") return jsonText(found);
    const receipts = found.receipts.map((made) => ({ ...made, bytes: encodeHex(made.bytes) }));
    return jsonText({ ...found, receipts });
  }
}
