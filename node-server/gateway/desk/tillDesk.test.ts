/** Tills over a database on disk: what stays over a new start, what ends a session, and how much work strangers can make. */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { asHash32 } from "@svc/shared/base/brand.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { hashToken } from "@svc/shared/gateway/till/tillCookie.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { changeTill, setTillPassword } from "../access/tillAccounts.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { DeskHost } from "../testkit/deskHost.ts";

const PASSWORD = "correct horse battery";

const secretOf = (text: string): Secret => new Secret(new TextEncoder().encode(text));

async function openHost(folder: string | null = null): Promise<DeskHost> {
  const host = await DeskHost.open(folder);
  if (host.access.tills.get("counter") === undefined) {
    await host.addTill("shop", "counter", PASSWORD);
  }
  return host;
}

/** A host that closes with its test. */
async function testHost(): Promise<DeskHost> {
  const host = await openHost();
  onTestFinished(() => host.close());
  return host;
}

async function tokenOf(host: DeskHost): Promise<Secret> {
  const opened = await host.tills.signIn("counter", secretOf(PASSWORD), null);
  if (opened === null) throw new TypeError("it was not signed in");
  return opened.token;
}

describe("a till", () => {
  it("rings up in another currency at once when its operator says so, and stays signed in", async () => {
    const host = await testHost();
    const token = await hashToken(await tokenOf(host));
    changeTill(host.access, "counter", { currency: "USD", tips: [7] });
    expect((await host.tills.session(token))?.till).toMatchObject({
      ...{ currency: "USD", timeZone: "Europe/Berlin", tips: [7] },
    });
    expect(() => changeTill(host.access, "nobody", { tips: [] })).toThrow(/bad-option/);
  });

  it("stays signed in over a new start of the gateway, and neither password nor token is on disk", async () => {
    const folder = folderOfTest();
    const first = await openHost(folder);
    const token = await tokenOf(first);
    await first.close();
    const again = await openHost(folder);
    onTestFinished(() => again.close());
    expect(await again.tills.session(await hashToken(token))).toMatchObject({
      till: { name: "counter", merchant: { id: "shop" } },
    });
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
    expect(files.length).toBeGreaterThan(1);
    const hex = token.reveal((bytes) => Buffer.from(bytes).toString("hex"));
    for (const bytes of files) {
      expect(bytes.includes(PASSWORD)).toBe(false);
      expect(bytes.includes(hex)).toBe(false);
      expect(token.reveal((raw) => bytes.includes(Buffer.from(raw)))).toBe(false);
    }
  });

  it("is signed out by another password, its removal, and the end of its merchant", async () => {
    const host = await testHost();
    const hash = await hashToken(await tokenOf(host));
    await host.changeTill("counter", "another password");
    expect(await host.tills.session(hash)).toBeNull();
    await host.changeTill("counter", null);
    expect(await host.tills.signIn("counter", secretOf("another password"), null)).toBeNull();
    // One of the same name is another one.
    await host.addTill("shop", "counter", PASSWORD);
    expect(await host.tills.session(hash)).toBeNull();
    expect(await host.tills.session(asHash32("0".repeat(64)))).toBeNull();
  });

  it("has so many sessions at once: the one that was opened first goes", async () => {
    const host = await testHost();
    const first = await hashToken(await tokenOf(host));
    const second = await hashToken(await laterToken(host));
    for (let count = 2; count <= MERCHANT_LIMITS.tillSessions; count += 1) await laterToken(host);
    expect(await host.tills.session(first)).toBeNull();
    expect(await host.tills.session(second)).not.toBeNull();
    expect(host.store.tillSessions.of("counter")).toHaveLength(MERCHANT_LIMITS.tillSessions);
  });

  it("whose password is too short, or whose name is taken, is not added, and nothing of it stays", async () => {
    const host = await testHost();
    const bad = "node/bad-option";
    expect(await rejectionCode(host.addTill("shop", "other", "x".repeat(9)))).toBe(bad);
    expect(await rejectionCode(host.addTill("shop", "other", "x".repeat(129)))).toBe(bad);
    expect(await rejectionCode(host.addTill("shop", "counter", "another password"))).toBe(bad);
    expect(host.access.tills.all().map(({ name }) => name)).toEqual(["counter"]);
    expect(await host.tills.signIn("counter", secretOf(PASSWORD), null)).not.toBeNull();
  });

  it("signs in with a password at the usual cost, which is what the operator's commands give it", async () => {
    const host = await testHost();
    await setTillPassword(host.access, "counter", secretOf("another password"), { randomBytes });
    expect(host.access.tills.get("counter")?.password).toMatchObject({ n: 32_768, r: 8, p: 3 });
    expect(await host.tills.signIn("counter", secretOf(PASSWORD), null)).toBeNull();
    expect(await host.tills.signIn("counter", secretOf("another password"), null)).not.toBeNull();
  });
});

describe("a flood of passwords", () => {
  it("waits for so many at most, and the rest is told to come again", async () => {
    const host = await testHost();
    const most = GATEWAY_LIMITS.passwordChecks + GATEWAY_LIMITS.passwordsWaiting;
    const tries = Array.from({ length: most + 3 }, () =>
      host.tills.signIn("nobody", secretOf("wrong password"), null).then(
        (session) => session,
        (error: unknown) => error,
      ),
    );
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(most);
    const refused = outcomes.filter((outcome) => outcome !== null);
    expect(refused).toHaveLength(3);
    for (const one of refused) expect(one).toMatchObject({ code: "http/unavailable" });
    // Afterwards everybody can again.
    expect(await host.tills.signIn("counter", secretOf(PASSWORD), null)).not.toBeNull();
  });
});

async function laterToken(host: DeskHost): Promise<Secret> {
  await host.pass(1_000n);
  return tokenOf(host);
}
