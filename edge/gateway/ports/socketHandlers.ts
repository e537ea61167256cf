/** The WebSocket of a checkout: the Worker lets a caller through to the invoice's object, which holds it. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import { asInvoiceId } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SocketAnswer, type GatewayHandlers } from "@svc/shared/gateway/gatewayHandlers.ts";
import type { InvoicePort } from "@svc/shared/gateway/gatewayPorts.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";
import type { GatewayEnv } from "../gatewayEnv.ts";
import { SOCKET_HOST } from "../objects/checkoutSockets.ts";

const SWITCHED = 101;
const FULL = 503;
const HOST_DIGITS = 32;

/** Makes its handler. */
export function socketHandlers(
  objects: GatewayEnv["INVOICES"],
  invoices: Pick<InvoicePort, "find">,
): Pick<GatewayHandlers, "checkoutSocket"> {
  return {
    checkoutSocket: async ({ params }) => {
      const id = asInvoiceId(params.id);
      if ((await invoices.find(id)) === null) throw new SvcError("gateway/no-invoice", {});
      return new SocketAnswer(async (caller) => {
        const headers = { Upgrade: "websocket", [SOCKET_HOST]: await nameOf(id, caller) };
        const answer = await objects.getByName(id).fetch("https://invoice/", { headers });
        if (answer.status === SWITCHED) return answer;
        if (answer.status !== FULL) throw new SvcError("gateway/no-invoice", {});
        throw new SvcError("http/too-many-connections", { max: EDGE_LIMITS.socketsPerInvoice });
      });
    },
  };
}

/** The object counts hosts and need not know them. */
async function nameOf(id: string, caller: string): Promise<string> {
  const bytes = new TextEncoder().encode(`${id} ${caller}`);
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return encodeHex(new Uint8Array(digest)).slice(0, HOST_DIGITS);
}
