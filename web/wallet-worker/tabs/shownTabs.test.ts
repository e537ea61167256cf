import { describe, expect, test, vi } from "vitest";
import { asSompi } from "@svc/shared/base/brand.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { startSnapshot } from "../../wallet-api/startSnapshot.ts";
import type { HistoryPage, Snapshot } from "../../wallet-api/walletApi.ts";
import { exampleRow, exampleSnapshot } from "../testkit/exampleSnapshot.ts";
import { TabHub } from "../testkit/tabHub.ts";
import { ShownTabs } from "./shownTabs.ts";
import type { WalletReads } from "./walletReads.ts";

const waiting: Snapshot = { ...startSnapshot("http://node.test"), access: "elsewhere" };
const query = { kind: "all", text: "", amount: "", limit: 50 } as const;
const page: HistoryPage = { rows: [exampleRow], total: 1, fault: null };

function reads(): WalletReads {
  return {
    history: async () => page,
    historyFile: async () => "a,b",
    receipts: async () => ({
      kind: "made",
      receipts: [{ bytes: Uint8Array.of(1, 255), value: asSompi(5n), payee: null }],
    }),
  };
}

let names = 0;

/** A tab, which has nothing yet. */
function openTab(hub: TabHub, own: WalletReads = reads()) {
  names += 1;
  const { ports, kill } = hub.tab();
  const lock = vi.fn<() => void>();
  const onFollowing = vi.fn<() => void>();
  const tabs = new ShownTabs({
    ports,
    tab: `00000000-0000-4000-8000-${String(names).padStart(12, "0")}`,
    reads: own,
    lock,
    onFollowing,
    onChange: () => undefined,
  });
  /** What its page shows of the wallet. */
  const seen = () => tabs.show({ ...waiting, tabs: tabs.view });
  return { tabs, kill, lock, onFollowing, seen };
}

/** A tab with the open wallet, and one that follows it. */
async function twoTabs(own: WalletReads = reads()) {
  const hub = new TabHub();
  const holder = openTab(hub, own);
  const follower = openTab(hub);
  holder.tabs.accessChanged("open");
  holder.tabs.show(exampleSnapshot);
  follower.tabs.accessChanged("elsewhere");
  await hub.settle();
  return { hub, holder, follower };
}

const shownOf = ({ posted }: TabHub) =>
  posted.filter((data) => JSON.stringify(data).startsWith('{"kind":"shown"'));

describe("the wallet of another tab", () => {
  test("is shown as it is there, and as long as it is open there", async () => {
    const { hub, holder, follower } = await twoTabs();
    const { access, core, problem, otherTabPays, tabs, ...shown } = follower.seen();
    const {
      access: _a,
      core: _c,
      problem: _p,
      otherTabPays: _o,
      tabs: _t,
      ...there
    } = exampleSnapshot;
    expect(shown).toEqual(there);
    expect({ access, core, problem, otherTabPays }).toEqual({
      access: "elsewhere",
      core: waiting.core,
      problem: null,
      otherTabPays: false,
    });
    expect(tabs.following).toBe(true);
    holder.tabs.accessChanged("locked");
    await hub.settle();
    expect(follower.tabs.view.following).toBe(false);
    expect(follower.seen().wallet).toBeNull();
  });

  test("is not told to a tab in which nobody waits for it, nor to nobody", async () => {
    const hub = new TabHub();
    const holder = openTab(hub);
    holder.tabs.accessChanged("open");
    holder.tabs.show(exampleSnapshot);
    const idle = openTab(hub);
    await hub.settle();
    expect(shownOf(hub)).toEqual([]);
    expect(idle.tabs.view.following).toBe(false);
  });

  test("is followed by a tab that was there before it was opened", async () => {
    const hub = new TabHub();
    const follower = openTab(hub);
    follower.tabs.accessChanged("elsewhere");
    await hub.settle();
    const holder = openTab(hub);
    holder.tabs.accessChanged("open");
    holder.tabs.show(exampleSnapshot);
    await hub.settle();
    expect(follower.seen().wallet?.balances.total).toBe(5n);
    expect(follower.onFollowing).toHaveBeenCalled();
  });

  test("answers history, file and receipts, and gives errors as they are", async () => {
    const { hub, holder, follower } = await twoTabs();
    follower.seen();
    const { reads: asked } = follower.tabs;
    const answers = Promise.all([
      asked.history(query),
      asked.historyFile(query, "csv"),
      asked.receipts("row", ""),
    ]);
    await hub.settle();
    expect(await answers).toEqual([page, "a,b", await reads().receipts("row", "")]);
    holder.tabs.accessChanged("locked");
    await hub.settle();
    await expect(asked.history(query)).rejects.toThrow("wallet/locked");
  });

  test("is locked from a tab that follows, and hears of input there", async () => {
    const { hub, holder, follower } = await twoTabs();
    follower.tabs.noteActivity();
    follower.tabs.askLock();
    await hub.settle();
    expect(holder.lock).toHaveBeenCalledOnce();
    expect(holder.tabs.view.activity).toBe(1);
    expect(follower.lock).not.toHaveBeenCalled();
    holder.tabs.askLock();
    holder.tabs.noteActivity();
    await hub.settle();
    expect(follower.lock).not.toHaveBeenCalled();
  });
});

describe("liar: what is posted by others", () => {
  const good = JSON.stringify;
  const MALFORMED: readonly (readonly [string, unknown])[] = [
    ["nothing", null],
    ["a text", "give-way"],
    ["an unknown kind", { kind: "seed" }],
    ["a state that is no JSON", { kind: "shown", body: "{" }],
    ["a state of another form", { kind: "shown", body: good({ wallet: { balances: 1 } }) }],
    ["a state that is no text", { kind: "shown", body: { wallet: null } }],
    ["a huge state", { kind: "shown", body: " ".repeat(PAGE_LIMITS.tabShownChars + 1) }],
    ["an answer to nobody", { kind: "answer", to: "x", number: 1, body: "", error: null }],
    ["an error of no code", { kind: "answer", to: "x", number: 1, body: "", error: { code: "x" } }],
  ];
  test.each(MALFORMED)("%s changes nothing in a tab that follows", async (_, data) => {
    const { hub, follower } = await twoTabs();
    const before = follower.seen();
    hub.shout(data);
    await hub.settle();
    expect(follower.seen()).toEqual(before);
  });

  const huge = "x".repeat(PAGE_LIMITS.tabAskChars + 1);
  const history = { call: "history", query };
  const stranger = "00000000-0000-4000-8000-999999999999";
  const UNANSWERED: readonly (readonly [string, (from: unknown) => unknown])[] = [
    ["a hello of nobody", () => ({ kind: "hello", from: "me" })],
    [
      "a question of who did not say hello",
      () => ({ kind: "ask", from: stranger, number: 1, ask: history }),
    ],
    ["a payment", (from) => ({ kind: "ask", from, number: 1, ask: { call: "send" } })],
    ["a call for the vault", (from) => ({ kind: "ask", from, number: 1, ask: { call: "vault" } })],
    [
      "a huge question",
      (from) => {
        const ask = { ...history, query: { ...query, text: huge } };
        return { kind: "ask", from, number: 1, ask };
      },
    ],
  ];
  test.each(UNANSWERED)("%s is not answered", async (_, say) => {
    const { hub, holder } = await twoTabs();
    const hello = hub.posted.find((data) => Reflect.get(Object(data), "kind") === "hello");
    const posted = hub.posted.length;
    hub.shout(say(Reflect.get(Object(hello), "from")));
    await hub.settle();
    expect(hub.posted).toHaveLength(posted + 1);
    expect(holder.tabs.view.activity).toBe(0);
    expect(holder.lock).not.toHaveBeenCalled();
  });

  test("a false answer to a question is an error, and no page of the history", async () => {
    const never = new Promise<HistoryPage>(() => undefined);
    const { hub, follower } = await twoTabs({ ...reads(), history: () => never });
    follower.seen();
    const asked = follower.tabs.reads.history(query);
    asked.catch(() => undefined);
    await hub.settle();
    const ask = hub.posted.findLast((data) => JSON.stringify(data).includes('"ask"'));
    const to: unknown = Reflect.get(Object(ask), "from");
    hub.shout({ kind: "answer", to, number: 1, body: good({ rows: 7 }), error: null });
    await hub.settle();
    await expect(asked).rejects.toThrow("wallet/worker-failed");
  });
});

describe("flood", () => {
  test("however often the wallet changes, it is shown once a pause, the newest", async () => {
    const { hub, holder, follower } = await twoTabs();
    const first = shownOf(hub).length;
    for (let noteCount = 1; noteCount <= 1_000; noteCount += 1) {
      holder.tabs.show({ ...exampleSnapshot, wallet: { ...exampleSnapshot.wallet, noteCount } });
    }
    await hub.settle();
    expect(shownOf(hub)).toHaveLength(first);
    hub.endPauses();
    await hub.settle();
    expect(shownOf(hub)).toHaveLength(first + 1);
    expect(follower.seen().wallet?.noteCount).toBe(1_000);
  });

  test("tabs beyond the limit are not followers, until one of those is gone", async () => {
    const { hub, follower } = await twoTabs();
    const more = Array.from({ length: PAGE_LIMITS.tabFollowersMax }, () => openTab(hub));
    for (const { tabs } of more) tabs.accessChanged("elsewhere");
    await hub.settle();
    const last = more.at(-1);
    last?.seen();
    await expect(last?.tabs.reads.history(query)).rejects.toThrow("wallet/locked");
    last?.tabs.accessChanged("locked");
    follower.kill();
    await hub.settle();
    last?.tabs.accessChanged("elsewhere");
    await hub.settle();
    hub.endPauses();
    await hub.settle();
    last?.seen();
    const asked = last?.tabs.reads.history(query);
    await hub.settle();
    expect(await asked).toEqual(page);
  });

  test("questions without an answer are bounded, in the tab that asks and in the one that answers", async () => {
    const never = new Promise<HistoryPage>(() => undefined);
    const { hub, holder, follower } = await twoTabs({ ...reads(), history: () => never });
    const second = openTab(hub);
    second.tabs.accessChanged("elsewhere");
    await hub.settle();
    hub.endPauses();
    await hub.settle();
    follower.seen();
    second.seen();
    const open = Array.from({ length: PAGE_LIMITS.tabAsksMax }, () =>
      follower.tabs.reads.history(query),
    );
    await expect(follower.tabs.reads.history(query)).rejects.toThrow("http/too-many-requests");
    await hub.settle();
    const beyond = Promise.allSettled([second.tabs.reads.history(query)]);
    await hub.settle();
    expect(await beyond).toMatchObject([{ reason: { code: "http/too-many-requests" } }]);
    holder.tabs.accessChanged("locked");
    const ended = Promise.allSettled(open);
    await hub.settle();
    expect((await ended).every(({ status }) => status === "rejected")).toBe(true);
  });
});

describe("kill", () => {
  test("of the tab with the wallet is noticed by who gets it next, and by who goes on waiting", async () => {
    const { hub, holder, follower } = await twoTabs();
    const third = openTab(hub);
    third.tabs.accessChanged("elsewhere");
    await hub.settle();
    hub.endPauses();
    await hub.settle();
    expect([follower.tabs.view.following, third.tabs.view.following]).toEqual([true, true]);
    holder.kill();
    // The lock goes to the next one, which says so.
    follower.tabs.accessChanged("locked");
    third.tabs.holderChanged();
    await hub.settle();
    expect(follower.tabs.view).toMatchObject({ following: false, holderEnded: true });
    expect(third.tabs.view).toMatchObject({ following: false, holderEnded: false });
    follower.tabs.accessChanged("open");
    follower.tabs.show(exampleSnapshot);
    await hub.settle();
    expect(third.tabs.view.following).toBe(true);
    expect(follower.tabs.view.holderEnded).toBe(false);
  });

  test("is not told of a tab that was asked for the wallet", async () => {
    const { hub, follower } = await twoTabs();
    follower.tabs.noteAsked();
    follower.tabs.accessChanged("locked");
    await hub.settle();
    expect(follower.tabs.view.holderEnded).toBe(false);
  });
});
