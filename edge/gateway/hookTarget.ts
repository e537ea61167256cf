/**
 * Where the edge may send webhooks. A Worker cannot look a name up before it connects, so only what stands in the address is judged:
 * a literal address of a private network is refused, and so are the names that lead into one by agreement. A name of a stranger's
 * that leads to a private address is left to the platform, whose Workers run outside of every merchant's network and reach none of
 * the operator's; whoever runs workerd inside a network must keep it from there by other means.
 */
import {
  badTarget,
  hostOf,
  webhookUrl,
  type WebhookReach,
} from "@svc/shared/protocol/webhook/webhookTarget.ts";

/** Names that lead to this machine or into a network, and names without a dot. */
const INNER =
  /^[^.:]+$|(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/;

/** Checks the address of a webhook. Throws `webhook/bad-target`, which does not repeat it: it may hold a credential. */
export function hookTarget(text: string, reach: WebhookReach): URL {
  const url = webhookUrl(text, reach);
  const name = hostOf(url).replace(/\.$/, "");
  const isHere = name === "localhost" && reach !== "public";
  if (!isHere && reach !== "private" && INNER.test(name))
    throw badTarget("its name is of a network");
  return url;
}
