import { expect, it } from "vitest";
import { parseGateway } from "./parseGateway.ts";

const ADD = ["merchants", "add", "shop"];

it("a merchant's frame origins are origins, and nothing that could change a policy", () => {
  const origins = ["https://shop.example", "http://localhost:8080"];
  const run = parseGateway([...ADD, ...origins.map((origin) => `--frame-origin=${origin}`)], {});
  expect(run).toMatchObject({ command: "merchants add", frameOrigins: origins });
  expect(parseGateway(ADD, {})).toMatchObject({ frameOrigins: [] });
  for (const odd of ["*", "https://shop.example/path", "https://a.example; script-src *"]) {
    expect(() => parseGateway([...ADD, `--frame-origin=${odd}`], {})).toThrow(
      expect.objectContaining({ code: "node/bad-option" }),
    );
  }
});
