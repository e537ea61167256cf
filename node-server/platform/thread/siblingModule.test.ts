import { describe, expect, it } from "vitest";
import { siblingModule } from "./siblingModule.ts";

describe("the module beside another", () => {
  it("is a source beside a source", () => {
    const found = siblingModule(
      "read/readerWorker",
      "file:///svc/node-server/engine/startEngine.ts",
    );
    expect(found.href).toBe("file:///svc/node-server/engine/read/readerWorker.ts");
  });

  it("is a built one beside a built one, whatever its own name has in it", () => {
    const found = siblingModule(
      "read/readerWorker",
      "file:///svc/.cache/program/start-a.b.js?x=1.ts",
    );
    expect(found.href).toBe("file:///svc/.cache/program/readerWorker.js");
  });
});
