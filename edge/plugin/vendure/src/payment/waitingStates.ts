import type { PaymentOptions, PaymentProcess } from "@vendure/core";

type RefundProcess = Required<PaymentOptions>["refundProcess"][number];

/** Lets a payment stay `Created` when it is made: it waits for its customer, who pays on another page. */
export const waitingPayment: PaymentProcess<"Created"> = {
  transitions: { Created: { to: ["Created"], mergeStrategy: "merge" } },
};

/** Lets a refund stay `Pending` when it is made: it waits for the customer's address, and for the merchant who approves it. */
export const waitingRefund: RefundProcess = {
  transitions: { Pending: { to: ["Pending"], mergeStrategy: "merge" } },
};
