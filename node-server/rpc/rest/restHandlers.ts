/** Handlers of the public REST interface by the rows of its table (specification explorer A2). */
import type { RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";
import { REST_BLOCK_HANDLERS } from "./blocks/restBlockHandlers.ts";
import { REST_TRANSACTION_HANDLERS } from "./blocks/restTransactionHandlers.ts";
import { REST_INDEX_HANDLERS } from "./indexed/restIndexHandlers.ts";
import type { RestHandler } from "./call/restCall.ts";
import { REST_CHAIN_HANDLERS } from "./chain/restChainHandlers.ts";
import { REST_CHECK_HANDLERS } from "./checks/restCheckHandlers.ts";
import { REST_EVIDENCE_HANDLERS } from "./checks/restEvidenceHandlers.ts";
import { REST_NETWORK_HANDLERS } from "./peers/restNetworkHandlers.ts";

/** Handlers by row; a row without one is not served. */
export type RestHandlers = { readonly [R in RestRouteName]?: RestHandler<R> };

/** One for each row that is served. */
export const REST_HANDLERS: RestHandlers = {
  ...REST_CHAIN_HANDLERS,
  ...REST_BLOCK_HANDLERS,
  ...REST_TRANSACTION_HANDLERS,
  ...REST_NETWORK_HANDLERS,
  ...REST_INDEX_HANDLERS,
  ...REST_CHECK_HANDLERS,
  ...REST_EVIDENCE_HANDLERS,
};
