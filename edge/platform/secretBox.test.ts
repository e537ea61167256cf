import { describe, expect, it } from "vitest";
import { Secret } from "@svc/shared/base/secret.ts";
import { SecretBox } from "./secretBox.ts";

const OLD = `k1:${"11".repeat(32)}`;
const NEW = `k2:${"22".repeat(32)}`;
const PLACE = { merchant: "mer_1", field: "webhook/we_1" };
const text = "whsec_plJ3nmyCDGBKInavdOK15jsl";
const secret = () => new Secret(new TextEncoder().encode(text));
const opened = async (box: SecretBox, sealed: string, place = PLACE) =>
  (await box.open(place, sealed)).reveal((bytes) => new TextDecoder().decode(bytes));

describe("a sealed secret", () => {
  it("opens under its key, and at its place alone", async () => {
    const box = await SecretBox.of(OLD);
    const sealed = await box.seal(PLACE, secret());
    expect(sealed).toMatch(/^k1\.[0-9a-f]+$/);
    expect(await opened(box, sealed)).toBe(text);
    for (const place of [
      { merchant: "mer_2", field: "webhook/we_1" },
      { merchant: "mer_1", field: "webhook/we_2" },
      { merchant: "mer_1w", field: "ebhook/we_1" },
      { merchant: "", field: "mer_1webhook/we_1" },
    ]) {
      await expect(opened(box, sealed, place)).rejects.toThrow("store/corrupt");
    }
  });

  it("has another IV each time", async () => {
    const box = await SecretBox.of(OLD);
    const all = await Promise.all(Array.from({ length: 50 }, () => box.seal(PLACE, secret())));
    expect(new Set(all.map((one) => one.slice(3, 27))).size).toBe(50);
  });

  it("is AES-256-GCM with the lengths of merchant and field before them", async () => {
    const box = await SecretBox.of(OLD);
    const sealed = await box.seal(PLACE, secret());
    const bytes = Uint8Array.from(sealed.slice(3).match(/../g) ?? [], (hex) =>
      Number.parseInt(hex, 16),
    );
    const raw = new Uint8Array(32).fill(0x11);
    const key = await crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["decrypt"]);
    const additionalData = new TextEncoder().encode("\u0005\0\0\0mer_1\u000c\0\0\0webhook/we_1");
    const algorithm = { name: "AES-GCM", iv: bytes.slice(0, 12), additionalData };
    const plain = await crypto.subtle.decrypt(algorithm, key, bytes.slice(12));
    expect(new TextDecoder().decode(plain)).toBe(text);
  });

  it("does not open with any of its characters changed, or cut short", async () => {
    const box = await SecretBox.of(`${OLD},${NEW}`);
    const sealed = await box.seal(PLACE, secret());
    for (let place = 0; place < sealed.length; place += 1) {
      const char = sealed[place] === "2" ? "3" : "2";
      const other = sealed.slice(0, place) + char + sealed.slice(place + 1);
      await expect(box.open(PLACE, other), other).rejects.toThrow("store/corrupt");
      await expect(box.open(PLACE, sealed.slice(0, place))).rejects.toThrow("store/corrupt");
    }
  });

  it("stays readable while its key is replaced, and is sealed anew under the first one", async () => {
    const sealed = await (await SecretBox.of(OLD)).seal(PLACE, secret());
    const both = await SecretBox.of(`${NEW},${OLD}`);
    expect(await opened(both, sealed)).toBe(text);
    expect(both.isCurrent(sealed)).toBe(false);
    const again = await both.seal(PLACE, await both.open(PLACE, sealed));
    expect(both.isCurrent(again)).toBe(true);
    const after = await SecretBox.of(NEW);
    expect(await opened(after, again)).toBe(text);
    await expect(after.open(PLACE, sealed)).rejects.toThrow("its key is not here");
  });

  it("is not made of a secret without a bound", async () => {
    const box = await SecretBox.of(OLD);
    await expect(box.seal(PLACE, new Secret(new Uint8Array(4_097)))).rejects.toThrow(
      "codec/count-too-large",
    );
    await expect(box.seal(PLACE, new Secret(new Uint8Array(4_096)))).resolves.toMatch(/^k1\./);
  });
});

describe("master keys", () => {
  it.each([
    "",
    "11".repeat(32),
    `k1:${"11".repeat(31)}`,
    `K1:${"11".repeat(32)}`,
    `${OLD},`,
    `${OLD},k1:${"33".repeat(32)}`,
    Array.from({ length: 9 }, (_, at) => `k${at}:${"11".repeat(32)}`).join(","),
  ])("that are malformed are refused without a word of them: case %#", async (keys) => {
    const refusal = SecretBox.of(keys);
    await expect(refusal).rejects.toThrow("node/bad-option");
    await expect(refusal).rejects.not.toThrow("1111");
  });
});
