/** Records of an endpoint for webhooks and of its deliveries. */
import * as v from "valibot";
import { WEBHOOK_FORMS } from "../webhook/webhookForm.ts";
import { flagOf, integer, integerOf, text, textOf, word } from "../contract/answerFields.ts";

const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema), null);

/** Fields of an endpoint. */
export const webhookFields = {
  id: text,
  url: text,
  description: v.optional(text, ""),
  format: v.optional(
    word(
      WEBHOOK_FORMS,
      "`svc`: the events that this document describes. `greenfield`: those of BTCPay's API, for which a shop asked there.",
    ),
    "svc",
  ),
  events: v.pipe(v.array(text), v.description("What is sent; `*` stands for everything.")),
  enabled: flagOf("Whether events are sent to it."),
  disabledBy: maybe(
    word(
      ["merchant", "failures"],
      "Who switched it off: the merchant, or the gateway after three days of nothing but failures.",
    ),
  ),
  secretSwitchAt: maybe(
    integerOf("From then on the newest secret signs. Null when it does already."),
  ),
  createdAt: integer,
  updatedAt: integer,
} as const;

/** An endpoint. */
export const webhook = v.object(webhookFields);

/** An endpoint with its secret, which is shown in this one answer. */
export const webhookWithSecret = v.object({
  ...webhookFields,
  secret: textOf("Signs the deliveries. It is shown here alone."),
});

const deliveryFields = {
  id: text,
  webhookId: text,
  eventId: textOf("Names the event to the receiver, the same for each try."),
  eventType: text,
  invoiceId: maybe(text),
  state: word(["waiting", "delivered", "dead"], "`dead`: it was given up."),
  attempts: integerOf("Tries so far."),
  status: maybe(integerOf("What the receiver answered last.")),
  createdAt: integer,
  dueAt: maybe(integerOf("When it is tried next. Null unless it waits.")),
  /** Why the last try failed. Null when none did. */
  error: maybe(v.object({ error: text, code: text })),
} as const;

/** A delivery of an event to an endpoint. */
export const delivery = v.object(deliveryFields);

/** A delivery with its body. */
export const deliveryWithBody = v.object({
  ...deliveryFields,
  body: textOf("The body as it is sent, byte for byte."),
});
