/** Handlers of the wallet API that answer the examples of the table, and remember what they were asked. */
import { WALLET_ROUTES, type RouteName } from "@svc/shared/protocol/wallet/walletRoutes.ts";
import type { WalletCall, WalletHandlers } from "../http/walletHandlers.ts";

/** A call that reached its handler. */
export type SeenCall = { readonly name: RouteName; readonly call: WalletCall<RouteName> };

/** The handlers, and the calls in their order. */
export type ExampleHandlers = { readonly handlers: WalletHandlers; readonly seen: SeenCall[] };

/** Makes them. `over` replaces some. */
export function exampleHandlers(over: Partial<WalletHandlers> = {}): ExampleHandlers {
  const seen: SeenCall[] = [];
  const see =
    <R extends RouteName, A>(name: R, answer: A) =>
    (call: WalletCall<R>): Promise<A> => {
      seen.push({ name, call });
      return Promise.resolve(answer);
    };
  const handlers: WalletHandlers = {
    health: see("health", WALLET_ROUTES.health.example.answer),
    live: see("live", WALLET_ROUTES.live.example.answer),
    ready: see("ready", WALLET_ROUTES.ready.example.answer),
    status: see("status", WALLET_ROUTES.status.example.answer),
    create: see("create", WALLET_ROUTES.create.example.answer),
    import: see("import", WALLET_ROUTES.import.example.answer),
    watch: see("watch", WALLET_ROUTES.watch.example.answer),
    address: see("address", WALLET_ROUTES.address.example.answer),
    reveal: see("reveal", WALLET_ROUTES.reveal.example.answer),
    sign: see("sign", WALLET_ROUTES.sign.example.answer),
    verify: see("verify", WALLET_ROUTES.verify.example.answer),
    balance: see("balance", WALLET_ROUTES.balance.example.answer),
    history: see("history", WALLET_ROUTES.history.example.answer),
    settings: see("settings", WALLET_ROUTES.settings.example.answer),
    rescan: see("rescan", WALLET_ROUTES.rescan.example.answer),
    send: see("send", WALLET_ROUTES.send.example.answer),
    sendMany: see("sendMany", WALLET_ROUTES.sendMany.example.answer),
    consolidate: see("consolidate", WALLET_ROUTES.consolidate.example.answer),
    prepare: see("prepare", WALLET_ROUTES.prepare.example.answer),
    submit: see("submit", WALLET_ROUTES.submit.example.answer),
    discard: see("discard", WALLET_ROUTES.discard.example.answer),
    disclosure: see("disclosure", WALLET_ROUTES.disclosure.example.answer),
    receipt: see("receipt", WALLET_ROUTES.receipt.example.answer),
    job: see("job", WALLET_ROUTES.job.example.answer),
    cancelJob: see("cancelJob", WALLET_ROUTES.cancelJob.example.answer),
    events: see("events", WALLET_ROUTES.events.example.answer),
    webhooks: see("webhooks", WALLET_ROUTES.webhooks.example.answer),
    redeliver: see("redeliver", WALLET_ROUTES.redeliver.example.answer),
    createToken: see("createToken", WALLET_ROUTES.createToken.example.answer),
    tokens: see("tokens", WALLET_ROUTES.tokens.example.answer),
    revokeToken: see("revokeToken", WALLET_ROUTES.revokeToken.example.answer),
    approvals: see("approvals", WALLET_ROUTES.approvals.example.answer),
    approve: see("approve", WALLET_ROUTES.approve.example.answer),
    deny: see("deny", WALLET_ROUTES.deny.example.answer),
    payout: see("payout", WALLET_ROUTES.payout.example.answer),
    payoutReport: see("payoutReport", WALLET_ROUTES.payoutReport.example.answer),
    warmChainTree: see("warmChainTree", WALLET_ROUTES.warmChainTree.example.answer),
    warmWallet: see("warmWallet", WALLET_ROUTES.warmWallet.example.answer),
  };
  return { handlers: { ...handlers, ...over }, seen };
}
