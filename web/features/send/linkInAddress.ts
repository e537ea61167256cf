/** Payment links in the page's own address, behind its `#`: what a protocol handler or another page hands over. */
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";

const PLACE = "#/send?payment=";
/** Each character of a link may be escaped as three. */
const ESCAPED = 3;

/**
 * The link in this hash, unescaped; null without one. A link that begins unescaped is taken as it stands. One that is too long is cut
 * to a length that no reader takes.
 */
export function linkInAddress(hash: string): string | null {
  if (!hash.startsWith(PLACE)) return null;
  const text = hash.slice(PLACE.length);
  const most = WALLET_LIMITS.paymentUriChars;
  if (text === "") return null;
  if (text.length > ESCAPED * most) return text.slice(0, most + 1);
  if (text.includes(":")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
