import { describe, expect, it } from "vitest";
import { roomOfPath } from "./roomOfPath.ts";

describe("roomOfPath", () => {
  it.each([
    ["shared/wallet/plan/merging/planMerge.ts", "shared/wallet/plan"],
    ["shared/wallet/walletLimits.ts", "shared/wallet"],
    ["node-server/walletd/spend/tokens/tokenBook.ts", "node-server/walletd/spend"],
    ["node-server/walletd/newFolder/thing.ts", "node-server/walletd"],
    ["web/checkout/helper/svcCheckout.ts", "web/checkout/helper"],
    ["web/ui/Button.module.css", "web/ui"],
    ["edge/gateway/migrations/0001_gateway.sql", "edge/gateway"],
    ["edge/plugin/vendure/package-lock.json", "edge/plugin/vendure"],
    ["wasm-core/crates/dag/src/ghostdag.rs", "wasm-core/crates/dag"],
    ["wasm-core/crates/sim/tests/kills.rs", "wasm-core/crates/sim"],
    ["wasm-core/crates/oracle/Cargo.lock", "wasm-core/crates/oracle"],
    ["wasm-core/codes.json", "wasm-core"],
    ["README.md", "README.md"],
    ["docs/guides/wallet-phones.md", "docs/guides/wallet-phones.md"],
  ])("%s is of the room %s", (path, room) => {
    expect(roomOfPath(path)).toEqual({ kind: "room", room });
  });

  it.each([
    "package.json",
    "package-lock.json",
    ".npmrc",
    "tsconfig.json",
    "vite.config.ts",
    "vitest.config.ts",
    "rust-toolchain.toml",
    "scripts/setup.sh",
    "scripts/run.sh",
    "scripts/lib/node.sh",
    "scripts/lib/runSuite.ts",
    "scripts/suites.ts",
    "scripts/test.ts",
    "wasm-core/Cargo.toml",
    "unknown.toml",
    "newPart/src/file.ts",
  ])("%s counts for everything", (path) => {
    expect(roomOfPath(path)).toEqual({ kind: "everything" });
  });

  it.each([
    "docs/operators.md",
    "docs/guides/receipts.md",
    "CHANGELOG.md",
    "edge/plugin/vendure/README.md",
    "LICENSE",
    ".ci/run",
    ".oxlintrc.json",
    "shared/base/money.test.ts",
    "tests/architecture/architecture.test.ts",
    "tests/conform/conform.test.ts",
    "wasm-core/crates/dag/tests/ghostdag_rule.rs",
    "wasm-core/crates/bench-peer/src/main.rs",
    "package/coreNode.ts",
  ])("%s counts for nothing", (path) => {
    expect(roomOfPath(path)).toEqual({ kind: "nothing" });
  });

  it.each([
    "tests/e2e/wallet/wallet.test.ts",
    "tests/integration/rpc/rpc.test.ts",
    "tests/network/sync/resume.test.ts",
    "tests/plugins/woocommerce.test.ts",
    "tests/hashes/hashes.test.ts",
  ])("%s is a test", (path) => {
    expect(roomOfPath(path)).toEqual({ kind: "test" });
  });

  it.each([
    "tests/network/testkit/scene.ts",
    "tests/architecture/rooms.ts",
    "tests/bench/run/thresholds.json",
    "node-server/gateway/testkit/deskHost.ts",
    "scripts/edge.ts",
    "tests/tsconfig.json",
  ])("%s is a helper, and no room speaks for it", (path) => {
    expect(roomOfPath(path)).toEqual({ kind: "helper" });
  });

  it.each([
    ["tests/vectors/fee.json", "tests/vectors"],
    ["tests/plugins/btcpay/router.php", "tests/plugins"],
    ["web/explorer/testkit/graph.html", "web/explorer"],
  ])("%s is a helper; where nobody imports it, %s speaks for it", (path, room) => {
    expect(roomOfPath(path)).toEqual({ kind: "helper", room });
  });
});
