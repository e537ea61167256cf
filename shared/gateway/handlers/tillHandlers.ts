/** Handlers of a till. What it may do is here and nowhere else: begin a sale, and read its own ones of a day. */
import { Secret } from "../../base/secret.ts";
import { SvcError } from "../../base/svcError.ts";
import { CookieAnswer, ReplayedAnswer, type GatewayHandlers } from "../gatewayHandlers.ts";
import type { InvoicePort } from "../gatewayPorts.ts";
import type { RecordPlace } from "../invoiceRecordOf.ts";
import type { PricePort } from "../pricePort.ts";
import { dayClose } from "../till/dayClose.ts";
import { dayCloseCsv } from "../till/dayCloseCsv.ts";
import { saleOrder, tillRequest } from "../till/saleOrder.ts";
import { saleRecordOf } from "../till/saleRecordOf.ts";
import { deviceCookie, endedCookie, sessionCookie } from "../till/tillCookie.ts";
import type { TillGate } from "../till/tillOfRequest.ts";
import { tillRecordOf } from "../till/tillRecordOf.ts";

/** Dependencies. */
export type TillHandlerParts = TillGate & {
  readonly invoices: Pick<InvoicePort, "create" | "list">;
  readonly prices: PricePort;
  readonly place: () => RecordPlace;
};

type Rows = "signIn" | "signOut" | "till" | "createSale" | "dayClose" | "dayCloseCsv";

/** Makes the handlers. */
export function tillHandlers(parts: TillHandlerParts): Pick<GatewayHandlers, Rows> {
  const { tills, isSecure, invoices, prices, place } = parts;
  return {
    signIn: async ({ body, device: known }) => {
      using password = new Secret(new TextEncoder().encode(body.password));
      const opened = await tills.signIn(body.till, password, known?.hash ?? null);
      if (opened === null) throw new SvcError("gateway/bad-sign-in", {});
      using token = opened.token;
      using device = opened.device;
      const record = await tillRecordOf(opened, { prices, place: place() });
      const cookie = sessionCookie(token, isSecure());
      if (device === null) return new CookieAnswer(record, cookie);
      return new CookieAnswer(record, cookie, deviceCookie(device, isSecure()));
    },
    signOut: async ({ session }) => {
      await tills.signOut(session.token);
      return new CookieAnswer({ signedOut: true }, endedCookie(isSecure()));
    },
    till: async ({ session }) => tillRecordOf(session, { prices, place: place() }),
    createSale: async ({ session: { till }, body, request }) => {
      const { nowMs } = place();
      const order = await saleOrder(body, till, { prices, nowMs });
      const made = await invoices.create(till.merchant.id, order, tillRequest(till.name, request));
      const sale = saleRecordOf(made.invoice, nowMs);
      return made.isReplay ? new ReplayedAnswer(sale) : sale;
    },
    dayClose: ({ session, query }) =>
      dayClose(session.till, query.day ?? null, { invoices, place: place() }),
    dayCloseCsv: async ({ session, query }) =>
      dayCloseCsv(await dayClose(session.till, query.day ?? null, { invoices, place: place() })),
  };
}
