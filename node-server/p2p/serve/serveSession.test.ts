/** Tests of the serving thread's request loop, with a fake core and a fake store. */
import { beforeEach, describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RawReader } from "@svc/shared/core/generated/coreGlue.ts";
import { settle } from "../testkit/linkedPeer.ts";
import type { PointQuestion, ServedPage, ServeReport } from "./serveMessages.ts";
import { pageOf } from "./servedPage.ts";
import { ServeSession } from "./serveSession.ts";

const locator = { kind: "blockLocator", high: "ab", limit: 2 } as const;
const proof: PointQuestion = { kind: "proof" };

let reports: ServeReport[] = [];
let open = 0;
let ended = 0;
let made: PromiseWithResolvers<ServedPage> = Promise.withResolvers();
let onAsk = (): Uint8Array => new Uint8Array(32);
beforeEach(() => {
  [reports, open, ended] = [[], 0, 0];
  made = Promise.withResolvers();
  // It may end while nobody waits for it.
  made.promise.catch(() => undefined);
  onAsk = () => new Uint8Array(32);
});

const sessionOf = (): ServeSession =>
  new ServeSession({
    views: {
      open: () => {
        open += 1;
        const reader = { blockLocator: () => onAsk() };
        return { reader: reader as unknown as RawReader, close: () => (open -= 1) };
      },
    },
    history: () => new Uint8Array(),
    pointExport: {
      answer: () => made.promise,
      stop: () => made.reject(new SvcError("node/stopping", {})),
    },
    turn: () => new Promise((resolve) => setImmediate(resolve)),
    report: (report) => reports.push(report),
    ended: () => (ended += 1),
  });

const seen = (): string[] =>
  reports.map((report) => ("id" in report ? `${report.kind} ${report.id}` : report.kind));

describe("a serving session", () => {
  it("answers about the graph while an export is made", async () => {
    const session = sessionOf();
    session.receive({ id: 1, question: proof });
    session.receive({ id: 2, question: locator });
    session.receive({ id: 3, question: proof });
    await settle();
    expect(seen()).toEqual(["answer 2"]);
    expect(open).toBe(0);
    made.resolve(pageOf([], null));
    await settle();
    expect(seen()).toEqual(["answer 2", "answer 1", "answer 3"]);
  });

  it("goes on after a refusal, and ends after a failure", async () => {
    const session = sessionOf();
    const throwing = (error: SvcError) => () => {
      throw new Error(JSON.stringify(error.toJSON()));
    };
    onAsk = throwing(new SvcError("chain/unknown-block", { hash: "ab" }));
    session.receive({ id: 1, question: locator });
    await settle();
    onAsk = throwing(new SvcError("store/corrupt", { table: "meta", reason: "a test" }));
    session.receive({ id: 2, question: locator });
    session.receive({ id: 3, question: locator });
    await settle();
    expect(seen()).toEqual(["refused 1", "failed"]);
    expect([open, ended]).toEqual([0, 1]);
  });

  it("ends when nothing looks at the store any more", async () => {
    const session = sessionOf();
    session.receive({ id: 1, question: proof });
    await settle();
    session.receive({ stop: true });
    expect(ended).toBe(0);
    await settle();
    expect(ended).toBe(1);
    session.receive({ stop: true });
    await settle();
    expect([ended, reports]).toEqual([1, []]);
  });
});
