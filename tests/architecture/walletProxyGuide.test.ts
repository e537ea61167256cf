/** The guide for proxies before a wallet daemon against the limits of the daemon and its clients. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { WALLETD_LIMITS } from "@svc/node-server/walletd/walletdLimits.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";

const MS_PER_SECOND = 1_000;
const MIB = 1_024 * 1_024;
const guide = readFileSync(new URL("../../docs/guides/wallet-proxy.md", import.meta.url), "utf8");

/** Numbers behind a form in the guide. */
function numbersOf(form: RegExp): readonly number[] {
  return [...guide.matchAll(form)].map(([, number]) => Number(number));
}

it("proxies wait for a payment as long as clients do, and the daemon waits no shorter", () => {
  const seconds = numbersOf(
    /\b(?:proxy_read_timeout|proxy_send_timeout|response_header_timeout|read_timeout) (\d+)s/g,
  );
  expect(seconds).toHaveLength(4);
  for (const one of [...seconds, ...numbersOf(/^- Wait (\d+) s for an answer/gm)]) {
    expect(one * MS_PER_SECOND).toBe(PROTOCOL_LIMITS.walletSendMs);
  }
  expect(WALLETD_LIMITS.httpIdleMs).toBeGreaterThan(PROTOCOL_LIMITS.walletSendMs);
});

it("proxies take bodies as large as the daemon does", () => {
  const sizes = numbersOf(/\b(?:client_max_body_size|max_size|bodies of) (\d+) ?M/gi);
  expect(sizes).toHaveLength(3);
  for (const size of sizes) expect(size * MIB).toBe(WALLETD_LIMITS.httpBodyBytes);
});
