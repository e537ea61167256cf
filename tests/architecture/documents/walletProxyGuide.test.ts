/** The guide for proxies before a wallet daemon against the limits of the daemon and its clients. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { WALLETD_LIMITS } from "@svc/node-server/walletd/walletdLimits.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";

const MS_PER_SECOND = 1_000;
const MIB = 1_024 * 1_024;
const guide = readFileSync(
  new URL("../../../docs/guides/wallet-proxy.md", import.meta.url),
  "utf8",
);

/** The proxies of the guide, with the words of each for how long it waits and how much it takes. */
const PROXIES = {
  nginx: {
    waits: ["proxy_read_timeout", "proxy_send_timeout"],
    bodies: "client_max_body_size",
  },
  Caddy: {
    waits: ["response_header_timeout", "read_timeout"],
    bodies: "max_size",
  },
} as const;

/** The configurations of the guide, by the name that stands at the head of the paragraph before each. */
const configs = new Map(
  [...guide.matchAll(/^(\w+)\b[^\n]*:\n\n```(?:nginx)?\n(.*?)^```$/gms)]
    .map(([, name = "", text = ""]) => [name, text] as const)
    .filter(([, text]) => text.includes("{") && text.includes("127.0.0.1:8501")),
);

/** The numbers behind a word in a text. */
function numbersOf(text: string, word: string, unit: string): readonly number[] {
  const form = new RegExp(`(?<!\\w)${word} (\\d+) ?${unit}`, "gi");
  return [...text.matchAll(form)].map(([, number]) => Number(number));
}

it("the guide has a configuration for each proxy that is looked at here, and no other", () => {
  expect([...configs.keys()]).toEqual(Object.keys(PROXIES));
});

it("proxies wait for a payment as long as clients do, and the daemon waits no shorter", () => {
  const seconds = PROTOCOL_LIMITS.walletSendMs / MS_PER_SECOND;
  for (const [name, { waits }] of Object.entries(PROXIES)) {
    for (const word of waits) {
      expect([name, word, numbersOf(configs.get(name) ?? "", word, "s\\b")]).toEqual([
        name,
        word,
        [seconds],
      ]);
    }
  }
  expect(numbersOf(guide, "- Wait", "s for an answer")).toEqual([seconds]);
  expect(WALLETD_LIMITS.httpIdleMs).toBeGreaterThan(PROTOCOL_LIMITS.walletSendMs);
});

it("proxies take bodies as large as the daemon does", () => {
  const mib = WALLETD_LIMITS.httpBodyBytes / MIB;
  for (const [name, { bodies }] of Object.entries(PROXIES)) {
    expect([name, numbersOf(configs.get(name) ?? "", bodies, "M")]).toEqual([name, [mib]]);
  }
  expect(numbersOf(guide, "- Take bodies of", "MiB")).toEqual([mib]);
});

it("proxies repeat no call", () => {
  expect(configs.get("nginx")).toMatch(/^ *proxy_next_upstream off;$/m);
  // Caddy repeats nothing unless it is told to.
  expect(configs.get("Caddy")).not.toMatch(/lb_retries|lb_try_duration|lb_retry_match/);
});
