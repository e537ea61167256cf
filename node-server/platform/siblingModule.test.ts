import { describe, expect, it } from "vitest";
import { siblingModule } from "./siblingModule.ts";

describe("the module beside another", () => {
  it("is a source beside a source", () => {
    const found = siblingModule("readerWorker", "file:///svc/node-server/consensus/startEngine.ts");
    expect(found.href).toBe("file:///svc/node-server/consensus/readerWorker.ts");
  });

  it("is a built one beside a built one, whatever its own name has in it", () => {
    const found = siblingModule("readerWorker", "file:///svc/.cache/program/start-a.b.js?x=1.ts");
    expect(found.href).toBe("file:///svc/.cache/program/readerWorker.js");
  });
});
