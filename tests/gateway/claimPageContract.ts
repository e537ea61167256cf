/** The part of the contract of pages that claims have: what a payer's browser is given, without script, over every host of the gateway. */
import { expect, it } from "vitest";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import type { ContractScene } from "./contractScene.ts";
import { RefundScene, type RefundRecord } from "./refundScene.ts";

const NEVER = `clm_${"0".repeat(32)}`;
const EVIL = `"><script>alert(1)</script>`;
const ESCAPED = "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;";
const TEN_MIB = 10 * 1_048_576;

/** Adds its tests to a suite of pages. */
export function claimPageContract(of: ContractScene): void {
  givenAddresses(of);
  keptPages(of);
  liars(of);
  floods(of);
}

/** A refund of 1,000 sompi that nobody has claimed, and where its page is. */
async function offered(of: ContractScene) {
  const scene = await RefundScene.open(of.host);
  const made = await scene.offered(await scene.paid(1_000n), {
    amount: "all",
    reason: "hidden reason",
  });
  return { scene, made, path: pathOf(made) };
}

function pathOf({ claimUrl }: RefundRecord): string {
  return new URL(claimUrl, "https://pay.example").pathname;
}

/** What a browser sends for the form of the page. */
function give(
  of: ContractScene,
  path: string,
  address: string,
  headers: Readonly<Record<string, string>> = { "Sec-Fetch-Site": "same-origin", Origin: "null" },
): Promise<Response> {
  const body = new URLSearchParams({ address });
  return of.host.fetch(path, { method: "POST", redirect: "manual", headers, body });
}

async function textOf(of: ContractScene, path: string): Promise<string> {
  return (await of.host.fetch(path)).text();
}

/** From the offer to the approval. */
function givenAddresses(of: ContractScene): void {
  it("ask who claims a refund for an address, and say what became of it", async () => {
    const { scene, made, path } = await offered(of);
    expect(path).toMatch(/^\/claim\/clm_[0-9a-f]{32}$/);
    const page = await of.host.fetch(path);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(html).toContain("0.00001\u00a0coins");
    expect(html).toContain("The shop");
    expect(html).toContain(`<form method="post" action="${path}"`);
    // A claim is random, and may have any digits.
    const body = html.slice(html.indexOf("<body>")).replaceAll(path, "");
    for (const hidden of ["4711", "hidden reason", made.id, made.invoiceId, "<script"]) {
      expect(body, hidden).not.toContain(hidden);
    }
    for (const address of [scene.home, scene.elsewhere]) {
      const answer = await give(of, path, ` ${address} `);
      expect([answer.status, answer.headers.get("location")]).toEqual([303, path]);
      const claimed = await textOf(of, path);
      expect(claimed).toContain(address);
      expect(claimed).toContain("The shop has to approve it");
      expect(claimed).not.toContain("<form");
      expect(await textOf(of, `${path}?change`)).toContain("<form");
    }
    expect((await scene.step(made, "approve", { address: scene.elsewhere })).status).toBe(200);
    // Who is too late is told what was decided.
    expect((await give(of, path, scene.home)).status).toBe(303);
    const approved = await textOf(of, `${path}?change`);
    expect(approved).toContain("has approved");
    expect(approved).toContain(scene.elsewhere);
    expect(approved).not.toContain(scene.home);
    expect(approved).not.toContain("<form");
    expect((await scene.step(made, "cancel")).status).toBe(200);
    expect(await textOf(of, path)).toContain("no longer offered");
  });
}

/** What a browser may do with them. */
function keptPages(of: ContractScene): void {
  it("of a claim have no script, stand in no frame, and are neither kept nor listed", async () => {
    const { path } = await offered(of);
    const page = await of.host.fetch(path);
    const policy = page.headers.get("content-security-policy") ?? "";
    const nonce = /style-src 'nonce-([0-9a-f]{32})'/.exec(policy)?.[1] ?? "none";
    expect(policy.split("; ").toSorted()).toEqual([
      "base-uri 'none'",
      "connect-src 'none'",
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src data:",
      "script-src 'none'",
      `style-src 'nonce-${nonce}'`,
    ]);
    expect(await page.text()).toContain(`<style nonce="${nonce}">`);
    for (const answer of [page, await of.host.fetch(`/claim/${NEVER}`)]) {
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "cache-control": "no-store",
        "content-type": "text/html; charset=utf-8",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-robots-tag": "noindex",
      });
    }
  });
}

/** What a payer mistypes, and what somebody else sends. */
function liars(of: ContractScene): void {
  it("of a claim say as the API does why an address is none, and keep what was typed", async () => {
    const { scene, made, path } = await offered(of);
    const mistyped = scene.home.slice(0, -1) + (scene.home.endsWith("q") ? "p" : "q");
    const other = `other${scene.home.slice(scene.home.indexOf(":"))}`;
    for (const address of ["", mistyped, other, EVIL, `${EVIL}:q`]) {
      const told = await scene.fill(made, address);
      const answer = await give(of, path, address);
      const html = await answer.text();
      expect([answer.status, told.status], address).toEqual([400, 400]);
      expect(html, address).toContain(`role="alert" lang="en">${escaped(told.json["error"])}</p>`);
      expect(html, address).toContain(` value="${escaped(address)}"`);
      expect(html, address).not.toContain("<script");
      expect(html, address).not.toContain('http-equiv="refresh"');
    }
    expect(escaped(EVIL)).toBe(ESCAPED);
    expect((await scene.payer.ask("GET", scene.claimPath(made))).json["state"]).toBe("requested");
  });

  it("of a claim take no form of another origin", async () => {
    const { scene, made, path } = await offered(of);
    const senders: readonly Readonly<Record<string, string>>[] = [
      { Origin: "https://evil.example" },
      { Origin: "null" },
      { Origin: "null", "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "same-site" },
    ];
    for (const headers of senders) {
      const answer = await give(of, path, scene.home, headers);
      expect(answer.status, JSON.stringify(headers)).toBe(403);
      expect(await answer.text()).toMatch(/^<!doctype html>/i);
    }
    const { json } = await scene.payer.ask("GET", scene.claimPath(made));
    expect([json["state"], json["address"]]).toEqual(["requested", null]);
  });

  it("of a claim say in words that there is no such refund", async () => {
    for (const id of [NEVER, "x", "clm_%00", encodeURIComponent("<script>")]) {
      const asked = [await of.host.fetch(`/claim/${id}`), await give(of, `/claim/${id}`, "x")];
      for (const page of asked) {
        const html = await page.text();
        expect(page.status, id).toBe(404);
        expect(html, id).toContain("There is no such refund");
        expect(html, id).not.toContain("<script");
      }
    }
  });
}

/** Too much, and too often. */
function floods(of: ContractScene): void {
  it("of a claim are one share with the API, for reading and for giving an address", async () => {
    const { scene, made, path } = await offered(of);
    const { made: other } = await offered(of);
    for (let count = 0; count < MERCHANT_LIMITS.checkoutReadsPerMinute; count += 4) {
      expect((await of.host.fetch(path)).status).toBe(200);
      expect((await scene.payer.ask("GET", scene.claimPath(made))).status).toBe(200);
      if (count + 2 >= MERCHANT_LIMITS.checkoutReadsPerMinute) break;
      expect((await give(of, path, scene.home)).status).toBe(303);
      expect((await scene.fill(made, scene.home)).status).toBe(200);
    }
    for (const over of [await of.host.fetch(path), await give(of, path, scene.elsewhere)]) {
      expect([over.status, over.headers.get("ratelimit-remaining")]).toEqual([429, "0"]);
      expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await over.text()).toContain("Too many questions at once");
    }
    expect((await of.host.fetch(pathOf(other))).status).toBe(200);
    const { json } = await scene.shop.ask("GET", `/api/v1/refunds/${made.id}`);
    expect(json["address"]).toBe(scene.home);
  });

  it("of a claim refuse a body of 10 MiB, and read no more of it than a form has", async () => {
    const { scene, made, path } = await offered(of);
    const answer = await give(of, path, "q".repeat(TEN_MIB));
    expect(answer.status).toBe(413);
    expect((await answer.text()).length).toBeLessThan(20_000);
    expect((await scene.payer.ask("GET", scene.claimPath(made))).json["state"]).toBe("requested");
  });
}

function escaped(text: unknown): string {
  return String(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
