import { describe, expect, test } from "vitest";
import { asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { AdmissionDeduplicator } from "./admissionDeduplicator.ts";

const id = asTxId("11".repeat(32));
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** Admissions that end when the test says so. */
function setUp() {
  const joined = new AdmissionDeduplicator();
  const begun: { name: string; end: PromiseWithResolvers<TxId> }[] = [];
  const run = (name: string, raw: Uint8Array): Promise<string> => {
    const admit = (): Promise<TxId> => {
      const end = Promise.withResolvers<TxId>();
      begun.push({ name, end });
      return end.promise;
    };
    return joined.run(raw, admit).catch((error: unknown) => SvcError.from(error).code);
  };
  const names = (): string[] => begun.map(({ name }) => name);
  const refuse = (at: number, code: ErrorJson["code"]): void =>
    begun[at]?.end.reject(SvcError.fromJson({ code, data: {} }));
  return { joined, begun, run, names, refuse };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("joined admissions", () => {
  test("the same bytes are admitted once, and all that sent them hear how it ended", async () => {
    const { begun, run, names, refuse } = setUp();
    const all = ["a", "b", "c"].map((name) => run(name, bytes(1, 2)));
    expect(names()).toEqual(["a"]);
    refuse(0, "shielded/proof-invalid");
    expect(await Promise.all(all)).toEqual(Array(3).fill("shielded/proof-invalid"));
    const again = run("d", bytes(1, 2));
    begun[1]?.end.resolve(id);
    expect(await again).toBe(id);
  });

  test("other bytes have an admission of their own", async () => {
    const { begun, run, refuse } = setUp();
    const [good, altered] = [run("a", bytes(1, 2)), run("b", bytes(1, 3))];
    refuse(1, "tx/storage-mass-not-zero");
    expect(await altered).toBe("tx/storage-mass-not-zero");
    begun[0]?.end.resolve(id);
    expect(await good).toBe(id);
  });

  test("who is refused for itself is refused alone; the next one begins anew", async () => {
    const { joined, begun, run, names, refuse } = setUp();
    const all = ["a", "b", "c"].map((name) => run(name, bytes(1)));
    refuse(0, "queue/too-fast");
    await turn();
    refuse(1, "mempool/verification-queue-full");
    await turn();
    expect(names()).toEqual(["a", "b", "c"]);
    const ended = joined.ended();
    begun[2]?.end.resolve(id);
    await ended;
    const codes = ["queue/too-fast", "mempool/verification-queue-full", id];
    expect(await Promise.all(all)).toEqual(codes);
  });
});
