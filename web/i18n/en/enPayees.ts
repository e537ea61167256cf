/** English message catalogue of payments to several payees, and of paying the rest of a stopped payment; a part of `en.ts`. */

/** The messages. */
export const enPayees = {
  "payees.title": "Payee {number} of {count}",
  "payees.add": "Add a payee",
  "payees.full": "One payment has {max} payees at most.",
  "payees.remove": "Remove",
  "payees.removeOf": "Remove payee {number}",
  "payees.sum": "All payees together",
  "payees.total": {
    one: "to {count} payee",
    other: "to {count} payees",
  },
  "payees.confirm": {
    one: "Send {amount} to {count} payee",
    other: "Send {amount} to {count} payees",
  },
  "payees.own": "One of your own addresses",
  "payees.sentTo": {
    one: "To {count} payee",
    other: "To {count} payees",
  },
  "payees.more": {
    one: "{address} and {count} more",
    other: "{address} and {count} more",
  },
  "payees.restTitle": "Not paid: {amount}",
  "payees.restText": {
    one: "{count} payee did not get this. The button fills in the payment form with exactly what is missing; you check and confirm it as a new payment.",
    other:
      "{count} payees did not get this. The button fills in the payment form with exactly what is missing; you check and confirm it as a new payment.",
  },
  "payees.rest": "Pay the rest",
} as const;
