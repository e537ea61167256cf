import { expect, it } from "vitest";
import { hasAssembly, PEER_BUILDS, readAbout, type PeerBuild } from "./peerBuilds.ts";

const about = {
  backend: "portable",
  features: ["glv", "sqrt-table"],
  opt_level: "3",
  target_cpu: "default",
  target_features: "sse,sse2",
  flags: "",
};
const asm = { ...about, backend: "x86-64", features: ["asm", ...about.features] };
const native = { ...asm, target_cpu: "native", flags: "-C target-cpu=native" };

function build(name: PeerBuild["name"]): PeerBuild {
  const found = PEER_BUILDS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no build ${name}`);
  return found;
}

it("a build is what its name says", () => {
  expect(readAbout(build("portable"), about)).toMatchObject({ build: "portable" });
  expect(readAbout(build("asm"), asm)).toMatchObject({ build: "asm", backend: "x86-64" });
  expect(readAbout(build("native"), native)).toMatchObject({ target_cpu: "native" });
});

it("another build's figures are not taken for its own", () => {
  expect(() => readAbout(build("asm"), about)).toThrow("this is not the build asm");
  expect(() => readAbout(build("portable"), asm)).toThrow("this is not the build portable");
  expect(() => readAbout(build("native"), asm)).toThrow("this is not the build native");
  expect(() => readAbout(build("asm"), native)).toThrow("this is not the build asm");
  expect(() => readAbout(build("asm"), { ...asm, opt_level: "1" })).toThrow("this is not");
});

it("upstream's assembly needs two extensions of x86-64, and none of ARM", () => {
  expect(hasAssembly("x64", ["adx", "bmi2", "avx"])).toBe(true);
  expect(hasAssembly("x64", ["adx"])).toBe(false);
  expect(hasAssembly("arm64", [])).toBe(true);
  expect(hasAssembly("riscv64", ["adx", "bmi2"])).toBe(false);
});
