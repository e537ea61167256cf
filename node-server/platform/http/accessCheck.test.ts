/** Tests of access to the HTTP server: host names (DNS rebinding), origins, and the host to whose quota a request counts. */
import { describe, expect, it } from "vitest";
import { AccessCheck, OWN_PAGES, type HttpRules, type JudgedRequest } from "./accessCheck.ts";
import { TrustedProxies } from "./trustedProxies.ts";

const HOST = "127.0.0.1:80";

function judge(
  headers: Record<string, string>,
  {
    rules = {},
    listen = "127.0.0.1",
    remote = "192.0.2.7",
    local = "127.0.0.1",
    url = "/v1/tip",
    isOpened = false,
  }: {
    rules?: Partial<HttpRules>;
    listen?: string;
    remote?: string;
    local?: string;
    url?: string;
    isOpened?: boolean;
  } = {},
) {
  const request: JudgedRequest = {
    url,
    headers: { host: HOST, ...headers },
    socket: { remoteAddress: remote, localAddress: local },
  };
  return new AccessCheck({ ...OWN_PAGES, ...rules }, listen, isOpened).judge(request);
}

function proxies(...ranges: string[]): TrustedProxies {
  const read = TrustedProxies.of(ranges);
  if (read === undefined) throw new Error("no ranges");
  return read;
}

describe("names", () => {
  it.each(["127.0.0.1", "127.0.0.1:8080", "localhost:1", "LOCALHOST", "[::1]:5"])(
    "serve %s",
    (host) => {
      expect(judge({ host }).host).toBe("192.0.2.7");
    },
  );

  it.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example:80",
    "evil.example:127.0.0.1",
    "",
    "127.0.0.1@evil.example",
    "127.0.0.1, evil.example",
    "[::1",
    "::1",
    "10.0.0.1",
    "127.0.0.1:99999999",
  ])("refuse %s", (host) => {
    expect(() => judge({ host })).toThrow("http/foreign-host");
  });

  it("serve the address that is listened at, the one that was reached, and configured names", () => {
    expect(judge({ host: "10.0.0.1:5" }, { listen: "10.0.0.1" }).origin).toBeNull();
    expect(
      judge({ host: "10.0.0.1:5" }, { listen: "0.0.0.0", local: "::ffff:10.0.0.1" }),
    ).toBeDefined();
    expect(judge({ host: "[2001:db8::5]" }, { listen: "::", local: "2001:db8::5" })).toBeDefined();
    const rules = { hostNames: ["node.example"] };
    expect(judge({ host: "Node.Example:443" }, { rules })).toBeDefined();
    expect(() => judge({ host: "other.example" }, { rules })).toThrow("http/foreign-host");
  });
});

describe("a server that has opened something to everybody", () => {
  const opened = { isOpened: true };
  const here = { ...opened, remote: "127.0.0.1" };

  it("keeps the rest for programs on this machine", () => {
    for (const host of ["127.0.0.1:80", "localhost", "[::1]:5"]) {
      expect(judge({ host }, here).host).toBe("127.0.0.1");
      expect(judge({ host }, { ...here, remote: "::ffff:127.0.0.1" }).host).toBe("127.0.0.1");
    }
  });

  it.each(["127.0.0.1:80", "localhost", "[::1]:5", "10.0.0.1"])(
    "refuses it to a program elsewhere that asks for %s",
    (host) => {
      const far = { ...opened, listen: "0.0.0.0", local: "10.0.0.1" };
      expect(() => judge({ host }, far)).toThrow("http/foreign-host");
      expect(() => judge({ host, origin: `http://${host}` }, far)).toThrow("http/foreign-host");
    },
  );

  it.each(["X-Forwarded-For", "X-Real-IP", "Forwarded", "Via", "CF-Connecting-IP"])(
    "refuses it to who comes through a proxy on this machine that names itself by %s",
    (name) => {
      const headers = { [name.toLowerCase()]: "192.0.2.9" };
      expect(() => judge(headers, here)).toThrow("http/foreign-host");
      const rules = { proxies: proxies("127.0.0.1") };
      expect(() => judge(headers, { ...here, rules })).toThrow("http/foreign-host");
    },
  );

  it("serves it under a configured name, and to pages of a configured origin", () => {
    const rules = { hostNames: ["node.example"], origins: ["https://wallet.example"] };
    const from = { ...opened, rules, listen: "0.0.0.0", local: "10.0.0.1" };
    expect(judge({ host: "node.example" }, from).host).toBe("192.0.2.7");
    const page = { host: "10.0.0.1", origin: "https://wallet.example" };
    expect(judge(page, from).origin).toBe("https://wallet.example");
    expect(() => judge({ host: "10.0.0.1" }, from)).toThrow("http/foreign-host");
  });
});

describe("targets", () => {
  it.each(["*", "http://127.0.0.1/v1/tip", "http://[", ""])("refuse %s", (url) => {
    expect(() => judge({}, { url })).toThrow("http/bad-request");
  });
});

describe("origins", () => {
  it("are the server's own, or none", () => {
    expect(judge({}).origin).toBeNull();
    expect(judge({ origin: "http://127.0.0.1:80" }).origin).toBeNull();
    const rules = { hostNames: ["node.example"] };
    expect(
      judge({ host: "node.example", origin: "https://node.example" }, { rules }).origin,
    ).toBeNull();
  });

  it.each([
    "https://evil.example",
    "null",
    "http://127.0.0.1:81",
    "http://localhost:80",
    "http://127.0.0.1:80.evil.example",
    "http://127.0.0.1:80/",
    "",
  ])("refuse %s", (origin) => {
    expect(() => judge({ origin })).toThrow("http/foreign-origin");
  });

  it("are those that the operator named", () => {
    const rules = { origins: ["https://wallet.example"] };
    expect(judge({ origin: "https://Wallet.example" }, { rules }).origin).toBe(
      "https://wallet.example",
    );
    expect(() => judge({ origin: "https://wallet.example:8443" }, { rules })).toThrow(
      "foreign-origin",
    );
  });

  it("show in what a browser says of a request that hides them", () => {
    for (const site of ["cross-site", "same-site"]) {
      expect(() => judge({ "sec-fetch-site": site, "sec-fetch-mode": "no-cors" })).toThrow(
        "http/foreign-origin",
      );
      expect(judge({ "sec-fetch-site": site, "sec-fetch-mode": "navigate" }).origin).toBeNull();
    }
    expect(judge({ "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" }).origin).toBeNull();
    expect(judge({ "sec-fetch-site": "none" }).origin).toBeNull();
    // A form of the server's own page that sends no referrer.
    expect(judge({ origin: "null", "sec-fetch-site": "same-origin" }).origin).toBeNull();
    for (const site of ["cross-site", "same-site", "none"]) {
      expect(() => judge({ origin: "null", "sec-fetch-site": site })).toThrow(
        expect.objectContaining({ code: "http/foreign-origin" }),
      );
    }
  });
});

describe("callers", () => {
  const forwarded = (text: string, rules: Partial<HttpRules>, remote = "10.0.0.1") =>
    judge({ "x-forwarded-for": text }, { rules, remote }).host;

  it("are hosts: an IPv6 /64 is one", () => {
    const hosts = ["2001:db8:1:2:3::1", "2001:db8:1:2:ffff::9", "::ffff:192.0.2.7"].map(
      (remote) => judge({}, { remote }).host,
    );
    expect(hosts).toEqual(["2001:db8:1:2::", "2001:db8:1:2::", "192.0.2.7"]);
  });

  it("are not what a stranger says of itself", () => {
    expect(forwarded("192.0.2.9", {})).toBe("10.0.0.1");
    expect(forwarded("192.0.2.9", { proxies: proxies("10.0.0.2") })).toBe("10.0.0.1");
  });

  it("are what a trusted proxy says, as far back as proxies are trusted", () => {
    const rules = { proxies: proxies("10.0.0.0/8", "2001:db8::/32") };
    expect(forwarded("192.0.2.9", rules)).toBe("192.0.2.9");
    expect(forwarded("1.1.1.1, 192.0.2.9", rules)).toBe("192.0.2.9");
    expect(forwarded("1.1.1.1, 192.0.2.9,10.5.5.5", rules)).toBe("192.0.2.9");
    expect(forwarded("192.0.2.9:4711", rules, "::ffff:10.0.0.1")).toBe("192.0.2.9");
    expect(forwarded("[2a00:1:2:3:4::5]:4711", rules, "2001:db8::1")).toBe("2a00:1:2:3::");
  });

  it("are the proxy itself when it says nothing, or nothing sensible", () => {
    const rules = { proxies: proxies("10.0.0.0/8") };
    for (const text of ["", "unknown", "evil.example", ",", "10.0.0.3"]) {
      expect(forwarded(text, rules)).toMatch(/^10\.0\.0\.[13]$/);
    }
    expect(judge({}, { rules, remote: "10.0.0.1" }).host).toBe("10.0.0.1");
  });
});
