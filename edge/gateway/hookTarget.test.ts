import { describe, expect, it } from "vitest";
import { hookTarget } from "./hookTarget.ts";

describe("the address of a webhook of the edge", () => {
  it.each([
    "https://shop.test/hook",
    "https://93.184.216.34/",
    "https://[2606:2800::1]:8443/a?b=c",
  ])("%s is taken", (text) => {
    expect(hookTarget(text, "public").href).toBe(text);
  });

  it.each([
    "http://shop.test/hook",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://10.0.0.1/",
    "https://169.254.169.254/latest",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://[fd00::1]/",
    "https://localhost/",
    "https://a.localhost/",
    "https://printer/",
    "https://printer./",
    "https://nas.local/",
    "https://metadata.cloud.internal/",
    "https://router.home.arpa./",
    "https://user:secret@shop.test/",
  ])("%s is refused", (text) => {
    expect(() => hookTarget(text, "public")).toThrow("webhook/bad-target");
    expect(() => hookTarget(text, "public")).not.toThrow("secret");
  });

  it("may be this machine where the edge runs on it", () => {
    expect(hookTarget("http://localhost:8080/", "loopback").port).toBe("8080");
    expect(hookTarget("http://127.0.0.1:8080/", "loopback").port).toBe("8080");
    expect(() => hookTarget("http://shop.test/", "loopback")).toThrow("webhook/bad-target");
    expect(() => hookTarget("https://nas.local/", "loopback")).toThrow("webhook/bad-target");
  });
});
