/**
 * Tests of a wallet that asks for evidence against nodes that lie: each lie has its name, nothing is credited that is not there, and with
 * an honest node the wallet is right again within one page, with nothing deleted. What is asked for is the same whoever owns the notes.
 */
import { describe, expect, it } from "vitest";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { PAGE_LIMITS } from "@svc/web/pageLimits.ts";
import { asBlockHash, asChainIndex, asSompi } from "../../base/brand.ts";
import type { EvidencePort } from "../../light/evidencePort.ts";
import type { NodePort, RecordPage, ScanPort } from "../state/ports.ts";
import { sumOfNotes, unspentNotes, type WalletState } from "../state/walletState.ts";
import { encodeWalletState } from "../state/walletStateCodec.ts";
import { EPOCH_POLICY, freshWallet, type ChainModel } from "../testkit/chainModel.ts";
import { EVIDENCE_LIES, falseBirthday, longStory, type Told } from "../testkit/evidenceLies.ts";
import { LIES } from "../testkit/lies.ts";
import { ModelEvidence, modelEvidence } from "../testkit/modelEvidence.ts";
import { FoldTree, MemoryStore, ModelNode, ModelScan } from "../testkit/ports.ts";
import { SimClock } from "../testkit/simClock.ts";
import type { Birthday } from "../sync/birthday.ts";
import { openWallet } from "./openWallet.ts";
import { WalletLoop } from "./walletLoop.ts";

const COIN = 100_000_000n;
const HONEST_TOTAL = 47n * COIN;
/** How long owner and stranger are watched; pages without an end cost by the minute. */
const STRANGER_MS = IS_FULL ? 60_000 : 20_000;
const identity = freshWallet().account;

/** A node that can be exchanged for another, with everything that is asked of either. */
class ChosenNode implements NodePort, ScanPort, EvidencePort {
  readonly asked: string[] = [];
  told: Told;
  /** Finds notes in pages; a stranger finds none. */
  readonly #owns: boolean;

  constructor(told: Told, owns: boolean) {
    this.told = told;
    this.#owns = owns;
  }

  tip: NodePort["tip"] = (signal) => this.#ask("tip").tip(signal);
  start: NodePort["start"] = (index, signal) => this.#ask(`start ${index}`).start(index, signal);
  submit: NodePort["submit"] = (raw, signal) => this.#ask("submit").submit(raw, signal);
  blocks: NodePort["blocks"] = (after, limit, signal) =>
    this.#ask(`blocks ${after} ${limit}`).blocks(after, limit, signal);
  opening: EvidencePort["opening"] = (of, part, signal) =>
    this.#show(`opening ${of} ${part}`).opening(of, part, signal);
  membership: EvidencePort["membership"] = (of, by, signal) =>
    this.#show(`membership ${of} ${by}`).membership(of, by, signal);
  run: EvidencePort["run"] = (from, to, signal) =>
    this.#show(`run ${from} ${to}`).run(from, to, signal);

  async scan(page: RecordPage) {
    const facts = await new ModelScan(this.told.node.model).scan(page);
    if (this.#owns) return facts;
    const blocks = facts.blocks.map((block) => ({ ...block, notes: [], refused: 0 }));
    return { ...facts, blocks };
  }

  #ask(question: string): NodePort {
    this.asked.push(question);
    return this.told.node;
  }

  #show(question: string): EvidencePort {
    this.asked.push(question);
    return this.told.evidence;
  }
}

type Begin = { readonly told: Told; readonly owns?: boolean; readonly birthday?: Birthday };

async function running(truth: ChainModel, { told, owns = true, birthday = "genesis" }: Begin) {
  const clock = new SimClock();
  const chosen = new ChosenNode(told, owns);
  const stop = new AbortController();
  const parts = {
    policy: EPOCH_POLICY,
    node: chosen,
    scan: chosen,
    store: new MemoryStore(),
    clock,
    makeTree: (bytes: Uint8Array) => new FoldTree(bytes),
    evidence: modelEvidence(chosen, truth),
  };
  const sync = await openWallet(parts, identity, birthday, stop.signal);
  const problems = new Set<string>();
  const loop = new WalletLoop({ ...parts, sync }, PAGE_LIMITS.walletPollMs, (facts) => {
    if (facts.problem !== null) problems.add(facts.problem.code);
  });
  const done = loop.run(stop.signal);
  const close = async () => {
    stop.abort();
    await clock.run(0);
    await done;
    await sync.close();
  };
  const total = () => sumOfNotes(unspentNotes(sync.state));
  return { clock, chosen, sync, loop, problems, total, close };
}

/** A state without what was proved of it: when that was differs. */
function withoutProof(state: WalletState): string {
  return encodeWalletState({ ...state, proof: freshWallet().proof, contradiction: null });
}

async function honestState(truth: ChainModel): Promise<WalletState> {
  const told = { node: new ModelNode(truth), evidence: new ModelEvidence(truth) };
  const run = await running(truth, { told });
  await run.clock.run(120_000);
  await run.close();
  expect(run.sync.state.proof).toMatchObject({ fault: null, near: { chainIndex: 36n } });
  return run.sync.state;
}

describe("a wallet that asks for evidence, and a node that lies", () => {
  it.each(EVIDENCE_LIES.map((lie) => [lie.name, lie] as const))("%s", async (_, lie) => {
    const truth = longStory();
    const run = await running(truth, { told: lie.tell(truth) });
    await run.clock.run(60_000);
    const { fault } = run.sync.state.proof;
    expect([fault?.code, ...run.problems]).toContain(lie.code);
    // What a page showed for a moment is taken back: nothing counts that the chain does not commit to.
    expect([0n, HONEST_TOTAL]).toContain(run.total());

    truth.add();
    run.chosen.told = { node: new ModelNode(truth), evidence: new ModelEvidence(truth) };
    await run.clock.run(120_000);
    expect(withoutProof(run.sync.state)).toBe(withoutProof(await honestState(truth)));
    expect(run.loop.facts.problem).toBeNull();
    await run.close();
  });

  it.each([...EVIDENCE_LIES, ...LIES.filter(({ atBirth }) => atBirth !== true)])(
    "asks the same as a stranger: $name",
    async ({ tell }) => {
      const asked = [true, false].map(async (owns) => {
        const truth = longStory();
        const lying = tell(truth);
        const told =
          "node" in lying ? lying : { node: lying, evidence: new ModelEvidence(lying.model) };
        const honest = { node: new ModelNode(truth), evidence: new ModelEvidence(truth) };
        const run = await running(truth, { told: honest, owns });
        run.chosen.told = told;
        await run.clock.run(STRANGER_MS);
        await run.close();
        return run.chosen.asked;
      });
      const [owner, stranger] = await Promise.all(asked);
      expect(owner).toEqual(stranger);
      expect(owner?.length).toBeGreaterThan(3);
    },
  );

  it("begins at a birthday whose state the chain commits to, and no omission hides in it", async () => {
    const truth = longStory();
    const born: Birthday = { day: 0, fresh: true };
    const honest = { node: new ModelNode(truth), evidence: new ModelEvidence(truth) };
    const fine = await running(truth, { told: honest, birthday: born });
    await fine.clock.run(60_000);
    const { account, ledger, proof } = fine.sync.state;
    const birthday = Number(account.birthday.chainIndex);
    expect(birthday).toBeGreaterThan(0);
    expect([ledger?.before, proof.fault]).toEqual([expect.anything(), null]);
    await fine.close();

    const lying = await running(truth, { told: falseBirthday(truth, birthday), birthday: born });
    await lying.clock.run(60_000);
    expect([...lying.problems]).toContain("evidence/other-state");
    await lying.close();
  });

  it("takes a run that ends below the tip at the last header of its level, and the work that it shows", async () => {
    const truth = longStory();
    const evidence = new ModelEvidence(truth);
    evidence.short = 4;
    const run = await running(truth, { told: { node: new ModelNode(truth), evidence } });
    await run.clock.run(60_000);
    const { near, far, fault } = run.sync.state.proof;
    expect([fault, near?.chainIndex, near?.blocks, far?.blocks]).toEqual([null, 35n, 10n, 44n]);
    expect(near?.tip).toBe(truth.at(truth.length - 4)?.hash);
    await run.close();
  });

  it("asks for work where the node's pages end, whatever tip the node names", async () => {
    const truth = longStory();
    const node = new ModelNode(truth);
    const honest = new ModelNode(truth);
    const far = { chainIndex: asChainIndex(1_000_000n), sink: asBlockHash("ab".repeat(32)) };
    Object.assign(node, { tip: async () => ({ ...(await honest.tip()), ...far }) });
    const run = await running(truth, { told: { node, evidence: new ModelEvidence(truth) } });
    await run.clock.run(60_000);
    const { near, fault } = run.sync.state.proof;
    expect([fault, near?.chainIndex]).toEqual([null, 35n]);
    await run.close();
  });

  it("says what work stands above a payment, and nothing above the last proved block", async () => {
    const truth = longStory();
    const told = { node: new ModelNode(truth), evidence: new ModelEvidence(truth) };
    const run = await running(truth, { told });
    await run.clock.run(60_000);
    const { near, far } = run.sync.state.proof;
    expect([near?.chainIndex, near?.blocks, far?.blocks]).toEqual([35n, 14n, 48n]);
    expect(run.total()).toBe(asSompi(HONEST_TOTAL));
    await run.close();
  });
});
