import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { parseGateway } from "./parseGateway.ts";
import { readHostedSecret } from "./hostedSecret.ts";

const SECRET = "a secret-of-16-chars".replace(" ", "-");
const place = { option: "ingest-secret-file", variable: "SVC_INGEST_SECRET" } as const;

function fileWith(text: string): string {
  const file = join(folderOfTest(), "secret");
  writeFileSync(file, text);
  return file;
}

function refused(file: string | null, environment: Record<string, string>): string {
  try {
    readHostedSecret({ ...place, file, environment });
  } catch (thrown) {
    expect(SvcError.is(thrown, "node/bad-option")).toBe(true);
    return `${String(thrown)} ${JSON.stringify(SvcError.from(thrown).toJSON())}`;
  }
  throw new Error("it was taken");
}

describe("the secret of a hosted gateway", () => {
  it("comes from a file or the environment, and shows itself nowhere", () => {
    const file = fileWith(`${SECRET}\n`);
    const environment = { SVC_INGEST_SECRET: SECRET };
    for (const from of [
      { file, environment: {} },
      { file: null, environment },
    ]) {
      const secret = readHostedSecret({ ...place, ...from });
      expect(secret.reveal((bytes) => Buffer.from(bytes).toString())).toBe(SECRET);
      expect(inspect(secret) + JSON.stringify({ secret }) + String(secret)).not.toContain(SECRET);
    }
  });

  it("is refused where it is short, long or none, and the refusal does not tell it", () => {
    expect(refused(null, {})).toContain("SVC_INGEST_SECRET");
    expect(refused(null, { SVC_INGEST_SECRET: "short-one" })).not.toContain("short-one");
    expect(refused(fileWith("with spaces in between it"), {})).not.toContain("spaces in");
    expect(refused(fileWith("x".repeat(600)), {})).not.toContain("xxx");
    expect(refused("/nowhere/secret", { SVC_INGEST_SECRET: SECRET })).toContain("file");
  });

  it("is no option of the command line", () => {
    const args = ["scan", "--push=https://pay.example", `--ingest-secret=${SECRET}`];
    expect(() => parseGateway(args, {})).toThrow(
      expect.objectContaining({ code: "node/bad-option" }),
    );
  });
});

describe("svc gateway scan", () => {
  it.each(["https://pay.example", "http://127.0.0.1:8787/", "http://localhost:8787"])(
    "tells a gateway at %s",
    (url) => {
      const run = parseGateway(["scan", `--push=${url}`], { SVC_SCANNER: "till-1" });
      expect(run).toMatchObject({
        command: "scan",
        flags: { push: url.replace(/\/$/, ""), scanner: "till-1", secretFile: null },
      });
    },
  );

  it.each([
    [["scan"], "push"],
    [["scan", "--push=http://pay.example"], "push"],
    [["scan", "--push=https://a@pay.example"], "push"],
    [["scan", "--push=https://pay.example?a=b"], "push"],
    [["scan", "--push=https://pay.example", "--scanner=Till 1"], "scanner"],
    [["scan", "more", "--push=https://pay.example"], "scan"],
    [["scan", "--push=https://pay.example", "--gateway-listen=1"], "gateway-listen"],
  ])("is refused as %j", (args, option) => {
    expect(() => parseGateway(args, {})).toThrow(
      expect.objectContaining({
        code: "node/bad-option",
        data: expect.objectContaining({ option: expect.stringContaining(option) }),
      }),
    );
  });
});
