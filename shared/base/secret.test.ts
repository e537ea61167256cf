import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Secret } from "./secret.ts";

describe("Secret", () => {
  it("shows nothing, however it is printed", () => {
    const secret = new Secret(Uint8Array.of(0xde, 0xad));
    const shown = [`${secret}`, JSON.stringify({ secret }), inspect(secret), inspect({ secret })];
    for (const text of shown) {
      expect(text).toContain("[secret]");
      expect(text).not.toMatch(/de|ad|222|173/);
    }
    expect(Object.keys(secret)).toEqual([]);
  });

  it("lends its bytes until it is erased", () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const secret = new Secret(bytes);
    expect(secret.reveal((lent) => lent.length)).toBe(3);
    secret.erase();
    secret.erase();
    expect([...bytes]).toEqual([0, 0, 0]);
    expect(secret.erased).toBe(true);
    expect(() => secret.reveal(() => 0)).toThrow(
      expect.objectContaining({ code: "internal/erased-secret" }),
    );
  });

  it("is erased at the end of a using block", () => {
    const bytes = Uint8Array.of(7);
    {
      using secret = new Secret(bytes);
      expect(secret.erased).toBe(false);
    }
    expect(bytes[0]).toBe(0);
  });
});
