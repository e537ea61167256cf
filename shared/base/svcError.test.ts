import { describe, expect, it } from "vitest";
import { SvcError } from "./svcError.ts";

describe("SvcError", () => {
  it("carries its code and its data as text", () => {
    const error = new SvcError("codec/count-too-large", { count: 7n, max: 3 });
    expect(error.data).toEqual({ count: "7", max: "3" });
    expect(error.message).toBe("codec/count-too-large (count=7, max=3)");
    expect(JSON.stringify(error)).toBe(
      '{"code":"codec/count-too-large","data":{"count":"7","max":"3"}}',
    );
  });

  it("survives the way through JSON", () => {
    const error = new SvcError("codec/trailing-bytes", { remaining: 2 });
    const back = SvcError.fromJson(JSON.parse(JSON.stringify(error)));
    expect(back).toBeInstanceOf(SvcError);
    expect(back.toJSON()).toEqual(error.toJSON());
  });

  it("reads the core's errors, whose message is JSON", () => {
    const thrown = new Error('{"code":"keys/bad-seed","data":{}}');
    expect(SvcError.from(thrown).code).toBe("keys/bad-seed");
  });

  it.each([
    ["an unknown code", '{"code":"no/such","data":{}}'],
    ["other text", "boom"],
    ["broken JSON", "{"],
  ])("calls %s unexpected and keeps the cause", (_, message) => {
    const thrown = new Error(message);
    const error = SvcError.from(thrown);
    expect(error.code).toBe("internal/unexpected");
    expect(error.data).toEqual({ message });
    expect(error.cause).toBe(thrown);
  });

  it("does not read inherited names as codes", () => {
    expect(SvcError.fromJson({ code: "toString" }).code).toBe("internal/unexpected");
  });

  it("reads data that cannot become text by itself", () => {
    const hostile: unknown = JSON.parse(
      '{"code":"codec/bad-hex","data":{"text":{"toString":1,"valueOf":1},"max":null}}',
    );
    const error = SvcError.fromJson(hostile);
    expect(error.code).toBe("codec/bad-hex");
    expect(error.data).toEqual({ text: '{"toString":1,"valueOf":1}', max: "null" });
  });

  it("passes itself through and knows aborts", () => {
    const error = new SvcError("amount/zero", {});
    expect(SvcError.from(error)).toBe(error);
    expect(SvcError.from(new DOMException("x", "AbortError")).code).toBe("run/aborted");
    expect(SvcError.from("text").data).toEqual({ message: "text" });
    expect(SvcError.from(undefined).data).toEqual({ message: "undefined" });
  });

  it("narrows by code", () => {
    const error: unknown = new SvcError("amount/zero", {});
    expect(SvcError.is(error, "amount/negative", "amount/zero")).toBe(true);
    expect(SvcError.is(error, "amount/negative")).toBe(false);
    expect(SvcError.is(new Error("amount/zero"), "amount/zero")).toBe(false);
  });
});
