/** Entry of a page with nothing but a wallet's store in a worker, for tests and benches: calls go to the worker by name. */
type Answer = { readonly id: number; readonly value?: unknown; readonly fault?: string };

let worker: Worker | null = null;
let calls = 0;
const waiting = new Map<number, (answer: Answer) => void>();

function start(): Worker {
  const made = new Worker(new URL("./storeLab.worker.ts", import.meta.url), { type: "module" });
  made.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    waiting.get(data.id)?.(data);
    waiting.delete(data.id);
  });
  return made;
}

Object.assign(globalThis, {
  /** Calls the worker; rejects with the code of its error. */
  async callStore(name: string, ...args: readonly unknown[]): Promise<unknown> {
    worker ??= start();
    calls += 1;
    const id = calls;
    const answer = await new Promise<Answer>((resolve) => {
      waiting.set(id, resolve);
      worker?.postMessage({ id, name, args });
    });
    if (answer.fault !== undefined) throw new Error(answer.fault);
    return answer.value;
  },
  /** Ends the worker in the middle of whatever it does, as a tab that is closed. */
  killStore(): void {
    worker?.terminate();
    worker = null;
  },
});
