/**
 * Pages by which a shop's plugin asks for an API key (`/api-keys/authorize`). BTCPay Server makes a key there for whoever has signed in.
 * This gateway has no such sign-in: its merchant gives a key that `svc gateway keys` issued, sees what it may do and where it goes,
 * and hands it over with a second click. A form carries it, so it stands in no address, no log and no referrer.
 */
import type { Context, Hono } from "hono";
import { encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { isWebUrl } from "../../protocol/gateway/webUrl.ts";
import { hashApiKey } from "../apiKey.ts";
import { countStranger } from "../callRates.ts";
import { formFieldsOf } from "../contractCall.ts";
import type { MerchantKey } from "../gatewayPorts.ts";
import { markup, type Markup } from "../page/markup.ts";
import type { GreenfieldHost } from "./greenfieldCall.ts";
import { keyPermissions } from "./greenfieldPermissions.ts";

/** The context of a request. */
type Env = { Variables: { requestId: string } };

const PATH = "/api-keys/authorize";
const NONCE_BYTES = 16;
const KEY = /^[\x21-\x7e]{1,255}$/;
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
/** Characters of the name by which a plugin calls itself. */
const NAME_CHARS = 80;
const STYLE =
  "body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}" +
  "code{overflow-wrap:anywhere}input,button{font:inherit;padding:.5rem;margin:.5rem 0;box-sizing:border-box}input{width:100%}";

/** Adds them. */
export function addAuthorizePages(app: Hono<Env>, host: GreenfieldHost, hasRefunds: boolean): void {
  app.get(PATH, async (c) => {
    await countStranger(c, "checkout", host);
    const target = targetOf(c.req.query("redirect"));
    const asker = (c.req.query("applicationName") ?? "").slice(0, NAME_CHARS);
    return page(c, host, { body: askPage(target, asker, false), formTo: "'self'" });
  });
  app.post(PATH, async (c) => {
    await countStranger(c, "checkout", host);
    const form = await formFieldsOf(c);
    const target = targetOf(form.get("redirect") ?? undefined);
    const text = (form.get("key") ?? "").trim();
    const key = KEY.test(text) ? await host.merchants.keyOf(await hashApiKey(text)) : null;
    if (key !== null) {
      const permissions = keyPermissions(key, hasRefunds);
      const body = handPage(target, { key, text, permissions });
      return page(c, host, { body, formTo: target.origin });
    }
    const asker = (form.get("applicationName") ?? "").slice(0, NAME_CHARS);
    return page(c, host, { body: askPage(target, asker, true), formTo: "'self'", status: 401 });
  });
}

/** Where the key goes: to https, or to this machine. Throws `api/bad-field`. */
function targetOf(text: string | undefined): URL {
  if (text !== undefined && isWebUrl(text)) {
    const url = new URL(text);
    if (url.protocol === "https:" || LOOPBACK.test(url.hostname)) return url;
  }
  throw new SvcError("api/bad-field", { field: "redirect", expected: "an address of https" });
}

function askPage(target: URL, asker: string, isWrong: boolean): Markup {
  return markup`<h1>Connect a shop</h1>
<p>A shop at <code>${target.origin}</code> asks for an API key of this gateway${asker === "" ? null : markup`. It calls itself “${asker}”`}.</p>
<p>Go on only if you came here from your own shop. Whoever has the key can use every right that it has.</p>
${isWrong ? markup`<p role="alert">This is no key of this gateway, or it was revoked.</p>` : null}
<form method="post" action="authorize" autocomplete="off">
<label for="key">API key, from <code>svc gateway keys issue</code></label>
<input id="key" name="key" type="password" required maxlength="255" autocomplete="off">
<input name="redirect" type="hidden" value="${target.href}">
<input name="applicationName" type="hidden" value="${asker}">
<button>Check the key</button>
</form>`;
}

type Handed = {
  readonly key: MerchantKey;
  readonly text: string;
  readonly permissions: readonly string[];
};

function handPage(target: URL, { key, text, permissions }: Handed): Markup {
  const fields = permissions.map(
    (word) => markup`<input name="permissions[]" type="hidden" value="${word}">`,
  );
  return markup`<h1>Give the key to this shop?</h1>
<p>The key is for <b>${key.merchant.look.storeName}</b> and goes to <code>${target.origin}</code>. It may do this:</p>
<ul>${permissions.map((word) => markup`<li><code>${word}</code></li>`)}</ul>
<form method="post" action="${target.href}" autocomplete="off">
<input name="apiKey" type="hidden" value="${text}">
${fields}
<button>Give it to ${target.host}</button>
</form>`;
}

type Shown = { readonly body: Markup; readonly formTo: string; readonly status?: 200 | 401 };

function page(
  c: Context,
  { randomBytes }: GreenfieldHost,
  { body, formTo, status = 200 }: Shown,
): Response {
  const nonce = encodeHex(randomBytes(NONCE_BYTES));
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; form-action ${formTo}; base-uri 'none'; frame-ancestors 'none'`;
  const top = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API key for a shop</title>
<link rel="icon" href="data:,">
`;
  const style = `<style nonce="${nonce}">${STYLE}</style>`;
  const text = `${top.toString()}${style}\n</head>\n<body><main>${body.toString()}</main></body>\n</html>\n`;
  return c.body(text, status, {
    "Content-Security-Policy": policy,
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
  });
}
