import { describe, expect, it } from "vitest";
import { webhookUrl, type WebhookReach } from "./webhookTarget.ts";

const reasonOf = (text: string, reach: WebhookReach): string => {
  try {
    return webhookUrl(text, reach).href;
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
};

describe("the address of a webhook", () => {
  it.each([
    ["https://shop.test/hook?a=1#b", "public", "https://shop.test/hook?a=1"],
    ["http://localhost:8080/", "loopback", "http://localhost:8080/"],
    ["http://[::1]:8080/", "loopback", "http://[::1]:8080/"],
    ["http://127.8.9.1/", "loopback", "http://127.8.9.1/"],
    ["http://10.1.2.3/", "private", "http://10.1.2.3/"],
    ["https://[fd00::1]/", "private", "https://[fd00::1]/"],
  ] as const)("%s is taken, reach %s", (text, reach, href) => {
    expect(reasonOf(text, reach)).toBe(href);
  });

  it.each([
    ["shop.test", "private", "no address"],
    [`https://shop.test/${"a".repeat(2_048)}`, "private", "no address"],
    ["ftp://shop.test/", "private", "neither https nor http"],
    ["file:///etc/passwd", "private", "neither https nor http"],
    ["https://user:secret@shop.test/", "private", "a name or a password"],
    ["http://shop.test/", "loopback", "not https"],
    ["http://localhost/", "public", "not https"],
    ["https://127.0.0.1/", "public", "loopback"],
    ["https://2130706433/", "public", "loopback"],
    ["https://0x7f.1/", "public", "loopback"],
    ["https://[::ffff:127.0.0.1]/", "public", "loopback"],
    ["https://10.0.0.1/", "loopback", "private"],
    ["https://192.168.1.1/", "public", "private"],
    ["https://169.254.169.254/latest", "private", "linkLocal"],
    ["https://[fe80::1]/", "private", "linkLocal"],
    ["https://0.0.0.0/", "private", "unspecified"],
    ["https://100.64.0.1/", "public", "carrierGradeNat"],
    ["https://[64:ff9b::a00:1]/", "public", "rfc6052"],
    ["https://224.0.0.1/", "private", "multicast"],
  ] as const)("%s is refused, reach %s", (text, reach, reason) => {
    expect(reasonOf(text, reach)).toContain("webhook/bad-target");
    expect(reasonOf(text, reach)).toContain(reason);
    expect(reasonOf(text, reach)).not.toContain("secret");
  });
});
