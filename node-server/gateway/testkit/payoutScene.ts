/** A hosted gateway that is a model, a scanner that saw an invoice paid, and the model of a wallet daemon that pays refunds of it. */
import {
  asAddressText,
  asBlueScore,
  asChainIndex,
  asMerchantId,
  asSompi,
  asTimestampMs,
  type RefundId,
} from "@svc/shared/base/brand.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { reduceInvoice } from "@svc/shared/invoice/reduceInvoice.ts";
import { blockAt, MADE_MS, outputOf, testInvoice } from "@svc/shared/invoice/testkit/invoices.ts";
import { RefundDesk } from "../desk/refundDesk.ts";
import { FactOutbox } from "../hosted/factOutbox.ts";
import { HostedRefunds } from "../hosted/hostedRefunds.ts";
import { OutboxStore } from "../hosted/outboxStore.ts";
import { PayoutLedger } from "../hosted/payoutLedger.ts";
import { payoutWallets } from "../hosted/payoutWallets.ts";
import { RefundPayer } from "../refunds/refundPayer.ts";
import { GatewayStore } from "../store/gatewayStore.ts";
import { ModelPayouts } from "./modelPayouts.ts";
import { ModelWalletd } from "./modelWalletd.ts";
import { scannedBlock } from "./scannedChain.ts";

/** The merchant whose refunds they are. */
export const SHOP = asMerchantId("shop");
/** What the scanner signs with. */
const SECRET = "what the scanner signs with";
/** Blocks of the chain that the scanner keeps. */
export const RECENT = 100;
/** The invoice that was paid. */
export const INVOICE = testInvoice({}, 1_000n);
const { key: PAYOUT_KEY, index: INDEX } = INVOICE.terms.address;
/** An address that the core refuses. */
export const NO_POINT = asAddressText("svcsim:nopoint");

/** A hosted gateway with an invoice of 1,000 sompi that was paid, the scanner that saw it, and its wallet. */
export class PayoutScene {
  readonly daemon = new ModelWalletd();
  readonly hosted: ModelPayouts;
  readonly warnings: unknown[] = [];
  nowMs: bigint = MADE_MS + 1_000n;
  readonly desk: RefundDesk;
  readonly #gateway: GatewayStore;
  readonly #store: OutboxStore;
  readonly outbox: FactOutbox;
  #refunds: HostedRefunds;
  #payer: RefundPayer;
  #isKilled = false;
  #bytes = 0;

  readonly #tokenFile: string;

  private constructor(gateway: GatewayStore, store: OutboxStore, tokenFile: string) {
    this.#gateway = gateway;
    this.#tokenFile = tokenFile;
    this.#store = store;
    const clock = { nowMs: () => this.nowMs, steadyMs: () => this.nowMs };
    this.outbox = new FactOutbox({ store, scanner: "scanner", clock });
    this.desk = new RefundDesk({
      ...{ store: gateway, clock, onApproved: () => undefined },
      randomBytes: (length) => {
        this.#bytes += 1;
        return Uint8Array.from({ length }, (_, at) => (this.#bytes >> (8 * (at % 4))) & 0xff);
      },
    });
    const signed = { secret: SECRET, nowMs: () => this.nowMs };
    this.hosted = new ModelPayouts(this.desk, { key: PAYOUT_KEY, index: INDEX }, signed);
    this.daemon.balance = 10_000n;
    [this.#refunds, this.#payer] = this.#begun();
  }

  /** Opens it; `tokenFile` holds the token of the wallet. */
  static async open(tokenFile: string): Promise<PayoutScene> {
    const gateway = await GatewayStore.open(null, null);
    const scene = new PayoutScene(gateway, await OutboxStore.open(null), tokenFile);
    const input = {
      kind: "mined",
      output: outputOf(1, 1_000n),
      block: blockAt(1_001n, MADE_MS),
    } as const;
    const moment = { nowMs: asTimestampMs(scene.nowMs), tip: asBlueScore(1_011n) };
    const { invoice } = reduceInvoice(INVOICE, [input], moment);
    scene.#gateway.commit((batch) => scene.#gateway.invoices.put(batch, invoice));
    const found = [
      { chainIndex: asChainIndex(1_001n), fact: { key: PAYOUT_KEY, index: INDEX, input } },
    ];
    scene.outbox.takeStep({ common: null, blocks: [scannedBlock(1_001)], found }, RECENT);
    scene.scanTo(1_020);
    return scene;
  }

  /** The scan comes to a block. */
  scanTo(number: number): void {
    const blocks = [scannedBlock(number)];
    const last = this.#store.view.blocks().at(-1)?.chainIndex ?? null;
    this.outbox.takeStep({ common: last, blocks, found: [] }, RECENT);
  }

  /** The process is killed when the wallet has done what it was asked next, at the odds that `draw` gives. */
  killNext(draw: () => boolean = () => true): void {
    this.daemon.onDone = () => {
      if (this.#isKilled || !draw()) return;
      this.#isKilled = true;
      void this.#refunds.stop();
      void this.#payer.stop();
    };
  }

  /** Another process begins with what was written. */
  async restart(): Promise<void> {
    await Promise.all([this.#refunds.stop(), this.#payer.stop()]);
    [this.#refunds, this.#payer] = this.#begun();
    this.#isKilled = false;
  }

  /** An approved refund to an address of its own. */
  async approved(amount: bigint, to?: ReturnType<typeof asAddressText>): Promise<RefundId> {
    const offer = { kind: "custom", amount: asSompi(amount), reason: null } as const;
    const { refund } = await this.desk.create(SHOP, INVOICE.terms.id, offer, null);
    const { id, claim } = refund.terms;
    const address = to ?? asAddressText(`svcsim:${id}`);
    await this.desk.fill(claim, address);
    await this.desk.approve(SHOP, id, address, null);
    return id;
  }

  /** The gateway is asked, and everything is paid that is due. */
  async pass(ms: bigint): Promise<void> {
    this.nowMs += ms;
    await this.#refunds.look().catch(() => undefined);
    await this.#payer.drain();
  }

  /** What left the wallet. */
  get paid(): readonly bigint[] {
    return this.daemon.payments.map(({ amount }) => amount);
  }

  async close(): Promise<void> {
    await Promise.all([this.#refunds.stop(), this.#payer.stop()]);
    await this.#store.close();
    await this.#gateway.close();
  }

  #begun(): [HostedRefunds, RefundPayer] {
    const sleep = async (): Promise<void> => undefined;
    const never = (_ms: number, signal: AbortSignal): Promise<void> =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new SvcError("run/aborted", {}))),
      );
    const nowMs = () => this.nowMs;
    const wallets = payoutWallets(
      new Map([
        [
          PAYOUT_KEY,
          { walletdUrl: "http://127.0.0.1:1", tokenFile: this.#tokenFile, bearerFile: null },
        ],
      ]),
      (input, init) => this.daemon.fetch(input, init),
    );
    const refunds = new HostedRefunds({
      ...{ url: "https://pay.example", secret: new Secret(Buffer.from(SECRET)) },
      clock: { nowMs, steadyMs: nowMs, bootMs: nowMs, sleep: never },
      request: (input, init) => this.hosted.request(input, init),
      ledger: new PayoutLedger({
        store: this.#store,
        deepTo: (required) => this.outbox.deepTo(required),
      }),
      hasWallet: (key) => key === PAYOUT_KEY,
      checkAddress: (address) => {
        if (address === NO_POINT) throw new SvcError("address/bad-key", {});
      },
      onDue: () => undefined,
      log: { warn: (context: unknown) => void this.warnings.push(context) },
    });
    const payer = new RefundPayer({
      ...{
        refunds,
        clock: { nowMs, sleep },
        log: { error: (what: unknown) => console.error(what) },
      },
      walletOf: ({ id }) => {
        const key = refunds.keyOf(id);
        return key === null ? null : wallets(key);
      },
    });
    return [refunds, payer];
  }
}
