/** The lines of the guide for a device without a network: they pay over a model of a daemon and the signer of the offline page. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { asSompi } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { codeOf } from "@svc/shared/base/testkit/codeOf.ts";
import { decodePreparedPayment } from "@svc/shared/signer/airgap/preparedPaymentCbor.ts";
import { encodeSignedPayment } from "@svc/shared/signer/airgap/signedPaymentCbor.ts";
import { UrDecoder } from "@svc/shared/signer/airgap/urDecoder.ts";
import { UrEncoder } from "@svc/shared/signer/airgap/urEncoder.ts";
import { UR_TYPES } from "@svc/shared/signer/airgap/urFrame.ts";
import { airgapCodes, AirgapSignatures } from "@svc/shared/signer/airgapCodes.ts";
import { PaymentSigner } from "@svc/web/signer/paymentSigner.ts";
import { DaemonModel, TXID } from "./daemonModel.ts";
import { payScene } from "./payScene.ts";
import { CASE_SEED, core, HONEST, preparedOf, profileJson, TAKEN } from "./signerCases.ts";

const ROOT = new URL("../../", import.meta.url);
const { signal } = new AbortController();
const { to, answered, changed, question } = payScene();
const { payment } = question;
const honest = preparedOf(HONEST);
const body = { fvk_hex: "00", to, amount_sompi: String(payment.value), allow_partial: false };
const folder = temporaryFolder();
afterAll(() => folder.remove());

/** The page without a network: what it is shown, and what it shows then. */
class OfflinePage {
  readonly #decoder = new UrDecoder(UR_TYPES.payment);
  readonly #signer = new PaymentSigner(core, [profileJson], new Secret(decodeHex(CASE_SEED)));
  seen = 0;

  /** Misses each third code. */
  readonly show = async (text: string): Promise<void> => {
    this.seen += 1;
    if (this.seen % 3 !== 0) this.#decoder.receive(text);
  };

  // Signatures are random, and so is which parts a later code sums: three rounds of codes are too few for 2 answers in 1,000.
  async *scan(): AsyncGenerator<string> {
    const { result } = this.#decoder;
    if (result === null) return;
    const answer = encodeSignedPayment(this.#signer.sign(decodePreparedPayment(result)));
    const frames = new UrEncoder(UR_TYPES.signatures, answer, 40);
    for (let number = 2; number <= 30 * frames.count; number += 1) yield frames.frame(number);
  }
}

type Example = (parts: object, ...rest: unknown[]) => Promise<string>;
let payOverTheGap: Example;

beforeAll(async () => {
  const text = readFileSync(new URL("docs/guides/wallet-phones.md", ROOT), "utf8");
  const [, lines = ""] = /```js\n([^]*?)```/.exec(text) ?? [];
  const modules = new URL("shared/signer/", ROOT).href;
  const file = join(folder.path, "example.mjs");
  writeFileSync(file, lines.replaceAll(/"svc-signer\/(\w+)"/g, `"${modules}$1.ts"`));
  ({ payOverTheGap } = await import(/* @vite-ignore */ pathToFileURL(file).href));
});

describe("the lines of the guide", () => {
  it("pay through codes alone, of which some are missed", async () => {
    const daemon = new DaemonModel([answered(HONEST)]);
    const page = new OfflinePage();
    const parts = { daemon, show: page.show, scan: () => page.scan() };
    expect(await payOverTheGap(parts, body, question, signal)).toBe(TXID);
    expect(page.seen).toBeGreaterThan(10);
    expect(daemon.submits.map(({ session }) => session)).toEqual([honest.session]);
    expect(daemon.submits[0]?.sigs).toHaveLength(HONEST.alphas.length);
  });

  it("hand the same signatures in again where the answer is lost", async () => {
    const daemon = new DaemonModel([answered(HONEST)]);
    daemon.losses.set(1, new TypeError("fetch failed"));
    const page = new OfflinePage();
    const parts = { daemon, show: page.show, scan: () => page.scan() };
    expect(await payOverTheGap(parts, body, question, signal)).toBe(TXID);
    expect(daemon.submits).toHaveLength(2);
    expect(daemon.submits[1]).toEqual(daemon.submits[0]);
    expect([...daemon.sent]).toEqual([honest.session]);
  });

  it("hand in nothing for a payment that the page refuses, or a wallet that is not ready", async () => {
    const daemon = new DaemonModel([changed((answer) => (answer.fee_sompi_exact = "1"))]);
    const page = new OfflinePage();
    const parts = { daemon, show: page.show, scan: () => page.scan() };
    await expect(payOverTheGap(parts, body, question, signal)).rejects.toThrow("claim-differs");
    daemon.status = async () => "{}";
    await expect(payOverTheGap(parts, body, question, signal)).rejects.toThrow("not-ready");
    expect([page.seen, daemon.submits]).toEqual([0, []]);
  });
});

describe("codes of an answer", () => {
  it("are refused for a part of what was asked for", () => {
    const part = changed((answer) => (answer.remaining_sompi_exact = "7"));
    const more = { ...question, payment: { ...payment, value: asSompi(payment.value + 7n) } };
    expect(codeOf(() => airgapCodes(JSON.stringify(part), more))).toBe("signer/remaining");
  });

  it("of the way back are refused for another session, and may be followed by the right ones", async () => {
    const other = preparedOf(TAKEN.find(({ name }) => name === "a payment to oneself") ?? HONEST);
    const page = new OfflinePage();
    const { part, count, code } = airgapCodes(JSON.stringify(answered(HONEST)), question);
    for (let number = 1; number <= 3 * count; number += 1) await page.show(code(number));
    const texts: string[] = [];
    for await (const text of page.scan()) texts.push(text);
    expect(other.session).not.toBe(part.session);
    const wrong = new AirgapSignatures(other.session);
    const receiveAll = () => texts.map((text) => wrong.receive(text));
    expect(codeOf(receiveAll)).toBe("signer/wrong-session");
    expect(wrong.share).toBe(0);
    const right = new AirgapSignatures(part.session);
    expect(right.receive(texts[0] ?? "")).toBeNull();
    const { session } = part;
    expect(texts.map((text) => right.receive(text)).at(-1)).toMatchObject({ session });
    expect(part).toEqual({ session: honest.session, amount: payment.value, fee: honest.fee });
  });
});
