/** Exceptions of the rule of clocks: files of tests that may read a clock of the machine or wait all the same, each for the uses named. */

/** One exception: why no verdict is by what the file reads, and which uses it may have. */
export type ClockUser = { readonly why: string; readonly uses: readonly string[] };

/** The exceptions by the path of the file. */
export const CLOCK_USERS: ReadonlyMap<string, ClockUser> = new Map([
  [
    "node-server/platform/time/clock.test.ts",
    {
      why: "tests the machine's clocks; each bound is of times read before and after",
      uses: ["Date.now", "systemClock.bootMs", "systemClock.nowMs", "systemClock.steadyMs"],
    },
  ],
  [
    "scripts/units/unitSeconds.test.ts",
    {
      why: "tests the measure of the processor; its bound is of a sum that the same thread took",
      uses: ["process.threadCpuUsage"],
    },
  ],
  ["tests/conform/runConformance.ts", { why: "prints blocks a second", uses: ["performance.now"] }],
  [
    "tests/e2e/explorer/explorer.test.ts",
    { why: "documents are of now; a page shows their age by its own clock", uses: ["Date.now"] },
  ],
  [
    "tests/e2e/explorer/explorerServer.ts",
    { why: "documents are of now; a page shows their age by its own clock", uses: ["Date.now"] },
  ],
  [
    "tests/e2e/explorer/graph.test.ts",
    {
      why: "a replay begins in a minute that has just passed by the page's own clock",
      uses: ["Date.now"],
    },
  ],
  [
    "tests/e2e/explorer/shownBlocks.ts",
    {
      why: "puts what a page did in order by the page's own timeline; `tests/bench` has the time",
      uses: ["performance.now"],
    },
  ],
  [
    "tests/e2e/storage/storeServer.ts",
    { why: "ends a worker at a moment that is drawn", uses: ["setTimeout"] },
  ],
  [
    "tests/e2e/testkit/walletPage.ts",
    {
      why: "measures a proof, which is asked for at the full size alone",
      uses: ["performance.now"],
    },
  ],
  [
    "tests/e2e/testkit/workedCheckpoint.ts",
    {
      why: "a checkpoint is of now, and held against the clock of a page",
      uses: ["systemClock.nowMs"],
    },
  ],
  [
    "tests/e2e/testkit/workedNode.ts",
    { why: "is a node's clock that a test moves", uses: ["systemClock.nowMs"] },
  ],
  [
    "tests/integration/gateway/gatewayWork.test.ts",
    {
      why: "a floor is set now, and held against the clock of the part",
      uses: ["systemClock.nowMs"],
    },
  ],
  [
    "tests/integration/node/nodeFixture.ts",
    {
      why: "is the clock of nodes",
      uses: ["performance.now", "systemClock.bootMs", "systemClock.sleep", "systemClock.steadyMs"],
    },
  ],
  [
    "tests/integration/node/stuckStop.ts",
    { why: "is the clock of a program, which stands still", uses: ["performance.now"] },
  ],
  [
    "tests/integration/node/untilFound.ts",
    { why: "pauses between two looks", uses: ["systemClock.sleep"] },
  ],
  [
    "tests/integration/walletd/walletdFixture.ts",
    {
      why: "is a clock of daemons that makes their pauses short",
      uses: ["systemClock.nowMs", "systemClock.sleep", "systemClock.steadyMs"],
    },
  ],
  [
    "tests/network/deposits/depositReader.ts",
    { why: "pauses between two tries", uses: ["timers/promises.setTimeout"] },
  ],
  [
    "tests/network/deposits/feedReader.ts",
    { why: "pauses between two tries", uses: ["setTimeout"] },
  ],
  [
    "tests/network/deposits/mortalReader.ts",
    { why: "kills at a moment that is drawn", uses: ["setTimeout"] },
  ],
  [
    "tests/network/gateway/gatewayKills.test.ts",
    {
      why: "kills at moments that are drawn, some of them within a start",
      uses: ["performance.now", "systemClock.sleep"],
    },
  ],
  [
    "tests/network/http/rawHttp.ts",
    {
      why: "is a slow client, and one that sends no more; nothing is judged by when",
      uses: ["setInterval", "setTimeout"],
    },
  ],
  [
    "tests/network/program/holdProbe.ts",
    { why: "measures at the full size alone", uses: ["process.threadCpuUsage", "setInterval"] },
  ],
  [
    "tests/network/program/memoryProbe.ts",
    {
      why: "leaves out a thread that ended with the one that knew of its end",
      uses: ["setTimeout"],
    },
  ],
  [
    "tests/network/sync/steppedClock.ts",
    { why: "is the clock of a node that a test moves", uses: ["Date.now", "performance.now"] },
  ],
  ["tests/network/testkit/listeningProgram.ts", { why: "bounds what hangs", uses: ["setTimeout"] }],
  [
    "tests/network/testkit/nodeProcess.ts",
    {
      why: "bounds what hangs, and pauses between two looks",
      uses: ["performance.now", "processorMs", "setTimeout"],
    },
  ],
  ["tests/network/testkit/programRun.ts", { why: "bounds what hangs", uses: ["setTimeout"] }],
  [
    "tests/network/testkit/startedNode.ts",
    { why: "bounds what hangs", uses: ["AbortSignal.timeout"] },
  ],
  [
    "tests/network/testkit/tcpProxy.ts",
    { why: "is a line, whose delay and loss are times", uses: ["performance.now", "setTimeout"] },
  ],
  [
    "tests/network/walletd/walletdFaults.test.ts",
    { why: "cuts a line at moments that are drawn", uses: ["setTimeout"] },
  ],
  [
    "tests/network/walletd/walletdKills.test.ts",
    {
      why: "kills at moments that are drawn, some of them within a start",
      uses: ["performance.now", "setTimeout"],
    },
  ],
  [
    "tests/network/wallets/manyWallets.test.ts",
    {
      why: "measures at the full size alone; the bounds of the reduced one are infinite",
      uses: ["performance.now", "timers/promises.setTimeout"],
    },
  ],
  [
    "tests/plugins/movedClock.ts",
    {
      why: "is a clock that a test moves",
      uses: [
        "systemClock.bootMs",
        "systemClock.nowMs",
        "systemClock.sleep",
        "systemClock.steadyMs",
      ],
    },
  ],
  [
    "tests/plugins/nodeGateway.ts",
    { why: "makes a merchant now, by the clock that a test may move", uses: ["systemClock.nowMs"] },
  ],
  [
    "tests/testkit/signedNow.ts",
    {
      why: "programs sign with the time of day; five minutes of age are allowed",
      uses: ["systemClock.nowMs"],
    },
  ],
  [
    "tests/testkit/smallDisk.ts",
    { why: "pauses between two looks", uses: ["setTimeout", "timers/promises.setTimeout"] },
  ],
  ["web/explorer/testkit/graphMain.tsx", { why: "is the clock of a page", uses: ["Date.now"] }],
  [
    "web/wallet-worker/testkit/longWallet.ts",
    { why: "measures for `tests/bench`", uses: ["performance.now"] },
  ],
]);
