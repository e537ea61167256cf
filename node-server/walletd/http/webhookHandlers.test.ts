/** Deliveries of a feed over the server: pages of them, dead letters, and sending again. */
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  asDaaScore,
  asRawAddress,
  asSompi,
  asTimestampMs,
  asTxId,
} from "@svc/shared/base/brand.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { WalletClient } from "@svc/shared/protocol/wallet/walletClient.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { FeedDeliveries } from "../feed/feedDeliveries.ts";
import { asWalletToken, type WalletToken } from "../keys/walletToken.ts";
import { WalletStore } from "../store/walletStore.ts";
import { TOKEN, WalletServerFixture } from "../testkit/walletServerFixture.ts";
import { webhookHandlers } from "./webhookHandlers.ts";

const NOW = 1_700_000_000_000n;
const options = { signal: new AbortController().signal };
const ALICE = asWalletToken(TOKEN);

let store: WalletStore;
let queue: FeedDeliveries;
let fixture: WalletServerFixture;
let client: WalletClient;
let woken = 0;
let made = 0;

beforeEach(async () => {
  woken = 0;
  store = await WalletStore.open(null, null);
  const endpoint = { url: new URL("https://shop.test/"), reach: "public", secret: "s" } as const;
  queue = new FeedDeliveries({
    store,
    endpoint,
    clock: new ManualClock(NOW),
    randomBytes: (length) => new Uint8Array(length).fill((made += 1)),
    addressText: (recipient) => recipient,
  });
  await serve(true);
});
afterEach(() => fixture.stop());

async function serve(isSetUp: boolean): Promise<void> {
  const folder = { facts: async (token: WalletToken) => (token === ALICE ? FACTS : null) };
  const webhook = isSetUp ? { deliveries: queue, wake: () => void (woken += 1) } : null;
  fixture = await WalletServerFixture.start({
    handlers: webhookHandlers({ folder, store, webhook }),
  });
  client = new WalletClient({ baseUrl: fixture.server.address, token: TOKEN });
}

const FACTS = {
  id: "ab".repeat(16),
  network: "simnet",
  kind: "seed",
  birthday: asDaaScore(0n),
  bornOn: null,
  recoverableHistory: false,
  createdUnix: 0,
} as const;

/** Adds an entry and its delivery, with the outcome of its first try. */
function credit(token: WalletToken, number: number, isDead: boolean): void {
  const event = {
    kind: "credited" as const,
    txid: asTxId(number.toString(16).padStart(64, "0")),
    outputIndex: 0,
    blockHash: null,
    chainIndex: null,
    blueScore: null,
    daaScore: null,
    amount: asSompi(1n),
    recipient: asRawAddress("0a".repeat(43)),
    addressIndex: 0,
    memo: null,
    createdMs: asTimestampMs(NOW),
  };
  store.commit((batch) => {
    const cursor = store.events.append(batch, token, event) ?? expect.unreachable();
    queue.add(batch, token, { cursor, event });
  });
  const [due] = queue.due(asTimestampMs(NOW), 1);
  const error = new SvcError("webhook/refused", { status: "410" }).toJSON();
  const outcome = isDead ? ({ kind: "dead", error } as const) : ({ kind: "delivered" } as const);
  queue.settle(due ?? expect.unreachable(), outcome);
}

it("are listed a page at a time, for their own wallet alone", async () => {
  for (let number = 1; number <= 7; number += 1) credit(ALICE, number, number % 3 === 0);
  credit(asWalletToken("bob"), 9, true);
  const read = async (dead: string) => {
    const pages: string[][] = [];
    for (let after = "0", more = true; more;) {
      const page = await client.webhooks({ after, limit: "3", dead }, options);
      pages.push(page.deliveries.map(({ cursor }) => cursor));
      ({ next: after, more } = page);
    }
    return pages;
  };
  expect(await read("")).toEqual([["1", "2", "3"], ["4", "5", "6"], ["7"]]);
  expect(await read("1")).toEqual([["3", "6"]]);
  const { deliveries, next } = await client.webhooks({ dead: "1", limit: "1" }, options);
  expect([deliveries, next]).toEqual([
    [
      {
        id: expect.stringMatching(/^evt_0000000000000003/),
        cursor: "3",
        state: "dead",
        attempts: 1,
        created_unix: 1_700_000_000,
        due_unix: null,
        error: { error: "The receiver of the webhook answered 410.", code: "webhook/refused" },
      },
    ],
    "3",
  ]);
  expect(await client.webhooks({ after: "7" }, options)).toEqual({
    deliveries: [],
    next: "7",
    more: false,
  });
});

it("are sent again, and the sender hears of it", async () => {
  credit(ALICE, 1, true);
  const [dead] = (await client.webhooks({}, options)).deliveries;
  const again = await client.redeliver(dead?.id ?? "", options);
  expect(again).toEqual({ ...dead, state: "waiting", attempts: 0, due_unix: 1_700_000_000 });
  expect(woken).toBe(1);
  credit(asWalletToken("bob"), 1, true);
  const [others] = store.deliveries.after("bob", 0n, 1);
  for (const id of [others?.row.id ?? "", "evt_1", "x"]) {
    expect(await rejectionCode(client.redeliver(id, options))).toBe("webhook/no-delivery");
  }
  expect(await rejectionCode(client.redeliver("a.b", options))).toBe("api/bad-field");
});

it("need a wallet, and to be sent again a webhook", async () => {
  credit(ALICE, 1, true);
  const [dead] = (await client.webhooks({}, options)).deliveries;
  const stranger = new WalletClient({ baseUrl: fixture.server.address, token: "b".repeat(32) });
  expect(await rejectionCode(stranger.webhooks({}, options))).toBe("wallet/no-wallet");
  expect(await rejectionCode(stranger.redeliver("evt_1", options))).toBe("wallet/no-wallet");
  await fixture.stop();
  await serve(false);
  expect((await client.webhooks({}, options)).deliveries).toHaveLength(1);
  expect(await rejectionCode(client.redeliver(dead?.id ?? "", options))).toBe("webhook/not-set-up");
});
